"""Decisions that come late, twice, from others or in odd forms; and who gets what to see before one."""

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from graph_fakes import FakeSearch, ManyTasksChat, chunk
from obsirag.config import ReviewOptions
from obsirag.graphs import RagContext, RunRecorder, waiting_review
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.graphs.reviews import Decision, WrongDecisionError, read_decision
from obsirag.graphs.tracing import Tracing

RULE = chunk("A rollback of the release stream needs the written consent of two leads.", source="Rules.md")
SECRET = chunk("The rollback password is Bluebird.", source="Leads.md", permissions=['["leads"]'])
RISKY = "Roll back the release stream to yesterday."
OTHER = "Roll back the main stream."
ANSWER = "A rollback of the release stream needs the written consent of two leads [1]."
LEADS = {"labels": ["leads"]}
THREAD: Any = {"configurable": {"thread_id": "a"}}
MODES = ["values", "updates", "messages", "custom", "tasks", "checkpoints", "debug"]


class Chat(ManyTasksChat):
    seconds: float = 0.0

    def _generate(self, *args: Any, **kwargs: Any) -> Any:
        time.sleep(self.seconds)
        return super()._generate(*args, **kwargs)


def make(hits: Any = (RULE,), seconds: float = 0.0, compiled: bool = True, saver: Any = None) -> tuple[Any, Chat]:
    model = Chat(answers=[], prompts=[], scripts={"answer": [ANSWER]}, seconds=seconds)
    parts = RagParts(
        vector_search=FakeSearch(hits),
        keyword_search=None,
        chat_model=model,
        looks_into_intent=True,
        review=ReviewOptions(mode="high_risk"),
    )
    return wire_rag_graph(parts).compile(checkpointer=saver or (InMemorySaver() if compiled else None)), model


def ask(graph: Any, question: str = RISKY, thread: Any = THREAD, context: Any = None) -> Any:
    return graph.invoke({"messages": [("user", question)]}, thread, context=context)


def decide(graph: Any, decision: Any, thread: Any = THREAD, context: Any = None) -> Any:
    return graph.invoke(Command(resume=decision), thread, context=context)


def test_a_decision_by_id_is_on_that_question_and_on_no_other():
    graph, model = make()
    ask(graph)
    late = waiting_review(graph.get_state(THREAD))
    ask(graph, OTHER)  # which gives the first one up
    result = decide(graph, {late.id: "approve"})
    assert (result["status"], model.prompts) == ("awaiting_review", [])
    now = waiting_review(graph.get_state(THREAD))
    assert now.id != late.id
    assert now.action["args"]["question"] == OTHER
    assert decide(graph, {now.id: "approve"})["status"] == "answered"


@pytest.mark.parametrize("decision", ["approve", "reject", {"decisions": [{"type": "approve"}]}, "?"])
def test_a_decision_where_nothing_waits_changes_nothing(decision):
    graph, model = make()
    ask(graph)
    done = decide(graph, "approve")
    assert decide(graph, decision) == done
    assert graph.get_state(THREAD).next == ()
    assert len(model.prompts) == 1
    # Nor is it kept for the next question.
    assert ask(graph)["status"] == "awaiting_review"


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_a_decision_in_another_thread_is_none_on_this_one(decision):
    graph, model = make()
    ask(graph)
    other = {"configurable": {"thread_id": "b"}}
    assert decide(graph, decision, other)["status"] == "not_found"
    assert waiting_review(graph.get_state(other)) is None
    assert waiting_review(graph.get_state(THREAD)) is not None
    assert model.prompts == []


def test_a_given_up_question_stays_in_the_thread_without_an_answer():
    graph, _ = make()
    ask(graph)
    result = ask(graph, "When was the last release?")
    assert [message.type for message in result["messages"]] == ["human", "human", "ai"]
    assert waiting_review(graph.get_state(THREAD)) is None


class AtOnce(InMemorySaver):
    """Lets two runs begin at the same moment: neither has said what it decides when the other reads the thread."""

    def __init__(self) -> None:
        super().__init__()
        self.begin = threading.Barrier(2)
        self.lets_in = 0

    def get_tuple(self, config: Any) -> Any:
        found = super().get_tuple(config)
        if self.lets_in:
            self.lets_in -= 1
            self.begin.wait(30)
        return found


ENDINGS = {"approve": "answered", "reject": "refused", "what?": "awaiting_review"}


