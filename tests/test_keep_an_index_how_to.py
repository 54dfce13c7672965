"""The commands and the code that the documentation shows do what is said of them."""

import re
import shlex
from pathlib import Path

import pytest

HOW_TO = (Path(__file__).parents[1] / "docs" / "how-to" / "keep-an-index.md").read_text(encoding="utf-8")
SMALL_PARTS = "embeddings: hashing\nvector_store: memory\n"


@pytest.fixture
def folder(tmp_path, sample_vault, monkeypatch):
    """A working directory with the sample vault where the documentation says that it is."""
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "ue-notes").symlink_to(sample_vault, target_is_directory=True)
    (tmp_path / "small.yaml").write_text(f"vault: examples/ue-notes\n{SMALL_PARTS}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def commands():
    blocks = re.findall(r"```sh\n(.*?)```", HOW_TO, re.DOTALL)
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


def test_the_commands_run_in_their_order(folder):
    testing = pytest.importorskip("typer.testing")
    from obsirag.cli.app import app

    told = {}
    for name, *arguments in commands():
        assert name == "obsirag"
        if "--watch" in arguments:
            continue  # it would not end; its own test runs it
        arguments[arguments.index("examples/ue-notes")] = "--config=small.yaml"
        result = testing.CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        told[" ".join(arguments[:1] + [each for each in arguments if each.startswith("--")][2:])] = result.stdout
        assert (folder / "my-index").exists() == (arguments[0] != "drop" and "--dry-run" not in arguments)
    assert "34 added" in told["index --dry-run"]
    assert "34 added" in told["index"]
    assert "34 indexed" in told["status"]
    assert "34 unchanged" in told["rebuild --yes"]


def test_the_code_runs(folder, capsys):
    (source,) = re.findall(r"```python\n(.*?)```", HOW_TO, re.DOTALL)
    small = ", embeddings='hashing', vector_store='memory')"
    exec(source.replace('index="my-index")', f'index="my-index"{small}'), {})
    shown = capsys.readouterr().out
    assert "34 notes to add, 38 texts to embed" in shown
    assert "34 notes, 38 chunks, made with hashing:1024" in shown
    assert not (folder / "my-index").exists()
