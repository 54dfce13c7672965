"""What nodes got, in files."""

import json
import os
import stat

import pytest

from obsirag.config import TracingOptions
from obsirag.errors import ConfigError, TraceError
from obsirag.graphs.tracing import open_tracing, read_dump
from watched_graphs import ANSWER, LEADS, NODES, QUESTION, ask, watched_graph


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "dumps"


def dumps_of(folder):
    return [read_dump(file) for file in sorted(folder.iterdir())]


def test_each_node_has_a_file_and_they_sort_by_run_and_step(folder):
    graph = watched_graph(options=TracingOptions(dumps=folder))
    ask(graph)
    ask(graph)
    read = dumps_of(folder)
    runs = [[each.node for each in read if each.run == run] for run in dict.fromkeys(each.run for each in read)]
    assert sorted(runs[0]) == sorted(NODES)
    assert [(each[0], each[-1]) for each in runs] == [("take_question", "publish")] * 2
    assert [(each.run, each.step) for each in read] == sorted((each.run, each.step) for each in read)
    assert read[-1].state["draft"]["text"] == ANSWER


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_only_the_owner_may_read_them(folder):
    ask(watched_graph(options=TracingOptions(dumps=folder)))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}


@pytest.mark.parametrize(("context", "is_told"), [(None, False), (LEADS, True)])
def test_they_hold_what_the_caller_may_read(folder, context, is_told):
    ask(watched_graph(options=TracingOptions(dumps=folder)), context)
    texts = "".join(file.read_text("utf-8") for file in folder.iterdir())
    assert ("Bluebird" in texts) == is_told
    assert QUESTION in texts


def test_a_disk_that_is_full_ends_no_run(folder, monkeypatch, caplog):
    graph = watched_graph(options=TracingOptions(dumps=folder))
    folder.rmdir()
    assert ask(graph)["answer"] == ANSWER
    assert "an observer of the graph failed (FileNotFoundError" in caplog.text


def test_a_folder_that_cannot_be_made_is_told_as_the_graph_is_built(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"tracing\.dumps"):
        open_tracing(TracingOptions(dumps=tmp_path / "file" / "dumps"))


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "7", "{}", '{"obsirag_dump": "1"}', '{"obsirag_dump": 1}', "[" * 100_000),
        '{"obsirag_dump": 2, "run": "r", "step": 1, "node": "n", "state": {}}',
        '{"obsirag_dump": 1, "run": "r", "step": 1, "node": "n", "state": []}',
        '{"obsirag_dump": 1, "run": "r", "step": 1, "node": "n", "state": {"x": {"$import": "os"}}}',
        '{"obsirag_dump": 1, "run": "r", "step": 1, "node": "n", "state": {"x": {"$message": {"type": "os"}}}}',
        '{"obsirag_dump": 1, "run": "r", "step": 1, "node": "n", "state": {"x": {"$document": 7}}}',
    ],
)
def test_what_is_no_dump_is_told(tmp_path, text):
    file = tmp_path / "x.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(TraceError, match=r"x\.json"):
        read_dump(file)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(TraceError, match="No such file"):
        read_dump(tmp_path / "none.json")


def test_a_dump_is_json_with_nothing_to_be_run(folder):
    ask(watched_graph(options=TracingOptions(dumps=folder)))
    for file in folder.iterdir():
        marks = {key for key in _keys(json.loads(file.read_text("utf-8"))) if key.startswith("$")}
        assert marks <= {"$message", "$document", "$overwrite", "$pairs", "$float", "$text"}


def _keys(value):
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from _keys(each)
    elif isinstance(value, list):
        for each in value:
            yield from _keys(each)
