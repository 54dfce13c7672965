"""Every part that a question calls, failing in every way: the question ends well, and says what failed.

The parts are real, over a real index, but for the one at fault; the chat model does each of its tasks by a script.
"""

import logging
from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from fault_kinds import Cell, cells
from fault_world import NOTES, SECRET, URL, WAYS, Ask, FaultWorld
from obsirag.graphs.citation_marks import find_marks

QUESTION = "How long is the respawn timer?"
FOLLOW_UP = "And how long is it on hard?"
SEVERAL = "How long is the respawn timer, and how does health regenerate?"
PARTS = ("How long is the respawn timer?", "How does health regenerate?")
NEXT = "How does health regenerate?"
LEFT = ("evidence", "rankings", "kept", "verdicts", "draft", "earlier", "aspects", "aspect_drafts")
OUTPUT = ("answer", "citations", "status", "degraded")


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    world = FaultWorld(tmp_path_factory.mktemp("world"))
    yield world
    world.switch.clear()


@pytest.fixture(scope="module")
def undisturbed(world):
    """What the question after is answered with in a thread of its own."""
    return outcome(WAYS["invoke"](world.graph(world.chat()), NEXT, "own")[1])


def outcome(result: dict[str, Any]) -> dict[str, Any]:
    return {name: result[name] for name in OUTPUT}


# Questions that the notes aren't asked for, so that nothing has to be found for them.
WITHOUT_NOTES = {"chat:converse": "Hello!", "chat:about_answer": "Can you say that more simply?"}


def assert_ends_well(result: dict[str, Any], read: str | None, *, has_sources: bool = True) -> None:
    """Assert what holds of every answer over these notes, whatever failed."""
    assert {"messages", *OUTPUT} <= set(result)
    assert result["status"] == "answered"
    last = result["messages"][-1]
    assert isinstance(last, AIMessage)
    assert last.content == result["answer"] != ""
    assert read in (None, result["answer"])
    sources = {each["source"] for each in result["citations"]}
    assert sources or not has_sources
    assert sources <= {URL, *NOTES} - {"Secret.md"}
    numbers = {number for mark in find_marks(result["answer"]) for number in mark.numbers}
    assert numbers <= {each["number"] for each in result["citations"]}
    for address in ("evil.example.com", "javascript:"):
        assert address not in result["answer"]
    assert SECRET not in str(result)


def approved(ask: Ask, graph: Any, question: str) -> tuple[str | None, dict[str, Any]]:
    """Return what a reader got, and the result, once a person has said yes where one is asked."""
    read, result = ask(graph, question, "a")
    if result["status"] != "awaiting_review":
        return read, result
    return ask(graph, Command(resume="approve"), "a")


@pytest.mark.parametrize(("cell", "way"), cells())
def test_a_question_ends_well_whatever_fails(world, undisturbed, caplog, cell: Cell, way: str):
    caplog.set_level(logging.DEBUG)
    ask = WAYS[way]
    saver = InMemorySaver()
    chat = world.chat()
    impatient = cell.part.partition(":")[0] if cell.fault == "hangs" else ""
    reviews, joins = cell.path == "review", cell.path == "joined"
    graph = world.graph(chat, impatient=impatient, reviews=reviews, joins=joins, checkpointer=saver)
    question = SEVERAL if cell.path in ("aspects", "joined") else QUESTION
    if cell.part == "chat:contextualise":  # which has nothing to do for a first question
        assert outcome(ask(graph, QUESTION, "a")[1])["degraded"] == []
        question = FOLLOW_UP
    elif cell.part in WITHOUT_NOTES:
        assert outcome(ask(graph, QUESTION, "a")[1])["degraded"] == []
        question = WITHOUT_NOTES[cell.part]

    world.switch.set(cell.part, cell.fault)
    try:
        read, result = approved(ask, graph, question)
    finally:
        world.switch.clear()
    assert world.switch.failed
    assert_ends_well(result, read, has_sources=cell.part not in WITHOUT_NOTES)
    assert tuple(result["degraded"]) == cell.degraded
    # Without a plan the question is answered as a whole.
    is_whole = cell.path != "aspects" or cell.degraded == ("plan",)
    assert is_whole or result["answer"].count("?**\n\n") == len(PARTS) or cell.part == "chat:plan"
    if cell.degraded == ("chat_model",) and cell.part == "chat:answer":
        assert any(each["source"] in NOTES for each in result["citations"])

    read, result = approved(ask, graph, NEXT)
    assert_ends_well(result, read)
    assert outcome(result) == undisturbed
    left = graph.get_state({"configurable": {"thread_id": "a"}})
    assert left.next == ()
    assert not any(left.values[name] for name in LEFT)
    assert SECRET not in caplog.text + str(dict(saver.blobs)) + str(dict(saver.writes)) + str(dict(saver.storage))
    for prompt in chat.prompts:
        assert str(prompt[-1].content).count("</passages>") <= 1
