"""Follow-ups: worded so that they stand alone, within what was said and what may be read."""

from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from graph_fakes import FakeSearch, ManyTasksChat, chunk
from obsirag.config import ConversationOptions
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph

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
