"""Nodes that take the places of others."""

import asyncio
from dataclasses import replace
from threading import Barrier, Event
from typing import Any

import pytest
from langchain_core.runnables import RunnableLambda
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command, interrupt

from graph_fakes import FakeSearch, ScriptedChat, chunk
from obsirag.config import AnswerOptions, RetrievalOptions, WebSearchOptions
from obsirag.errors import ConfigError
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.retrievers import WebHit, WebSearch, WebSearchProvider

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


class Fuse:
    """A node as an object, that wants to know of its run in both kinds of runs."""

    def __init__(self, seen: list[Any]) -> None:
        self.seen = seen

    def __call__(self, state: Any, *, config: Any, runtime: Any) -> Any:
        self.seen.append((config["metadata"]["team"], runtime.context["labels"]))
        return {"evidence": state["rankings"]["vector_search"]}

    async def call_async(self, state: Any, config: Any, runtime: Any) -> Any:
        return self(state, config=config, runtime=runtime)


def plain(seen):
    return lambda state, config, runtime: Fuse(seen)(state, config=config, runtime=runtime)


def with_async(seen):
    async def fuse(state, runtime, config):
        return Fuse(seen)(state, config=config, runtime=runtime)

    return fuse


@pytest.mark.parametrize("node", [Fuse, plain, with_async])
async def test_a_node_that_names_config_or_runtime_gets_the_runs(node):
    seen: list[Any] = []
    made = graph(fuse=node(seen))
    config: Any = {"metadata": {"team": "render"}}
    assert (await made.ainvoke(QUESTION, config, context={"labels": ["leads"]}))["status"] == "answered"
    if node is not with_async:
        assert made.invoke(QUESTION, config, context={"labels": ["leads"]})["status"] == "answered"
    assert set(map(str, seen)) == {str(("render", ["leads"]))}
    assert len(seen) == (1 if node is with_async else 2)


async def test_a_search_of_ones_own_gets_them_too_within_its_time_limit():
    def search(task, config):
        return {"rankings": {"vector_search": HITS if config["metadata"]["team"] == "render" else []}}

    config: Any = {"metadata": {"team": "render"}}
    made = graph(vector_search=search)
    assert made.invoke(QUESTION, config)["citations"][0]["source"] == "b.md"
    assert (await made.ainvoke(QUESTION, config))["citations"][0]["source"] == "b.md"


def test_a_strange_name_is_told():
    with pytest.raises(ConfigError, match="no grading; it has answer, fuse"):
        graph(grading=lambda state: {})
    with pytest.raises(ConfigError, match="fuse must be a function or a Runnable; this int is neither"):
        graph(fuse=5)


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


NODES = ["take_question", "vector_search", "fuse", "answer", "verify_citations", "publish"]


@pytest.mark.parametrize("name", NODES)
@pytest.mark.parametrize("given", [None, {}, Command(update={}), Command()])
async def test_a_node_that_changes_nothing_does_no_harm_but_where_the_graph_needs_it(name, given):
    own = graph(**{name: lambda state: given})
    if name in ("answer", "publish"):
        with pytest.raises(ConfigError, match=f"nodes: {name} gave no `"):
            own.invoke(QUESTION)
        return
    assert own.invoke(QUESTION)["degraded"] == []
    assert (await own.ainvoke(QUESTION))["degraded"] == []


@pytest.mark.parametrize("name", NODES)
@pytest.mark.parametrize("given", [7, "text", [{}]])
def test_what_is_no_update_is_told_with_the_node(name, given):
    with pytest.raises(ConfigError, match=f"nodes: {name} gave no update of the state, but {type(given).__name__}"):
        graph(**{name: lambda state: given}).invoke(QUESTION)


WRONG = {
    "evidence": ["Bluebird"],
    "kept": None,
    "rankings": {"vector_search": ["Bluebird"]},
    "draft": {"text": "Bluebird"},
    "following": "Bluebird",
    "attempts": "Bluebird",
    "degraded": "Bluebird",
}


