"""A graph that was built with labels takes none from whoever runs it."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from graph_fakes import FakeSearch, chunk
from obsirag import build_rag_graph
from obsirag.errors import ConfigError
from obsirag.graphs import RagContext
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.graphs.vocabulary import Vocabulary
from tool_worlds import forbidden_words, small_world

SECRET = {"messages": [("user", "What is the password of the vault?")]}


class User:
    def __init__(self, identity):
        self.identity = identity


def signed_in(name):
    return {"configurable": {"langgraph_auth_user": User(name), "thread_id": "1"}}


def labels_of_user(user):
    return {"ann": ["leads"], "hal": ["hr"]}.get(user.identity, []) if user else []


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return small_world(tmp_path_factory.mktemp("labels"), terms={"aliases": True})


async def run(graph, *given, is_async, **more):
    return await graph.ainvoke(*given, **more) if is_async else graph.invoke(*given, **more)


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(("labels", "may"), [([], False), ("leads", True), (["hr"], False), (("leads", "hr"), True)])
@pytest.mark.parametrize("context", [None, {}, {"labels": []}])
async def test_all_callers_read_with_the_labels_of_the_graph(world, labels, may, context, is_async):
    graph = build_rag_graph(world, labels=labels).compile()
    result = await run(graph, SECRET, context=context, is_async=is_async)
    assert ("xyzzy" in result["answer"]) == may
    held = [labels] if isinstance(labels, str) else labels
    assert not [word for word in forbidden_words(held) if word in str(result)]


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("labels", [[], ["leads"], labels_of_user])
@pytest.mark.parametrize("claimed", [["leads"], "leads", ("hr",), 5])
async def test_a_run_that_claims_labels_is_refused(world, labels, claimed, is_async):
    graph = build_rag_graph(world, labels=labels).compile()
    with pytest.raises(ConfigError, match="cannot bring any"):
        await run(graph, SECRET, context={"labels": claimed}, is_async=is_async)


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize(("name", "may"), [("ann", True), ("hal", False), ("zoe", False)])
async def test_a_function_says_what_a_user_reads(world, name, may, is_async):
    graph = build_rag_graph(world, labels=labels_of_user).compile()
    result = await run(graph, SECRET, signed_in(name), is_async=is_async)
    assert ("xyzzy" in result["answer"]) == may


def test_without_a_user_it_is_asked_for_nobodys(world):
    seen = []

    def labels(user):
        seen.append(user)
        return []

    assert "xyzzy" not in build_rag_graph(world, labels=labels).compile().invoke(SECRET)["answer"]
    assert seen
    assert set(seen) == {None}


@pytest.mark.parametrize("wrong", [5, b"leads", [1], {"leads": 1}])
def test_what_are_no_labels_is_refused_as_the_graph_is_built(world, wrong):
    with pytest.raises(ConfigError):
        build_rag_graph(world, labels=wrong)


def test_a_function_that_fails_or_gives_no_labels_ends_the_run(world):
    with pytest.raises(KeyError):
        build_rag_graph(world, labels=lambda user: {}["nobody"]).compile().invoke(SECRET)
    with pytest.raises(ConfigError, match="Labels"):
        build_rag_graph(world, labels=lambda user: [3]).compile().invoke(SECRET)


def test_another_user_of_the_thread_loses_what_they_may_not_read(world):
    graph = build_rag_graph(world, labels=labels_of_user).compile(checkpointer=InMemorySaver())
    assert "xyzzy" in graph.invoke(SECRET, signed_in("ann"))["answer"]
    result = graph.invoke({"messages": [("user", "What is public?")]}, signed_in("zoe"))
    assert "xyzzy" not in str(result)
    assert len(result["messages"]) == 2


def test_a_node_of_ones_own_cannot_keep_what_the_labels_do_not_admit(world):
    def leaky(state):
        passage = state["evidence"][0].model_copy()
        secret = passage.model_copy(update={"metadata": {**passage.metadata, "permissions": ['["leads"]']}})
        return {"evidence": [secret.model_copy(update={"page_content": "xyzzy"})], "following": "answer"}

    result = build_rag_graph(world, labels=[], nodes={"grade": leaky}).compile().invoke(SECRET)
    assert "xyzzy" not in str(result)


def test_a_parents_context_gives_none_either(world):
    parent = StateGraph(MessagesState, context_schema=RagContext)
    parent.add_node("notes", build_rag_graph(world, labels=[]).compile())
    parent.add_edge(START, "notes")
    with pytest.raises(ConfigError, match="cannot bring any"):
        parent.compile().invoke(SECRET, context={"labels": ["leads"]})


@pytest.mark.parametrize("is_async", [False, True])
async def test_every_part_that_asks_for_labels_gets_those(is_async):
    seen = {}

    def select(chunks, labels):
        seen["select"] = tuple(labels)
        return chunks

    def vocabulary(labels):
        seen["terms"] = tuple(labels)
        return Vocabulary([])

    search = FakeSearch([chunk("A public rule.", permissions=['["leads"]'])])
    parts = RagParts(
        vector_search=search,
        keyword_search=FakeSearch(),
        select=select,
        vocabulary=vocabulary,
        labels=lambda: ("leads",),
        nodes={"grade": lambda state: seen.update(own=len(state["evidence"])) or {"following": "answer"}},
        grades=True,
    )
    result = await run(wire_rag_graph(parts).compile(), {"messages": [("user", "What rule?")]}, is_async=is_async)
    assert seen == {"select": ("leads",), "terms": ("leads",), "own": 1}
    assert search.labels == [("leads",)]
    assert "A public rule." in result["answer"]
