"""Nodes that take the places of others."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from graph_fakes import FakeSearch, ScriptedChat, chunk
from obsirag.errors import ConfigError
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph

HITS = [chunk("The timer is 8.", permissions=['["leads"]']), chunk("The timer of health is 5.", source="b.md")]


def graph(**nodes: Any) -> Any:
    chat = ScriptedChat(answers=["It is so [1]."], prompts=[])
    return wire_rag_graph(
        RagParts(vector_search=FakeSearch(HITS), keyword_search=None, chat_model=chat, nodes=nodes)
    ).compile()


QUESTION = {"messages": [("user", "How long is the timer?")]}


def test_a_node_takes_the_place_of_another_and_sees_what_its_caller_may_read():
    seen = []

    def fuse(state):
        seen.append([each.page_content for each in state["rankings"]["vector_search"]])
        return {"evidence": state["rankings"]["vector_search"][:1]}

    assert graph(fuse=fuse).invoke(QUESTION)["citations"][0]["source"] == "b.md"
    assert graph(fuse=fuse).invoke(QUESTION, context={"labels": ["leads"]})["citations"][0]["source"] == "note.md"
    assert [len(each) for each in seen] == [1, 2]


async def test_async_nodes_run_in_async_runs():
    async def fuse(state):
        return {"evidence": state["rankings"]["vector_search"]}

    assert (await graph(fuse=fuse).ainvoke(QUESTION))["status"] == "answered"
    with pytest.raises(ConfigError, match="ainvoke"):
        graph(fuse=fuse).invoke(QUESTION)


def test_what_a_search_of_ones_own_finds_is_filtered_too():
    def search(task):
        assert task == {"query": "How long is the timer?"}
        return {"rankings": {"vector_search": HITS}}

    assert graph(vector_search=search).invoke(QUESTION)["citations"][0]["source"] == "b.md"


def test_a_strange_name_is_told():
    with pytest.raises(ConfigError, match="no grading; it has answer, fuse"):
        graph(grading=lambda state: {})


async def test_an_answer_goes_without_what_a_node_of_ones_own_would_have_given_where_it_can():
    def failing(state):
        raise ValueError("a note's text")

    own = graph(vector_search=failing)
    assert own.invoke(QUESTION)["degraded"] == ["vector_search"]
    assert (await own.ainvoke(QUESTION))["degraded"] == ["vector_search"]
    with pytest.raises(ValueError, match="a note's text"):
        graph(fuse=failing).invoke(QUESTION)


def test_a_node_of_ones_own_may_interrupt_the_run():
    def asking(task):
        return {"rankings": {"vector_search": interrupt("Search?")}}

    parts = RagParts(vector_search=FakeSearch(HITS), keyword_search=None, nodes={"vector_search": asking})
    own = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "a"}}
    assert own.invoke(QUESTION, thread)["__interrupt__"][0].value == "Search?"
    assert own.invoke(Command(resume=HITS), thread)["status"] == "answered"
