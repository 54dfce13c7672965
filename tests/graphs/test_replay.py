"""A node alone, on what it got."""

import pytest
from langgraph.types import Overwrite, interrupt

from obsirag.config import TracingOptions
from obsirag.errors import ConfigError
from obsirag.graphs import RunRecorder
from obsirag.graphs.replay import replay_node
from obsirag.graphs.tracing import read_dump
from watched_graphs import LEADS, NODES, ask, watched_graph


@pytest.fixture
def dumps(tmp_path):
    ask(watched_graph(options=TracingOptions(dumps=tmp_path)), LEADS)
    return [read_dump(file) for file in sorted(tmp_path.iterdir())]


@pytest.mark.parametrize("name", sorted({*NODES} - {"publish", "grade"}))
def test_a_node_gives_again_what_it_gave(dumps, name):
    recorder = RunRecorder()
    ask(watched_graph(recorder), LEADS)
    dump = next(each for each in dumps if each.node == name)
    again = RunRecorder()
    replay_node(watched_graph(again), name, dump.state, labels=["leads"])
    [step] = again.record()["steps"]
    before = next(each for each in recorder.record()["steps"] if each["node"] == name)
    first, second = ({**each["update"], "messages": [], "draft": None} for each in (before, step))
    assert first == second
    assert (step["task"], step["state"]["remaining_steps"]) == (before["task"], before["state"]["remaining_steps"])


def test_the_update_is_given_with_its_texts(dumps):
    dump = next(each for each in dumps if each.node == "fuse")
    update = replay_node(watched_graph(), "fuse", dump.state, labels=["leads"])
    assert "secret.md" in {each.metadata["source"] for each in update["evidence"]}


def test_a_caller_without_the_labels_gets_nothing_that_they_may_not_read(dumps):
    dump = next(each for each in dumps if each.node == "fuse")
    update = replay_node(watched_graph(), "fuse", dump.state)
    assert "Bluebird" not in str(update["evidence"])


def test_another_node_can_be_run_on_it(dumps):
    dump = next(each for each in dumps if each.node == "answer")
    update = replay_node(watched_graph(chat_model=None), "publish", dump.state)
    assert update["status"] == "answered"
    assert update["rankings"] == Overwrite({})


def test_a_state_of_ones_own_and_fields_that_no_channel_has_reach_the_node(dumps):
    seen = []

    def fuse(state):
        seen.append((state["mine"], state["remaining_steps"], state["kept"]))
        return {"evidence": []}

    graph = watched_graph(nodes={"fuse": fuse})
    replay_node(graph, "fuse", {"question": "?", "mine": 7, "remaining_steps": 5})
    assert seen == [(7, 5, [])]


def test_a_node_that_waits_for_a_person_gives_nothing(dumps):
    graph = watched_graph(nodes={"grade": lambda state: {"following": interrupt("?")}})
    assert replay_node(graph, "grade", dumps[4].state) == {}


def test_an_unknown_node_is_told_with_those_there_are():
    with pytest.raises(ConfigError, match="no node rank; it has answer, fuse"):
        replay_node(watched_graph(), "rank", {})