@pytest.mark.parametrize(
    "decisions", [("approve", "reject"), ("reject", "approve"), ("approve", "approve"), ("reject", "what?")]
)
def test_of_two_decisions_at_the_same_moment_each_ends_by_its_own_and_the_thread_has_one(decisions):
    saver = AtOnce()
    graph, model = make(seconds=0.2, saver=saver)
    ask(graph)
    saver.lets_in = 2
    with ThreadPoolExecutor(2) as threads:
        results = [*threads.map(lambda decision: decide(graph, decision), decisions, timeout=60)]
    assert [result["status"] for result in results] == [ENDINGS[each] for each in decisions]
    assert len(model.prompts) == decisions.count("approve")
    kept = graph.get_state(THREAD).values
    assert kept["status"] in {ENDINGS[each] for each in decisions}
    if kept["status"] != "awaiting_review":
        assert [message.type for message in kept["messages"]] == ["human", "ai"]
    assert ask(graph, "When was the last release?")["status"] == "answered"


@pytest.mark.parametrize("mode", MODES)
async def test_before_it_nothing_is_streamed_as_an_answer(mode):
    graph, _ = make()
    given: Any = {"messages": [("user", RISKY)]}
    events = list(graph.stream(given, THREAD, stream_mode=mode))
    other = {"configurable": {"thread_id": "b"}}
    assert len([event async for event in graph.astream(given, other, stream_mode=mode)]) == len(events)
    if mode == "messages":
        assert events == []
    if mode == "custom":
        assert "consent" not in str(events)
    assert ANSWER not in str(events)


async def test_after_approval_the_answer_is_streamed_once():
    graph, _ = make()
    ask(graph)
    pieces = [event[0].text for event in graph.stream(Command(resume="approve"), THREAD, stream_mode="messages")]
    assert "".join(pieces) == graph.get_state(THREAD).values["answer"]
    other: Any = {"configurable": {"thread_id": "b"}}
    await graph.ainvoke({"messages": [("user", RISKY)]}, other)
    stream = graph.astream(Command(resume="approve"), other, stream_mode="messages")
    assert "".join([event[0].text async for event in stream]) == "".join(pieces)


@pytest.mark.parametrize("decision", ["approve", "reject", "what?"])
async def test_who_takes_it_up_without_the_labels_gets_nothing_of_what_needs_them(decision):
    graph, model = make((SECRET, RULE))
    assert "Bluebird" in str(ask(graph, context=LEADS)["__interrupt__"])
    # Of a run that waits on, LangGraph shows the state as it was before; see thread_permissions.
    modes: Any = ["updates", "messages", "custom", *([] if decision == "what?" else ["values", "tasks", "checkpoints"])]
    events = [event async for event in graph.astream(Command(resume=decision), THREAD, context={}, stream_mode=modes)]
    begin = next(index for index, (mode, _) in enumerate(events) if mode == "custom")
    assert "Bluebird" not in f"{events[begin:]} {model.prompts}"


def test_who_opens_the_thread_sees_of_it_what_they_may_read():
    graph, _ = make((SECRET, RULE))
    ask(graph, context=LEADS)
    snapshot = graph.get_state(THREAD)
    assert [each["source"] for each in waiting_review(snapshot, LEADS).evidence] == ["Leads.md", "Rules.md"]
    assert waiting_review(snapshot, LEADS).request == snapshot.interrupts[0].value
    assert [each["source"] for each in waiting_review(snapshot).evidence] == ["Rules.md"]
    assert waiting_review(snapshot).id == waiting_review(snapshot, LEADS).id


def test_who_may_not_read_the_question_is_not_told_of_it():
    graph, _ = make((SECRET,))
    graph.update_state(
        THREAD,
        {
            "messages": [
                {"role": "user", "content": "How is it?"},
                {
                    "role": "ai",
                    "content": "Bluebird.",
                    "additional_kwargs": {"obsirag": {"permissions": ['["leads"]']}},
                },
            ]
        },
        as_node="publish",
    )
    result = ask(graph, "And please roll back the release stream then.", context=LEADS)
    assert result["status"] == "awaiting_review"
    snapshot = graph.get_state(THREAD)
    assert waiting_review(snapshot, LEADS) is not None
    assert waiting_review(snapshot) is None


def test_a_question_that_was_stopped_elsewhere_does_not_wait_for_a_person():
    graph, _ = make()
    assert waiting_review(graph.get_state(THREAD)) is None
    graph.invoke({"messages": [("user", RISKY)]}, THREAD, interrupt_before=["request_review"])
    assert waiting_review(graph.get_state(THREAD)) is None
    graph.invoke(None, THREAD)
    assert waiting_review(graph.get_state(THREAD)) is not None