@pytest.mark.parametrize("channel", WRONG)
@pytest.mark.parametrize("name", NODES[:3])
def test_a_value_of_a_wrong_type_is_told_with_the_node_and_the_channel_and_without_the_value(name, channel):
    with pytest.raises(ConfigError, match=f"nodes: {name} gave a wrong `{channel}`") as caught:
        graph(**{name: lambda state: {channel: WRONG[channel]}}).invoke(QUESTION)
    assert "Bluebird" not in str(caught.value)
    assert caught.value.__context__ is None or caught.value.__suppress_context__


async def test_a_runnable_may_be_a_node():
    own = graph(fuse=RunnableLambda(lambda state: {"evidence": state["rankings"]["vector_search"]}))
    assert own.invoke(QUESTION)["status"] == "answered"
    assert (await own.ainvoke(QUESTION))["status"] == "answered"


def test_a_command_may_update_but_not_go_where_the_edges_do_not():
    assert graph(fuse=lambda state: Command(update={"evidence": HITS[1:]})).invoke(QUESTION)["status"] == "answered"
    with pytest.raises(ConfigError, match="nodes: fuse gave a `goto`"):
        graph(fuse=lambda state: Command(goto="publish")).invoke(QUESTION)


def test_a_question_may_be_taken_by_ones_own_node_which_sees_nothing_of_the_last_one():
    seen = []

    def take(state):
        seen.append(
            {name: value for name, value in state.items() if value and name in ("answer", "citations", "degraded")}
        )
        question = state["messages"][-1].text
        return {"question": question, "standalone": question, "search_text": question, "degraded": ["mine"]}

    parts = RagParts(vector_search=FakeSearch(HITS), keyword_search=None, nodes={"take_question": take})
    own = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "a"}}
    for _ in range(2):
        result = own.invoke(QUESTION, thread)
        assert (result["status"], result["degraded"]) == ("answered", ["mine"])
    assert seen == [{}, {}]


def test_messages_that_its_caller_may_not_read_are_not_among_those_that_a_node_gets():
    seen = []

    def fuse(state):
        seen.append(str(state["messages"]))
        return {"evidence": state["rankings"]["vector_search"]}

    parts = RagParts(vector_search=FakeSearch(HITS), keyword_search=None, nodes={"fuse": fuse})
    own = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    thread: Any = {"configurable": {"thread_id": "a"}}
    own.invoke(QUESTION, thread, context={"labels": ["leads"]})
    own.invoke({"messages": [("user", "How is health?")]}, thread)
    assert "timer" not in seen[1]


def test_no_snapshot_shows_what_a_search_of_ones_own_should_have_kept_back():
    own = graph(vector_search=lambda task: {"rankings": {"vector_search": HITS}})
    assert "timer is 8" not in str(list(own.stream(QUESTION, stream_mode=["values", "updates", "tasks"])))


@pytest.mark.parametrize("has_model", [True, False])
@pytest.mark.parametrize("hits", [HITS, []])
def test_complaints_come_to_an_end_within_the_bounds(has_model, hits):
    chat = ScriptedChat(answers=["It is so [1]."], prompts=[]) if has_model else None
    parts = RagParts(
        vector_search=FakeSearch(hits),
        keyword_search=None,
        chat_model=chat,
        nodes={"verify_citations": lambda state: {"complaint": "It could be better."}},
    )
    most = 1 + parts.answers.max_regenerations
    ran = [
        name
        for each in wire_rag_graph(parts).compile().stream(QUESTION, context={"labels": ["leads"]})
        for name in each
    ]
    assert ran.count("answer") == most
    for limit in range(3, len(ran) + 2):
        assert wire_rag_graph(parts).compile().invoke(QUESTION, {"recursion_limit": limit})["answer"]


def test_an_answer_of_ones_own_is_verified_and_written_again_no_more_often_than_others():
    draft = {"text": "No mark.", "origin": "model", "citations": [], "permissions": [], "final": False}
    own = graph(answer=lambda state: {"draft": {**draft, "read": "", "message_id": ""}})
    ran = [name for each in own.stream(QUESTION) for name in each]
    assert ran.count("answer") == ran.count("verify_citations") == 1 + AnswerOptions().max_regenerations


