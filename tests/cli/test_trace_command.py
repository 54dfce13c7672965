"""Runs recorded, compared and shown from the command line; nodes run again; the graph drawn."""

import json
import os
import stat

import pytest

from obsirag.errors import MissingExtraError

QUESTION = "FTableRowBase 是什么?"


@pytest.fixture(scope="session")
def traced(run, indexed, tmp_path_factory):
    """A configuration with dumps, and a folder with the records of two runs."""
    folder = tmp_path_factory.mktemp("traced")
    config = folder / "obsirag.toml"
    text = indexed.read_text(encoding="utf-8").replace("'index'", f"'{indexed.parent / 'index'}'")
    config.write_text(f"{text}\n[tracing]\ndumps = 'dumps'\n", encoding="utf-8")
    for name, question in (("zh", QUESTION), ("en", "What is a data asset?")):
        result = run("ask", question, "--config", config, "--trace", folder / f"{name}.json")
        assert result.exit_code == 0, result.output
        assert result.stdout
    return folder


def dump_of(traced, node):
    return sorted((traced / "dumps").glob(f"*-{node}.json"))[0]


def test_a_record_holds_the_run(traced):
    record = json.loads((traced / "zh.json").read_text(encoding="utf-8"))
    assert record["obsirag_run"] == 1
    assert record["question"] == QUESTION
    assert record["status"] == "answered"
    assert {each["name"] for each in record["rounds"][0]["searches"]} == {"vector_search", "keyword_search"}
    if os.name == "posix":
        assert stat.S_IMODE((traced / "zh.json").stat().st_mode) == 0o600


@pytest.mark.parametrize(("name", "reason"), [("note.md", "must end in .json"), ("no/x.json", "make it first")])
def test_a_record_never_replaces_another_kind_of_file(run, traced, name, reason):
    result = run("ask", QUESTION, "--config", traced / "obsirag.toml", "--trace", traced / name)
    assert result.exit_code == 2
    assert reason in " ".join(result.output.replace("│", " ").split())


def test_the_same_run_does_not_differ(run, traced):
    result = run("trace", "compare", traced / "zh.json", traced / "zh.json")
    assert (result.exit_code, result.stdout) == (0, "No differences.\n")


def test_other_runs_differ_line_by_line_and_as_json(run, traced):
    told = run("trace", "compare", traced / "zh.json", traced / "en.json")
    assert told.exit_code == 1
    assert f"question\n  - {QUESTION}\n  + What is a data asset?\n" in told.stdout
    assert "round 1: keyword_search\n" in told.stdout
    data = run("trace", "compare", traced / "zh.json", traced / "en.json", "--json")
    assert data.exit_code == 1
    assert json.loads(data.stdout)["question"] == [QUESTION, "What is a data asset?"]


def test_what_nodes_got_is_compared_too(run, traced):
    first, second = sorted((traced / "dumps").glob("*-fuse.json"))
    assert run("trace", "compare", first, first).exit_code == 0
    assert "round 1: vector_search" in run("trace", "compare", first, second).stdout


@pytest.mark.parametrize(
    ("name", "arguments", "language", "word"),
    [
        ("zh", [], "zh-CN", "轮次"),
        ("en", [], "en", "Rounds"),
        ("zh", ["--lang", "en"], "en", "Rounds"),
        ("en", ["--lang", "zh"], "zh-CN", "轮次"),
    ],
)
def test_a_page_is_in_the_language_of_the_question_or_in_the_one_wanted(run, traced, name, arguments, language, word):
    page = traced / f"{name}-page.html"
    result = run("trace", "html", traced / f"{name}.json", "-o", page, *arguments)
    assert (result.exit_code, result.output) == (0, "")
    text = page.read_text(encoding="utf-8")
    assert f'<html lang="{language}">' in text
    assert f"<h2>{word}</h2>" in text


@pytest.mark.parametrize("text", ["", "{}", '{"obsirag_run": 1}', '{"obsirag_dump": 1}'])
def test_what_is_no_record_is_one_message(run, traced, tmp_path, text):
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    for arguments in (["html", file, "-o", tmp_path / "x.html"], ["compare", file, traced / "zh.json"]):
        result = run("trace", *arguments)
        assert result.exit_code == 1
        assert result.stderr.startswith(f"Error: {file}")
    assert not (tmp_path / "x.html").exists()


@pytest.mark.parametrize("node", ["keyword_search", "fuse", "grade", "answer"])
def test_a_node_is_run_again(run, traced, node):
    config = traced / "obsirag.toml"
    before = len([*(traced / "dumps").iterdir()])
    result = run("replay", dump_of(traced, node), "--config", config)
    assert result.exit_code == 0, result.output
    assert isinstance(json.loads(result.stdout), dict)
    assert len([*(traced / "dumps").iterdir()]) == before
    same = run("replay", dump_of(traced, node), "--config", config, "--against", traced / "zh.json")
    assert (same.exit_code, same.stdout) == (0, "No differences.\n")


def test_what_a_changed_configuration_makes_of_it_is_told(run, traced, tmp_path):
    config = tmp_path / "obsirag.toml"
    text = (traced / "obsirag.toml").read_text(encoding="utf-8").replace("'dumps'", f"'{tmp_path / 'dumps'}'")
    config.write_text(f"{text}\n[retrieval]\nlimit = 1\ncandidates = 2\n", encoding="utf-8")
    result = run(
        *("replay", dump_of(traced, "keyword_search"), "--config", config),
        *("--against", traced / "zh.json", "--trace", tmp_path / "again.json"),
    )
    assert result.exit_code == 1
    assert result.stdout.startswith("round 1: keyword_search\n  - ")
    again = json.loads((tmp_path / "again.json").read_text(encoding="utf-8"))
    assert [step["node"] for step in again["steps"]] == ["keyword_search"]


def test_a_node_that_is_not_there_is_one_message(run, traced):
    result = run("replay", dump_of(traced, "fuse"), "--config", traced / "obsirag.toml", "--node", "rank")
    assert result.exit_code == 1
    assert "no node rank" in result.stderr


def test_the_graph_is_listed_and_drawn(run, traced):
    config = traced / "obsirag.toml"
    listed = run("graph", "--config", config).stdout.splitlines()
    assert "vector_search → fuse" in listed
    assert "publish → __end__" in listed
    drawn = run("graph", "--config", config, "--mermaid").stdout
    assert "graph TD;" in drawn
    assert "vector_search --> fuse;" in drawn


def test_a_missing_package_is_one_message(run, traced, monkeypatch):
    def missing():
        raise MissingExtraError("`tracing.opentelemetry`", "otel")

    monkeypatch.setattr("obsirag.graphs.tracing.opening.Spans", missing)
    config = traced / "otel.toml"
    text = (traced / "obsirag.toml").read_text(encoding="utf-8")
    config.write_text(f"{text}opentelemetry = true\n", encoding="utf-8")
    result = run("ask", QUESTION, "--config", config)
    assert result.exit_code == 1
    assert "pip install 'obsirag[otel]'" in result.stderr
