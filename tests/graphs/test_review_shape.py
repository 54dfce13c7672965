"""What a person is asked, and what they send, are what LangChain's own middleware asks and takes."""

import json
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import TypeAdapter

from graph_fakes import FakeSearch, ScriptedChat, chunk
from obsirag.cli.reviewing import Reviewing
from obsirag.config import ReviewOptions
from obsirag.graphs import waiting_review
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph

hitl = pytest.importorskip("langchain.agents.middleware.human_in_the_loop", reason="langchain is not installed")
HITS = [
    chunk("A rollback needs two leads.", source="规则.md", headings=["A"]),
    chunk("The last one was in May.", source="附录.md"),
]
THREAD: Any = {"configurable": {"thread_id": "a"}}


@pytest.fixture
def graph() -> Any:
    parts = RagParts(
        vector_search=FakeSearch(HITS),
        keyword_search=None,
        chat_model=ScriptedChat(answers=["A rollback needs two leads [1]."], prompts=[]),
        review=ReviewOptions(mode="always"),
    )
    return wire_rag_graph(parts).compile(checkpointer=InMemorySaver())


def ask(graph: Any) -> Any:
    (waiting,) = graph.invoke({"messages": [("user", "What does a rollback need?")]}, THREAD)["__interrupt__"]
    return waiting.value


@pytest.mark.parametrize("before", [None, "what?"])
def test_what_is_asked_is_a_request_and_nothing_besides(graph, before):
    request = ask(graph)
    if before is not None:
        request = graph.invoke(Command(resume=before), THREAD)["__interrupt__"][0].value
    assert TypeAdapter(hitl.HITLRequest).validate_python(request, strict=True) == request
    assert json.loads(json.dumps(request)) == request  # as servers send it
    # A front end looks for each action's configuration by its name.
    assert [each["name"] for each in request["action_requests"]] == [
        each["action_name"] for each in request["review_configs"]
    ]


def sent_by_chat(waiting: Any) -> dict[str, Any]:
    reviewing = Reviewing.begin(waiting)
    return {
        "approve": reviewing.approval(),
        "edit": reviewing.keep("1").approval(),
        "reject": reviewing.rejection("Ask the desk."),
        "reject without words": reviewing.rejection(""),
    }


@pytest.mark.parametrize("name", ["approve", "edit", "reject", "reject without words"])
def test_what_chat_sends_is_a_response(graph, name):
    ask(graph)
    waiting = waiting_review(graph.get_state(THREAD))
    sent = sent_by_chat(waiting)[name]
    assert TypeAdapter(hitl.HITLResponse).validate_python(sent, strict=True) == sent
    assert graph.invoke(Command(resume=sent), THREAD)["status"] == ("refused" if "reject" in name else "answered")


def responses(request: Any) -> list[Any]:
    (action,) = request["action_requests"]
    edited = hitl.Action(name=action["name"], args={**action["args"], "evidence": action["args"]["evidence"][:1]})
    made = {
        "approve": hitl.ApproveDecision(type="approve"),
        "edit": hitl.EditDecision(type="edit", edited_action=edited),
        "reject": hitl.RejectDecision(type="reject", message="no"),
    }
    return [hitl.HITLResponse(decisions=[made[each]]) for each in request["review_configs"][0]["allowed_decisions"]]


@pytest.mark.parametrize("number", [0, 1, 2])
def test_each_decision_that_is_allowed_is_taken_in_langchains_own_form(graph, number):
    request = ask(graph)
    assert len(responses(request)) == 3
    result = graph.invoke(Command(resume=responses(request)[number]), THREAD)
    assert result["status"] == ["answered", "answered", "refused"][number]


def test_what_is_not_allowed_is_not_taken(graph):
    ask(graph)
    sent = hitl.HITLResponse(decisions=[hitl.RespondDecision(type="respond", message="Yes, do it.")])
    result = graph.invoke(Command(resume=sent), THREAD)
    assert result["status"] == "awaiting_review"
    assert "do it" not in result["answer"]


def test_the_middleware_asks_in_the_same_shape(graph):
    from langchain.agents import create_agent
    from langchain_core.language_models import FakeMessagesListChatModel
    from langchain_core.messages import AIMessage

    class Model(FakeMessagesListChatModel):
        def bind_tools(self, *args: Any, **kwargs: Any) -> Any:
            return self

    def answer(question: str) -> str:
        """Answer."""
        return question

    call = AIMessage("", tool_calls=[{"name": "answer", "args": {"question": "?"}, "id": "1"}])
    on = {"answer": {"allowed_decisions": ["approve", "edit", "reject"], "description": "Look first."}}
    agent = create_agent(
        Model(responses=[call]),
        [answer],
        middleware=[hitl.HumanInTheLoopMiddleware(interrupt_on=on)],
        checkpointer=InMemorySaver(),
    )
    (waiting,) = agent.invoke({"messages": [("user", "?")]}, THREAD)["__interrupt__"]
    ours = ask(graph)
    for key in ("action_requests", "review_configs"):
        assert ours[key][0].keys() == waiting.value[key][0].keys()
    assert ours.keys() == waiting.value.keys()
    assert ours["review_configs"] == waiting.value["review_configs"]
