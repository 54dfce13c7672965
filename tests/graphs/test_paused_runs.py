"""Runs that are paused before a node: changed, forked, or taken up by somebody else."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver

from graph_fakes import FakeSearch, ScriptedChat, chunk, task_of
from obsirag.config import WebSearchOptions
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.plugins.no_reranker import NoReranker
from obsirag.retrievers import WebHit, WebPage, WebSearch, WebSearchProvider

LEADS = {"labels": ["leads"]}
THREAD: Any = {"configurable": {"thread_id": "a"}}
FIRST = "How long is the respawn timer?"
FOLLOW_UP = "And is it longer on hard?"
SECRET = chunk("The respawn timer Bluebird is 77.", source="s.md", permissions=['["leads"]'])
HEALTH = chunk("The respawn timer of health is 8.", source="p.md")
MODES = ["values", "updates", "messages", "custom", "tasks", "checkpoints"]
NODES = [
    *["take_question", "contextualise", "keyword_search", "vector_search", "fuse", "rerank", "select", "grade"],
    *["rewrite", "web_search", "read_pages", "answer", "verify_citations", "publish"],
]

OF_FOLLOW_UPS = {"contextualise", "rewrite", "web_search"}


class Wiki(WebSearchProvider):
    """A web of one page."""

    def search(self, query, *, limit, allow_domains=(), block_domains=()):
        return [WebHit("https://wiki.example.org/timers", "Timers", "The respawn timer of the wiki")]

    def extract(self, urls):
        return [WebPage(url, "The respawn timer of the wiki is 9 seconds.") for url in urls]


class Chat(ScriptedChat):
    """A chat model that says what it read, and takes only the first question to be answered by the notes."""

    def _generate(self, messages, *args: Any, **kwargs: Any) -> ChatResult:
        self.prompts.append(messages)
        read = messages[-1].text
        name = "Bluebird" if "Bluebird" in read else "health"
        words = {
            "answer": f"The respawn timer of {name} is 8 [1].",
            "grade": f'{{"grades": [{{"id": 1, "score": {1 if FIRST in read else 0.1}}}]}}',
            "rewrite": "How long until a player respawns?",
            "contextualise": f"Is the respawn timer {name} longer on hard?",
        }
        return ChatResult(generations=[ChatGeneration(message=AIMessage(words[task_of(messages)]))])


@pytest.fixture
def chat() -> Chat:
    return Chat(answers=[], prompts=[])


@pytest.fixture
def graph(chat) -> Any:
    """A graph in which a follow-up goes through all nodes, as the notes are not enough for it."""
    parts = RagParts(
        vector_search=FakeSearch([SECRET, HEALTH]),
        keyword_search=FakeSearch([HEALTH]),
        chat_model=chat,
        reranker=NoReranker(),
        web=WebSearch(Wiki()),
        web_options=WebSearchOptions(mode="fallback"),
        select=lambda chunks, labels: chunks,
        rewrites_follow_ups=True,
        grades=True,
    )
    return wire_rag_graph(parts).compile(checkpointer=InMemorySaver())


def ask(graph: Any, question: str | None, context: Any = LEADS, thread: Any = THREAD, **options: Any) -> Any:
    given = None if question is None else {"messages": [("user", question)]}
    return graph.invoke(given, thread, context=context, **options)


def output(result: Any) -> dict[str, Any]:
    return {name: result[name] for name in ("answer", "citations", "status", "degraded")}


def go_on(graph: Any, node: str, thread: Any = THREAD) -> Any:
    """Go on with a run that is paused before a node, time after time, with an update that changes nothing."""
    while node in graph.get_state(thread).next:
        values = graph.get_state(thread).values
        # After nodes that ran side by side, LangGraph asks for whom the update is made.
        as_node = ("web_search" if values["asked_web"] else "keyword_search") if node == "fuse" else None
        graph.update_state(thread, {}, as_node=as_node)
        assert node in graph.get_state(thread).next
        result = ask(graph, None, thread=thread, interrupt_before=[node])
    return result


def test_it_goes_through_all_nodes(graph):
    ask(graph, FIRST)
    ran = list(graph.stream({"messages": [("user", FOLLOW_UP)]}, THREAD, context=LEADS, stream_mode="updates"))
    assert {name for each in ran for name in each} == set(NODES)


@pytest.mark.parametrize("node", NODES[1:])
def test_an_update_of_a_paused_run_changes_nothing_of_its_way(graph, node):
    ask(graph, FIRST)
    whole = output(ask(graph, FOLLOW_UP))
    assert whole["degraded"] == []
    ask(graph, FIRST)
    ask(graph, FOLLOW_UP, interrupt_before=[node])
    assert output(go_on(graph, node)) == whole


def test_a_fork_goes_the_way_of_the_run_that_it_was_made_of(graph):
    ask(graph, FIRST)
    result = ask(graph, FOLLOW_UP)
    taken = [each for each in graph.get_state_history(THREAD) if each.values.get("question") == FOLLOW_UP]
    assert len(taken) > len(NODES)
    for snapshot in taken:
        is_after_searches = snapshot.next == ("fuse",) and not snapshot.values["asked_web"]
        fork = graph.update_state(snapshot.config, {}, as_node="keyword_search" if is_after_searches else None)
        assert graph.get_state(fork).next == snapshot.next
        assert output(ask(graph, None, thread=fork)) == output(result)


async def test_it_holds_without_blocking_too(graph):
    await graph.ainvoke({"messages": [("user", FIRST)]}, THREAD, interrupt_before=["select"])
    await graph.aupdate_state(THREAD, {})
    assert (await graph.aget_state(THREAD)).next == ("select",)
    assert (await graph.ainvoke(None, THREAD))["degraded"] == []


def test_a_real_lack_of_steps_is_still_seen(graph):
    assert ask(graph, FIRST, thread={**THREAD, "recursion_limit": 5})["degraded"] == ["recursion_limit"]


@pytest.mark.parametrize("node", NODES)
def test_a_new_thread_may_begin_at_any_node(graph, node):
    graph.update_state(THREAD, {"messages": [("user", FIRST)], "question": FIRST, "search_text": FIRST}, as_node=node)
    result = ask(graph, None)
    assert node == "publish" or result["status"] in ("answered", "not_found")


@pytest.mark.parametrize("question", [FIRST, FOLLOW_UP])
@pytest.mark.parametrize("node", NODES)
def test_who_takes_up_the_run_of_another_gets_nothing_of_theirs_once_a_node_has_run(graph, chat, node, question):
    if question == FOLLOW_UP:
        ask(graph, FIRST)
    ask(graph, question, interrupt_before=[node])
    if node not in graph.get_state(THREAD).next:
        assert (question, node in OF_FOLLOW_UPS) == (FIRST, True)
        return
    asked = len(chat.prompts)
    events = list(graph.stream(None, THREAD, context={}, stream_mode=MODES))
    # Before it, LangGraph shows what there is of the thread.
    begin = next(index for index, (mode, _) in enumerate(events) if mode == "custom")
    left = graph.get_state(THREAD).values
    assert "Bluebird" not in f"{events[begin:]} {left} {chat.prompts[asked:]}"
    assert left["status"] == ("answered" if question == FIRST else "not_found")
