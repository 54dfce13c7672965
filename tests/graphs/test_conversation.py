"""Follow-ups: worded so that they stand alone, within what was said and what may be read."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.runtime import Runtime

from graph_fakes import FakeSearch, ManyTasksChat, chunk
from obsirag.config import ConversationOptions, WebSearchOptions
from obsirag.graphs import RagContext, removals_for
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.graphs.state import labels_of
from obsirag.retrievers import WebSearch, WebSearchProvider

TIMER = chunk("The respawn timer is 8 seconds, on hard 16.", source="Rules.md")
SECRET = chunk("The respawn timer Bluebird is 77.", source="Secret.md", permissions=['["leads"]'])
FIRST = "How long is the respawn timer?"
THREAD: Any = {"configurable": {"thread_id": "a"}}


def make(*hits: Any, max_turns: int = 4, **scripts: Any) -> tuple[Any, FakeSearch, ManyTasksChat]:
    usual = {
        "answer": ["It is 8 seconds [1]."],
        "contextualise": ["How long is the respawn timer on hard?"],
        "summarise": ["They asked about the respawn timer."],
    }
    model = ManyTasksChat(answers=[], prompts=[], scripts=usual | scripts)
    search = FakeSearch(list(hits or [TIMER]))
    parts = RagParts(
        vector_search=search,
        keyword_search=None,
        chat_model=model,
        rewrites_follow_ups=True,
        conversation=ConversationOptions(max_turns=max_turns),
    )
    return wire_rag_graph(parts).compile(checkpointer=InMemorySaver()), search, model


def ask(graph: Any, question: str, labels: Any = ()) -> dict[str, Any]:
    return graph.invoke({"messages": [("user", question)]}, THREAD, context={"labels": labels})


def test_a_follow_up_is_searched_for_and_answered_as_it_stands_alone():
    graph, search, model = make()
    ask(graph, FIRST)
    ask(graph, "And on hard?")
    assert search.asked == [FIRST, "How long is the respawn timer on hard?"]
    assert "Question: How long is the respawn timer on hard?" in model.asked("answer")[1]
    assert "It is 8 seconds" in model.asked("contextualise")[0]
    assert "<conversation>" not in model.asked("answer")[1]


def test_a_question_that_stands_alone_stays_byte_for_byte():
    graph, search, model = make()
    ask(graph, FIRST)
    ask(graph, "Which  parts of `health` regenerate ?")
    assert search.asked[-1] == "Which  parts of `health` regenerate ?"
    assert not model.asked("contextualise")


@pytest.mark.parametrize(
    "words",
    [
        "",
        "And on hard?",
        "It is 16 seconds.",
        "How long is the timer of BP_Arena on hard?",
        "How long is the respawn timer?",
        "x " * 300,
        RuntimeError("down"),
    ],
)
def test_words_that_leave_out_or_make_up_something_are_not_used(words):
    graph, search, model = make(contextualise=[words])
    ask(graph, FIRST)
    assert ask(graph, "And on hard?")["status"] == "answered"
    assert search.asked[-1] == f"{FIRST}\nAnd on hard?"
    assert "<conversation>" in model.asked("answer")[1]


@pytest.mark.parametrize(
    "words",
    [
        '"How long is the respawn timer on hard?"',
        "Standalone question: How long is the respawn timer on hard?\nBecause",
    ],
)
def test_what_is_put_around_the_words_goes(words):
    graph, search, _ = make(contextualise=[words])
    ask(graph, FIRST)
    ask(graph, "And on hard?")
    assert search.asked[-1] == "How long is the respawn timer on hard?"


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("And how do I back up the database?", "How do I back up the database?"),
        ("And how do I back up the database?", "And how do I back up the database?"),
        ("另外，数据库怎么备份？", "数据库怎么备份？"),
        ("那么数据库怎么备份？", "那么数据库怎么备份？"),
    ],
)
def test_a_question_that_model_and_rule_take_to_stand_alone_stays_byte_for_byte(question, words):
    graph, search, model = make(contextualise=[words])
    ask(graph, FIRST)
    ask(graph, question)
    assert search.asked[-1] == question
    assert FIRST not in model.asked("answer")[-1]


def test_what_was_before_the_last_turns_is_summed_up_each_time_only_what_is_new():
    graph, _, model = make(max_turns=2)
    for number in range(4):
        ask(graph, f"How long is the respawn timer number {number}?")
    ask(graph, "And on hard?")
    assert "number 0" in model.asked("summarise")[0]
    assert "number 1" in model.asked("summarise")[0]
    assert "number 2" not in model.asked("summarise")[0]
    assert "Before that: They asked about the respawn timer." in model.asked("contextualise")[0]
    ask(graph, "And on easy?")
    assert len(model.asked("summarise")) == 2
    assert "number 0" not in model.asked("summarise")[1]
    assert "number 2" in model.asked("summarise")[1]
    assert "They asked about" in model.asked("summarise")[1]


def test_what_a_summary_tells_reaches_nobody_who_may_not_read_it():
    graph, _, model = make(SECRET, TIMER, max_turns=1, summarise=["The timer is Bluebird.", "They asked."])
    for number in range(3):
        ask(graph, f"How long is the respawn timer number {number}?", ["leads"])
    ask(graph, "And on hard?", ["leads"])
    assert "Bluebird" in model.asked("contextualise")[0]
    asked = len(model.prompts)
    for question in ("How long is the timer?", "And on hard?", "And then?"):
        assert "Bluebird" not in str(ask(graph, question))
    assert "Bluebird" not in str(model.prompts[asked:])


class Asked(WebSearchProvider):
    """A web without pages, which keeps what it was asked."""

    def __init__(self) -> None:
        self.queries: list[str] = []

    def search(self, query, *, limit, allow_domains=(), block_domains=()):
        self.queries.append(query)
        return []

    def extract(self, urls):
        return []


@pytest.mark.parametrize("mode", ["hybrid", "fallback"])
def test_the_web_is_asked_in_the_words_of_persons(mode):
    """What the chat model words a follow-up with, and puts it into later, may be out of restricted notes."""
    web = Asked()
    low = '{"grades": [{"id": 1, "score": 0.1}]}'
    model = ManyTasksChat(
        answers=[],
        prompts=[],
        scripts={
            "answer": ["The respawn timer Bluebird is 77 [1]."],
            "contextualise": ["Is the respawn timer Bluebird longer on hard?"],
            "grade": ['{"grades": [{"id": 1, "score": 1}]}', low],
            "rewrite": ["How long is Bluebird in hard mode?"],
        },
    )
    search = FakeSearch([SECRET])
    parts = RagParts(
        vector_search=search,
        keyword_search=None,
        chat_model=model,
        web=WebSearch(web),
        web_options=WebSearchOptions(mode=mode),
        rewrites_follow_ups=True,
        grades=True,
    )
    graph = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    ask(graph, FIRST, ["leads"])
    ask(graph, "And on hard?", ["leads"])
    assert "Bluebird" in str(search.asked)
    assert set(web.queries) - {FIRST} == {f"And on hard? {FIRST}"}


def test_a_question_that_stands_alone_goes_to_the_web_in_the_words_that_it_was_put_into():
    web = Asked()
    low = ['{"grades": [{"id": 1, "score": 0.1}]}']
    model = ManyTasksChat(
        answers=[], prompts=[], scripts={"answer": ["?"], "grade": low, "rewrite": ["Respawn delay?"]}
    )
    parts = RagParts(
        vector_search=FakeSearch([TIMER]),
        keyword_search=None,
        chat_model=model,
        web=WebSearch(web),
        web_options=WebSearchOptions(mode="hybrid"),
        grades=True,
    )
    wire_rag_graph(parts).compile().invoke({"messages": [("user", FIRST)]})
    assert web.queries[:2] == [FIRST, "Respawn delay?"]


def test_a_summary_is_taken_out_of_the_thread_with_the_turns_that_it_tells_of():
    graph, _, _ = make(SECRET, TIMER, max_turns=1, summarise=["The timer is Bluebird."])
    for question in (FIRST, f"{FIRST} Again?", "And on hard?"):
        ask(graph, question, ["leads"])
    assert "Bluebird" in str(graph.get_state(THREAD).values["summary"])
    snapshots = list(graph.stream({"messages": [("user", "How is health?")]}, THREAD, stream_mode="values"))
    assert "Bluebird" not in str(snapshots[1:])
    assert graph.get_state(THREAD).values["summary"] is None


def test_a_parent_graph_keeps_its_own_messages_and_can_take_out_what_a_caller_may_not_read():
    parts = RagParts(vector_search=FakeSearch([SECRET]), keyword_search=None)
    given = []

    def ask_notes(state: MessagesState, runtime: Runtime[RagContext]) -> Any:
        result = wire_rag_graph(parts).compile().invoke(state, context=runtime.context)
        given.append(str(result))
        return {"messages": result["messages"]}

    def forget(state: MessagesState, runtime: Runtime[RagContext]) -> Any:
        return {"messages": removals_for(state["messages"], labels_of(runtime.context))}

    for is_careful in (False, True):
        parent = StateGraph(MessagesState, context_schema=RagContext)
        parent.add_node("forget", forget if is_careful else lambda state: {})
        parent.add_node("notes", ask_notes)
        parent.add_edge(START, "forget")
        parent.add_edge("forget", "notes")
        graph = parent.compile(checkpointer=InMemorySaver())
        assert "Bluebird" in str(ask(graph, FIRST, ["leads"]))
        assert ("Bluebird" in str(ask(graph, "How is health?"))) == (not is_careful)
        assert "Bluebird" not in given[-1]
