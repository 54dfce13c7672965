"""The lines of the log: what they tell, and what never."""

import json
import logging
import time

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import interrupt

from obsirag.config import TracingOptions
from watched_graphs import ANSWER, LEADS, NODES, QUESTION, REWORDED, ask, watched_graph


@pytest.fixture
def lines(caplog):
    caplog.set_level(logging.INFO, logger="obsirag.graphs")

    def told(level=logging.INFO):
        records = [each for each in caplog.records if each.name == "obsirag.graphs" and each.levelno >= level]
        return [json.loads(each.getMessage()) for each in records if each.getMessage().startswith("{")]

    return told


def test_each_node_has_a_line_as_it_begins_and_one_as_it_ends(lines):
    ask(watched_graph())
    told = lines()
    for event in ("started", "ended"):
        nodes = sorted((each["step"], each["node"]) for each in told if each["event"] == event)
        assert [node for _, node in nodes] == NODES
    assert {each["thread"] for each in told} == {"t-1"}
    assert {each["version"] for each in told} == {"1"}
    assert len({each["run"] for each in told}) == 1
    assert all(each["seconds"] >= 0 for each in told if each["event"] == "ended")


def test_two_runs_have_names_that_sort(lines):
    graph = watched_graph()
    ask(graph)
    ask(graph)
    runs = list(dict.fromkeys(each["run"] for each in lines()))
    assert len(runs) == 2
    assert runs == sorted(runs)


def test_tokens_are_those_of_the_node_alone(lines):
    result = ask(watched_graph())
    ended = [each for each in lines() if each["event"] == "ended"]
    assert {each["node"] for each in ended if each["model_calls"]} == {"grade", "rewrite", "answer"}
    spent = result["messages"][-1].usage_metadata
    assert sum(each["tokens_in"] for each in ended) == spent["input_tokens"]
    assert sum(each["tokens_out"] for each in ended) == spent["output_tokens"]


@pytest.mark.parametrize("context", [None, LEADS])
def test_no_text_and_no_label_is_told(lines, context):
    ask(watched_graph(), context)
    told = json.dumps(lines(), ensure_ascii=False)
    for text in (QUESTION, REWORDED, ANSWER, "respawn", "Bluebird", "77 s", "secret", "health", "noise.md", "leads"):
        assert text not in told


def test_the_counts_are_of_what_the_caller_may_read(lines):
    ask(watched_graph())
    public = [each["state"]["rankings"] for each in lines() if each["event"] == "started" and each["node"] == "fuse"]
    assert public == [[1, 11], [1, 11]] or public == [[11, 1], [11, 1]]


def test_what_a_node_raised_is_told_by_its_kind(lines):
    def fail(state):
        raise LookupError("Bluebird")

    with pytest.raises(LookupError):
        ask(watched_graph(nodes={"fuse": fail}))
    [failed] = [each for each in lines() if "error" in each]
    assert (failed["event"], failed["node"], failed["error"]) == ("ended", "fuse", "LookupError")
    assert "Bluebird" not in json.dumps(failed)


def test_a_node_that_waits_for_a_person_is_paused(lines):
    def wait(state):
        return {"following": interrupt({"text": "Bluebird"})}

    ask(watched_graph(nodes={"grade": wait}), checkpointer=InMemorySaver())
    last = lines()[-1]
    assert (last["event"], last["node"]) == ("paused", "grade")
    assert "error" not in last


def test_a_version_is_that_of_the_node(lines):
    def grade(state):
        return {"following": "answer"}

    grade.version = "2b"
    ask(watched_graph(nodes={"grade": grade}))
    versions = {each["node"]: each["version"] for each in lines()}
    assert versions.pop("grade") == "2b"
    assert set(versions.values()) == {"1"}


@pytest.mark.parametrize("level", [logging.INFO, logging.WARNING])
def test_a_slow_node_is_a_warning(lines, caplog, level):
    def slow(state):
        time.sleep(0.06)
        return {"following": "answer"}

    caplog.set_level(level, logger="obsirag.graphs")
    ask(watched_graph(nodes={"grade": slow}, options=TracingOptions(slow_seconds=0.05)))
    [told] = [each for each in lines(logging.WARNING) if each["node"] == "grade"]
    assert told["slow_over"] == 0.05
    assert told["seconds"] >= 0.05


def test_a_node_that_asks_a_model_has_a_limit_of_its_own(lines):
    options = TracingOptions(slow_seconds=1e-9, slow_model_seconds=60.0)
    ask(watched_graph(options=options))
    assert not {each["node"] for each in lines(logging.WARNING)} & {"grade", "rewrite", "answer"}
    ask(watched_graph(options=TracingOptions(slow_model_seconds=1e-9)))
    assert {"grade", "rewrite", "answer"} <= {each["node"] for each in lines(logging.WARNING)}


def test_without_a_log_a_slow_node_prints_nothing(monkeypatch, capfd):
    logger = logging.getLogger("obsirag.graphs")
    monkeypatch.setattr(logger, "propagate", False)
    ask(watched_graph(options=TracingOptions(slow_seconds=1e-9, slow_model_seconds=1e-9)))
    assert capfd.readouterr().err == ""


def test_an_observer_that_fails_is_told_and_the_run_goes_on(caplog):
    def fail(start):
        raise ValueError("Bluebird")

    def fail_later(start):
        return fail

    assert ask(watched_graph(fail, fail_later))["answer"] == ANSWER
    assert "an observer of the graph failed (ValueError, raised in test_log_lines.py" in caplog.text
    assert "Bluebird" not in caplog.text


async def test_an_async_run_tells_the_same(lines):
    await watched_graph().compile().ainvoke({"messages": [("user", QUESTION)]})
    assert sorted(each["node"] for each in lines() if each["event"] == "ended") == sorted(NODES)