@pytest.mark.parametrize("is_async", [False, True])
async def test_as_a_part_of_another_graph_it_waits_and_goes_on(is_async):
    inner, model = make((SECRET, RULE), compiled=False)
    parent = StateGraph(MessagesState, context_schema=RagContext)
    parent.add_node("notes", inner)
    parent.add_edge(START, "notes")
    graph: Any = parent.compile(checkpointer=InMemorySaver())

    async def run(command: Any, context: Any) -> Any:
        if is_async:
            return await graph.ainvoke(command, THREAD, context=context)
        return graph.invoke(command, THREAD, context=context)

    waiting = (await run({"messages": [("user", RISKY)]}, LEADS))["__interrupt__"][0]
    assert len(waiting.value["action_requests"][0]["args"]["evidence"]) == 2
    assert "what?" not in str((await run(Command(resume="what?"), {}))["messages"])
    result = await run(Command(resume={waiting.id: "approve"}), {})
    assert ANSWER in result["messages"][-1].text
    assert "Bluebird" not in f"{result} {model.prompts}"


def test_two_of_them_side_by_side_wait_each_for_its_own():
    parent = StateGraph(MessagesState)
    for name in ("first", "second"):
        parent.add_node(name, make(compiled=False)[0])
        parent.add_edge(START, name)
    graph: Any = parent.compile(checkpointer=InMemorySaver())
    first, second = graph.invoke({"messages": [("user", RISKY)]}, THREAD)["__interrupt__"]
    assert first.id != second.id
    result = graph.invoke(Command(resume={first.id: "approve", second.id: "reject"}), THREAD)
    assert {m.additional_kwargs["obsirag"]["status"] for m in result["messages"][1:]} == {"answered", "refused"}


NAMES = st.sampled_from(
    [
        "decisions",
        "type",
        "edited_action",
        "args",
        "evidence",
        "id",
        "text",
        "source",
        "title",
        "permissions",
        "question",
    ]
)
WORDS = st.sampled_from(
    ["approve", "edit", "reject", "Rules.md#1", RISKY, "", "[]", '[{"id": "Rules.md#1"}]', "\ud800"]
)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=12,
)


def edit(evidence: Any, **args: Any) -> Any:
    return {
        "decisions": [{"type": "edit", "edited_action": {"name": "answer", "args": {"evidence": evidence, **args}}}]
    }


@given(ANYTHING | ANYTHING.map(edit) | st.lists(st.dictionaries(NAMES, ANYTHING, max_size=5), max_size=3).map(edit))
def test_whatever_is_sent_is_a_decision_or_told_to_be_none(sent):
    decision = None
    with suppress(WrongDecisionError):
        decision = read_decision(sent, [RULE], RISKY)
    assert decision is None or isinstance(decision, Decision)
    assert decision is None or all(document.page_content.strip() for document in decision.evidence)


def test_front_ends_send_what_was_edited_as_the_text_of_its_json():
    graph, model = make((RULE, SECRET))
    (request,) = ask(graph, context=LEADS)["__interrupt__"]
    evidence = request.value["action_requests"][0]["args"]["evidence"]
    kept = [each for each in evidence if each["source"] == "Rules.md"]
    result = decide(graph, edit(json.dumps(kept), question=RISKY), context=LEADS)
    assert [each["source"] for each in result["citations"]] == ["Rules.md"]
    assert "Bluebird" not in str(model.prompts)


@pytest.mark.parametrize("sent", [edit("[{"), edit("7"), edit("[" * 100_000), edit([], question=OTHER)])
def test_an_edit_that_cannot_be_read_or_is_of_the_question_is_asked_for_again(sent):
    graph, model = make()
    ask(graph)
    assert decide(graph, sent)["status"] == "awaiting_review"
    assert model.prompts == []


def test_halves_of_characters_in_what_a_reviewer_adds_end_no_run():
    graph, model = make()
    ask(graph)
    model.scripts["answer"] = ["Ask the desk by phone [1]."]
    added = {"text": "Ask the desk by phone. \ud800", "source": "a\udc80.md", "title": "\ud800"}
    result = decide(graph, edit([added]))
    assert result["citations"][0]["link"].endswith("&file=a%3F")


def test_that_it_waits_is_no_error_in_the_record_of_the_run():
    recorder = RunRecorder()
    parts = RagParts(
        vector_search=FakeSearch([RULE]),
        keyword_search=None,
        review=ReviewOptions(mode="always"),
        tracing=Tracing(observers=[recorder]),
    )
    ask(wire_rag_graph(parts).compile(checkpointer=InMemorySaver()))
    record = recorder.record()
    assert (record["status"], record["error"]) == ("awaiting_review", None)
    assert record["steps"][-1]["node"] == "review"