def test_a_way_that_the_graph_does_not_have_is_told():
    parts = RagParts(vector_search=FakeSearch(HITS), keyword_search=None, grades=True)
    for following in ("rewrite", "web_search"):
        nodes = {"grade": lambda state, following=following: {"following": following}}
        with pytest.raises(ConfigError, match=f"grade sends to {following}, but this graph goes on to vector_search"):
            wire_rag_graph(replace(parts, nodes=nodes)).compile().invoke(QUESTION)


def parts_with(**changes: Any) -> RagParts:
    return replace(RagParts(vector_search=FakeSearch(HITS), keyword_search=FakeSearch(HITS)), **changes)


async def test_a_plain_function_does_not_hold_up_the_event_loop():
    is_free = Event()
    waited = []

    def slow(state):
        waited.append(is_free.wait(10))

    running = asyncio.create_task(
        wire_rag_graph(parts_with(nodes={"keyword_search": slow, "fuse": slow})).compile().ainvoke(QUESTION)
    )
    while len(waited) < 2 and not running.done():
        await asyncio.sleep(0.01)
        is_free.set()
    await running
    assert waited == [True, True]


async def test_a_search_of_ones_own_has_its_time():
    def slow(state):
        Event().wait(5)

    async def slow_too(state):
        await asyncio.sleep(5)

    retrieval = RetrievalOptions(timeout=0.05)
    parts = parts_with(retrieval=retrieval, nodes={"keyword_search": slow})
    assert wire_rag_graph(parts).compile().invoke(QUESTION)["degraded"] == ["keyword_search"]
    for node in (slow, slow_too):
        parts = parts_with(retrieval=retrieval, nodes={"keyword_search": node})
        assert (await wire_rag_graph(parts).compile().ainvoke(QUESTION))["degraded"] == ["keyword_search"]


async def test_searches_of_many_questions_run_at_once():
    together = Barrier(40)

    class Slow:
        def search(self, query, **_):
            together.wait(10)  # fails unless all are there
            return []

    graph = wire_rag_graph(parts_with(vector_search=Slow(), keyword_search=None)).compile()
    results = await asyncio.gather(*(graph.ainvoke(QUESTION) for _ in range(40)))
    assert [result["degraded"] for result in results] == [[]] * 40


def test_the_web_has_its_own_time():
    class Provider(WebSearchProvider):
        def search(self, query, **_):
            Event().wait(0.3)
            return [WebHit("https://example.org/", "The timer", "The timer is 8.")]

        def extract(self, urls):
            return []

    parts = parts_with(
        web=WebSearch(Provider(), timeout=5.0),
        web_options=WebSearchOptions(mode="hybrid", timeout=5.0),
        retrieval=RetrievalOptions(timeout=0.1),
    )
    assert "web_search" not in wire_rag_graph(parts).compile().invoke(QUESTION)["degraded"]


def test_a_grade_that_does_not_say_what_follows_is_followed_by_the_answer():
    search = FakeSearch([chunk("The respawn timer is 8 seconds.")])
    parts = RagParts(
        vector_search=search,
        keyword_search=None,
        grades=True,
        nodes={"grade": lambda state: {"evidence": state["evidence"]}},
    )
    result = wire_rag_graph(parts).compile().invoke({"messages": [("user", "How long is the respawn timer?")]})
    assert (result["status"], len(search.asked)) == ("answered", 1)


def test_a_channel_that_the_state_does_not_have_is_an_error_that_names_the_nearest():
    parts = RagParts(
        vector_search=FakeSearch([chunk("The respawn timer is 8 seconds.")]),
        keyword_search=None,
        grades=True,
        nodes={"grade": lambda _: {"evidenz": 1}},
    )
    with pytest.raises(ConfigError, match=r"grade gave `evidenz`.*did you mean `evidence`"):
        wire_rag_graph(parts).compile().invoke({"messages": [("user", "How long is the respawn timer?")]})
