"""The manual for plugins names exactly the hooks that there are, and what it shows works."""

import importlib
import inspect
import os
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
import yaml

import obsirag
from obsirag import errors
from obsirag.components import Components, build_components, index_vault, open_retriever
from obsirag.config import RagConfig
from obsirag.graphs import build_rag_graph
from obsirag.plugins import API_VERSION, KINDS, PluginState, Registry, hookspecs

PAGE = (Path(__file__).parents[1] / "docs/how-to/write-a-plugin.md").read_text(encoding="utf-8")
START, HOOKS = PAGE.split("## The hooks")
SECTIONS = dict(re.findall(r"^### `(\w+)\([^`]*\)`\n(.*?)(?=^### |\Z)", HOOKS, re.DOTALL | re.MULTILINE))


def blocks(language, text=PAGE):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def file_named(name):
    return re.search(rf"^`{re.escape(name)}`:\n\n```\w+\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE).group(1)


def test_every_hook_has_a_section_with_its_arguments_and_no_other_has_one():
    described = re.findall(r"^### `(.*)`$", HOOKS, re.MULTILINE)
    there_are = [
        f"{name}({', '.join(inspect.signature(getattr(hookspecs, name)).parameters)})" for name in hookspecs.__all__
    ]
    assert sorted(described) == sorted(there_are)


@pytest.mark.parametrize("hook", hookspecs.__all__)
def test_a_section_says_what_the_hook_returns_and_what_that_may_declare(hook):
    assert SECTIONS[hook].strip().startswith("Returns")
    specification = getattr(hookspecs, hook)
    returned = re.findall(r"\b[A-Z]\w+", inspect.signature(specification).return_annotation)
    declared = re.findall(r"^- ``(\w+)", inspect.getdoc(specification), re.MULTILINE)
    assert declared or hook not in ("embeddings", "vector_store")
    for name in {*returned, *declared} - {"Any", "Callable", "Mapping", "None"}:
        assert name in SECTIONS[hook]


def test_the_states_and_errors_are_those_that_there_are():
    told = re.search(r"for each its state: (.*?)\.\n", PAGE, re.DOTALL).group(1)
    assert set(re.findall(r"`([a-z ]+)`", told)) == set(PluginState.__args__)
    table = re.findall(r"^\| `(\w+Error)` \|", START, re.MULTILINE)
    assert table
    assert all(issubclass(getattr(errors, each), errors.ObsiragError) for each in table)
    assert f"API_VERSION = {API_VERSION}" in file_named("acme_rag.py")


@pytest.fixture
def plugin(tmp_path, monkeypatch):
    """All hooks of the manual in one plugin, as ``acme``, beside those that are built in."""
    examples = [code for section in SECTIONS.values() for code in blocks("python", section)]
    module = file_named("acme_rag.py") + "\n\n".join(examples)
    (tmp_path / "acme_rag.py").write_text(module, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()
    yield Registry([*Registry().declared, EntryPoint("acme", "acme_rag", "obsirag")])
    sys.modules.pop("acme_rag", None)


def test_the_examples_bring_every_kind_of_part(plugin, tmp_path):
    loaded = plugin.load("acme")
    assert set(loaded.kinds) == set(KINDS)
    for kind in KINDS:
        context = {"options": {}}
        if kind == "vector_store":
            context |= {"embeddings": plugin.build("embeddings", "acme", {}), "folder": tmp_path}
        if kind == "keyword_index":
            context["folder"] = tmp_path
        if kind == "nodes":
            assert set(loaded.call("nodes")) == {"grade"}
        elif kind == "cleaner":
            assert plugin.build_all(kind, "acme", {})
        else:
            options = context.pop("options")
            assert plugin.build(kind, "acme", options, **context)
    assert plugin.hosts("acme", {"base_url": "https://api.example"}) == ["https://api.example"]
    assert plugin.missing(loaded) is None


def test_the_parts_of_the_examples_work_together(plugin, tmp_path, monkeypatch, capsys):
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "tea.md").write_text("CONFIDENTIAL DRAFT Green tea is made with water of 80 degrees.")
    (vault / "film.srt").write_text("1\n00:00:01 --> 00:00:02\nThe kettle is blue.\n")
    monkeypatch.setattr("obsirag.plugins.registry.find_entry_points", lambda: plugin.declared)
    kinds = ("embeddings", "vector_store", "keyword_index", "splitter", "reranker", "search_provider")
    config = RagConfig(
        vault=vault,
        index=tmp_path / "index",
        **dict.fromkeys(kinds, "acme"),
        loaders=["acme"],
        cleaning={"steps": ["acme"]},
        nodes={"grade": "acme"},
        tracing={"observers": ["acme"]},
    )
    report = index_vault(config)
    assert (set(report.added), report.failed) == ({"film.srt", "tea.md"}, ())
    found = {each.metadata["source"]: each.page_content for each in open_retriever(config).invoke("kettle tea")}
    assert found["film.srt"] == "The kettle is blue."
    assert "CONFIDENTIAL" not in found["tea.md"]
    state = build_rag_graph(config).compile().invoke({"messages": [("user", "Which colour has the kettle?")]})
    assert "The kettle is blue" in state["answer"]  # the shortest passage, of which `grade` keeps one
    assert re.search(r"^grade: \d\.\d{3} s$", capsys.readouterr().out, re.MULTILINE)
    assert state["degraded"] == []


def test_the_configuration_uses_the_first_example(plugin, tmp_path):
    settings = yaml.safe_load(blocks("yaml", START)[0])
    config = RagConfig(vault=tmp_path, index=tmp_path / "index", **settings)
    made = build_components(config, Components(), kinds=("reranker",), registry=plugin).reranker
    assert made.weight == 2.0
    with pytest.raises(errors.ConfigError, match=r"plugin 'acme' of .*: reranker \(acme\): .*weight"):
        plugin.build("reranker", "acme", {"wieght": 2.0})


def test_the_empty_folder_becomes_an_installed_plugin(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    for name in ("pyproject.toml", "acme_rag.py"):
        (project / name).write_text(file_named(name), encoding="utf-8")
    packages = tmp_path / "packages"
    run("-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps",
        "--no-build-isolation", "--target", str(packages), str(project))  # fmt: skip
    path = os.pathsep.join([str(packages), str(Path(obsirag.__file__).parents[1]), *sys.path])
    printed = run("-c", "from obsirag.cli import main; main()", "plugins", path=path, cwd=tmp_path)
    shown = blocks("text", START)[0]
    (line,) = [line for line in printed.splitlines(keepends=True) if line.startswith("acme ")]
    assert re.sub(r" +\d+\.\d\d s", " … s", line) == re.sub(r" +\d+\.\d\d s", " … s", shown)


def run(*arguments, path=None, cwd=None):
    env = os.environ if path is None else {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, env=env, cwd=cwd, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
