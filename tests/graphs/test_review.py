"""A person looks at the evidence before an answer is made of it."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from graph_fakes import FakeSearch, ManyTasksChat, chunk
from obsirag.config import RagConfig, ReviewOptions, with_preset
from obsirag.errors import ConfigError
from obsirag.graphs.bounds import bounds_of_parts
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph

RULE = chunk("A rollback of the release stream needs the written consent of two leads.", source="Rules.md")
HISTORY = chunk("The last rollback of the release stream was in May.", source="The last.md")
SECRET = chunk(
    "The rollback password of the release stream is kept by the leads.", source="Leads.md", permissions=['["leads"]']
)
RISKY = "Roll back the release stream to yesterday."
HARMLESS = "When was the last release?"
ANSWER = "A rollback of the release stream needs the written consent of two leads [1]."
THREAD: Any = {"configurable": {"thread_id": "a"}}


def chat(*answers: Any) -> ManyTasksChat:
    return ManyTasksChat(answers=[], prompts=[], scripts={"answer": list(answers) or [ANSWER]})


def parts_of(model: Any = None, hits: Any = (RULE, HISTORY), mode: Any = "high_risk", **options: Any) -> RagParts:
    return RagParts(
        vector_search=FakeSearch(hits),
        keyword_search=FakeSearch(hits),
        chat_model=model,
        looks_into_intent=True,
        review=ReviewOptions(mode=mode),
        **options,
    )


def asked(graph: Any, question: str = RISKY, labels: Any = ()) -> dict[str, Any]:
    return graph.invoke({"messages": [("user", question)]}, THREAD, context={"labels": labels})


def decided(graph: Any, decision: Any, labels: Any = ()) -> dict[str, Any]:
    return graph.invoke(Command(resume=decision), THREAD, context={"labels": labels})


def decisions(**decision: Any) -> dict[str, Any]:
    return {"decisions": [decision]}


def edit(*evidence: dict[str, Any]) -> dict[str, Any]:
    return decisions(type="edit", edited_action={"name": "answer", "args": {"evidence": list(evidence)}})


def request_of(result: dict[str, Any]) -> dict[str, Any]:
    (waiting,) = result["__interrupt__"]
    return waiting.value


def test_a_risky_question_waits_with_its_evidence_before_anything_is_generated():
    model = chat()
    result = asked(wire_rag_graph(parts_of(model)).compile(checkpointer=InMemorySaver()))
    assert (result["status"], result["citations"], model.prompts) == ("awaiting_review", [], [])
    assert result["answer"] == "A person has to approve this answer before it is made."
    request = request_of(result)
    (action,) = request["action_requests"]
    assert action["args"]["question"] == RISKY
    assert [each["source"] for each in action["args"]["evidence"]] == ["Rules.md", "The last.md"]
    assert [each["text"] for each in action["args"]["evidence"]] == [RULE.page_content, HISTORY.page_content]
    assert request["review_configs"] == [
        {"action_name": action["name"], "allowed_decisions": ["approve", "edit", "reject"]}
    ]


@pytest.mark.parametrize("decision", [decisions(type="approve"), [{"type": "approve"}], {"type": "approve"}, "approve"])
def test_after_approval_it_is_answered_from_the_evidence(decision):
    model = chat()
    graph = wire_rag_graph(parts_of(model)).compile(checkpointer=InMemorySaver())
    asked(graph)
    result = decided(graph, decision)
    assert result["status"] == "answered"
    assert ANSWER in result["answer"]
    assert [each["source"] for each in result["citations"]] == ["Rules.md"]
    assert len(model.prompts) == 1


def test_evidence_can_be_dropped_added_and_put_in_another_order():
    model = chat("The last rollback of the release stream was in May [1]. Ask the desk by phone [2].")
    graph = wire_rag_graph(parts_of(model)).compile(checkpointer=InMemorySaver())
    ids = {each["source"]: each["id"] for each in request_of(asked(graph))["action_requests"][0]["args"]["evidence"]}
    result = decided(graph, edit({"id": ids["The last.md"]}, {"text": "Ask the desk by phone.", "source": "Desk"}))
    assert [each["source"] for each in result["citations"]] == ["The last.md", "Desk"]
    assert RULE.page_content not in str(model.prompts)


def test_what_a_reviewer_adds_under_a_label_is_for_those_who_have_it():
    graph = wire_rag_graph(
        parts_of(
            chat(
                "Ask the desk by phone [1].",
            )
        )
    ).compile(checkpointer=InMemorySaver())
    asked(graph)
    added = {"text": "Ask the desk by phone.", "permissions": ["leads"]}
    result = decided(graph, edit(added), labels=["leads"])
    assert result["messages"][-1].additional_kwargs["obsirag"]["permissions"] == ['["leads"]']
    assert "phone" not in str(asked(graph, HARMLESS))


@pytest.mark.parametrize(
    ("decision", "told"),
    [
        (decisions(type="reject"), "decided that it is not answered here"),
        (decisions(type="reject", message="Open a ticket."), "Open a ticket."),
        (decisions(type="reject", message=7), "decided that it is not answered here"),
    ],
)
def test_a_rejection_refuses(decision, told):
    model = chat()
    graph = wire_rag_graph(parts_of(model)).compile(checkpointer=InMemorySaver())
    asked(graph)
    result = decided(graph, decision)
    assert (result["status"], result["citations"], model.prompts) == ("refused", [], [])
    assert told in result["answer"]
    assert RULE.page_content not in str(result)


def test_the_message_of_a_rejection_can_be_configured():
    parts = parts_of(chat())
    parts = replace(parts, review=ReviewOptions(mode="high_risk", rejected="Ask the desk."))
    graph = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    asked(graph)
    assert "Ask the desk." in decided(graph, "reject")["answer"]


# An empty mapping isn't among them: LangGraph takes it for decisions on no interrupt, and goes on waiting.
WRONG = [
    "",
    "yes",
    7,
    [],
    {"decisions": []},
    {"decisions": [{"type": "approve"}] * 2},
    {"decisions": [{"type": "respond"}]},
    {"decisions": ["?"]},
    decisions(type="edit"),
    decisions(type="edit", edited_action={}),
    decisions(type="edit", edited_action={"name": "answer", "args": {"evidence": "x"}}),
    edit({"id": "of another note"}),
    edit({"text": " "}),
    edit({"text": 7}),
    edit({"text": "x", "source": ["y"]}),
]


@pytest.mark.parametrize("decision", WRONG)
def test_what_is_no_decision_is_asked_for_again_and_nothing_is_lost(decision):
    model = chat()
    parts = parts_of(model)
    graph = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    asked(graph)
    result = decided(graph, decision)
    assert result["status"] == "awaiting_review"
    assert request_of(result)["action_requests"][0]["description"].count("\n\n") == 1
    assert model.prompts == []
    assert ANSWER in decided(graph, "approve")["answer"]
    assert len(parts.vector_search.asked) == 1


def test_nothing_before_the_review_runs_twice_however_often_it_is_taken_up():
    parts = parts_of(chat())
    graph = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    asked(graph)
    for _ in range(2):
        decided(graph, "what?")
    decided(graph, "reject")
    assert (len(parts.vector_search.asked), len(parts.keyword_search.asked)) == (1, 1)


def test_a_waiting_question_survives_the_process(tmp_path):
    file = str(tmp_path / "threads.sqlite")
    with SqliteSaver.from_conn_string(file) as saver:
        assert asked(wire_rag_graph(parts_of(chat())).compile(checkpointer=saver))["status"] == "awaiting_review"
    parts = parts_of(chat())
    with SqliteSaver.from_conn_string(file) as saver:
        result = decided(wire_rag_graph(parts).compile(checkpointer=saver), "approve")
    assert ANSWER in result["answer"]
    assert parts.vector_search.asked == []


@pytest.mark.parametrize("question", [RISKY, HARMLESS])
@pytest.mark.parametrize("is_async", [False, True])
def test_without_a_checkpointer_the_first_call_is_an_error_before_anything_is_searched(question, is_async):
    parts = parts_of(chat())
    graph = wire_rag_graph(parts).compile()
    given: Any = {"messages": [("user", question)]}
    with pytest.raises(ConfigError, match="needs a checkpointer"):
        asyncio.run(graph.ainvoke(given, THREAD)) if is_async else graph.invoke(given, THREAD)
    assert parts.vector_search.asked == []


def test_a_parent_graphs_checkpointer_counts():
    parent = StateGraph(MessagesState)
    parent.add_node("notes", wire_rag_graph(parts_of(chat())).compile())
    parent.add_edge(START, "notes")
    graph = parent.compile(checkpointer=InMemorySaver())
    result = graph.invoke({"messages": [("user", RISKY)]}, THREAD)
    assert request_of(result)["action_requests"][0]["args"]["question"] == RISKY
    assert ANSWER in graph.invoke(Command(resume="approve"), THREAD)["messages"][-1].text


@pytest.mark.parametrize(
    ("mode", "question", "waits"),
    [
        ("high_risk", HARMLESS, False),
        ("always", HARMLESS, True),
        ("off", RISKY, False),
        (None, RISKY, False),
    ],
)
def test_the_mode_says_which_questions_wait(mode, question, waits):
    graph = wire_rag_graph(parts_of(chat(), mode=mode)).compile(checkpointer=InMemorySaver())
    result = asked(graph, question)
    assert (result["status"] == "awaiting_review") is waits


def test_the_parts_of_a_question_wait_together():
    parts = ["Roll back the release stream.", "When was the last rollback of the release stream?"]
    model = ManyTasksChat(
        answers=[],
        prompts=[],
        scripts={
            "plan": [json.dumps({"parts": [{"question": part} for part in parts]})],
            "answer": [ANSWER],
        },
    )
    graph = wire_rag_graph(parts_of(model, plans=True)).compile(checkpointer=InMemorySaver())
    result = asked(graph, "Roll back the release stream, and when was the last rollback of the release stream?")
    assert result["status"] == "awaiting_review"
    assert model.asked("answer") == []
    assert decided(graph, "approve")["status"] == "answered"
    assert len(model.asked("answer")) >= 2


def test_a_stranger_who_takes_it_up_sees_nothing_that_they_may_not_read():
    graph = wire_rag_graph(parts_of(chat(), hits=(SECRET, RULE))).compile(checkpointer=InMemorySaver())
    first = asked(graph, labels=["leads"])
    assert SECRET.page_content in str(request_of(first))
    result = decided(graph, "approve", labels=[])
    assert "password" not in str(result)


@pytest.mark.parametrize("limit", range(3, 14))
@pytest.mark.parametrize("mode", ["high_risk", "always"])
@pytest.mark.parametrize("answers", [[], [ANSWER]])
def test_no_limit_of_steps_lets_a_risky_question_past_the_person(limit, mode, answers):
    model = chat(*answers) if answers else None
    graph = wire_rag_graph(parts_of(model, mode=mode)).compile(checkpointer=InMemorySaver())
    question = "Roll back the release stream: a rollback of the release stream needs which written consent?"
    result = graph.invoke({"messages": [("user", question)]}, {**THREAD, "recursion_limit": limit})
    assert result["status"] in ("awaiting_review", "refused", "not_found")
    assert model is None or model.prompts == []
    assert "consent" not in result["answer"]


def test_the_bounds_count_the_review():
    parts = parts_of(chat())
    graph = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    config = {**THREAD, "recursion_limit": bounds_of_parts(parts).recursion_limit}
    graph.invoke({"messages": [("user", RISKY)]}, config)
    result = graph.invoke(Command(resume="approve"), config)
    assert (result["status"], result["degraded"]) == ("answered", [])


def test_reviews_of_risky_questions_need_the_look_into_them():
    config = RagConfig(vault="notes", index="index", review={"mode": "high_risk"})
    with pytest.raises(ConfigError, match="intent"):
        with_preset(config)
    assert with_preset(config.model_copy(update={"preset": "enterprise"})).intent.enabled


def test_a_passage_of_the_notes_cannot_be_changed():
    graph = wire_rag_graph(parts_of(chat())).compile(checkpointer=InMemorySaver())
    evidence = request_of(asked(graph))["action_requests"][0]["args"]["evidence"]
    result = decided(graph, edit({**evidence[0], "text": "A rollback needs nobody."}))
    assert result["status"] == "awaiting_review"
    assert "cannot be changed" in request_of(result)["action_requests"][0]["description"]
    assert decided(graph, edit(evidence[0]))["status"] == "answered"


def test_what_is_added_without_permissions_is_for_those_who_may_read_what_was_shown():
    graph = wire_rag_graph(parts_of(chat("Ask the desk by phone [1]."), hits=(SECRET, RULE))).compile(
        checkpointer=InMemorySaver()
    )
    asked(graph, labels=["leads"])
    result = decided(graph, edit({"text": "Ask the desk by phone."}), labels=["leads"])
    assert result["messages"][-1].additional_kwargs["obsirag"]["permissions"] == ['["leads"]']


def test_a_look_that_fails_lets_no_question_past_the_person():
    def fails(_):
        raise OSError("down")

    parts = parts_of(chat(), nodes={"intent": fails})
    graph = wire_rag_graph(parts).compile(checkpointer=InMemorySaver())
    with pytest.raises(OSError, match="down"):
        asked(graph)
    assert parts.vector_search.asked == []
