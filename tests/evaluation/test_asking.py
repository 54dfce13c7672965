from typing import Any, TypedDict

import pytest
from langchain_core.language_models import FakeListChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt

from graph_fakes import FakeSearch, ScriptedChat, chunk
from obsirag.config import ReviewOptions
from obsirag.evaluation import Question
from obsirag.evaluation.asking import ask
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph

HITS = [chunk("The respawn timer is 8 seconds.", source="Rules.md", line=4)]
QUESTION = Question(id="q", question="How long is the respawn timer?", gold=(), labels=("team",))


def graph(search: FakeSearch, chat: ScriptedChat | None = None, checkpointer: Any = None) -> Any:
    parts = RagParts(vector_search=search, keyword_search=None, vault="notes", chat_model=chat)
    return wire_rag_graph(parts).compile(checkpointer=checkpointer)


@pytest.mark.parametrize("checkpointer", [None, InMemorySaver()])
def test_everything_that_the_graph_gives_is_taken_over(checkpointer: Any) -> None:
    search = FakeSearch(HITS)
    chat = ScriptedChat(answers=["no mark", "8 seconds [1]."], prompts=[])
    response = ask(graph(search, chat, checkpointer), QUESTION)
    assert (response.answer, response.status) == ("8 seconds [1].", "answered")
    assert [citation["source"] for citation in response.citations] == ["Rules.md"]
    assert search.labels == [("team",)]
    assert response.model_calls == len(chat.prompts) == 2
    assert response.tokens is not None
    assert response.tokens > 20
    assert response.degraded == ()
    assert response.written[:2] == (response.answer, response.answer)
    assert "The respawn timer is 8 seconds." in response.written
    assert not any(QUESTION.question in text for text in response.written)
    assert response.first_token_seconds is not None
    assert response.seconds is not None
    assert 0 <= response.first_token_seconds <= response.seconds


def test_each_question_has_a_thread_of_its_own() -> None:
    search = FakeSearch(HITS)
    compiled = graph(search, checkpointer=InMemorySaver())
    ask(compiled, QUESTION)
    ask(compiled, Question(id="r", question="And that one?", gold=()))
    assert search.asked == [QUESTION.question, "And that one?"]


def test_the_history_comes_before_the_question() -> None:
    search = FakeSearch(HITS)
    history: Any = (("user", "How long is the respawn timer?"), ("assistant", "8 seconds."))
    ask(graph(search), Question(id="q", question="Can it be shorter?", gold=(), history=history))
    assert search.asked == ["How long is the respawn timer?\nCan it be shorter?"]


def test_parts_that_failed_are_told() -> None:
    search, chat = FakeSearch(HITS), ScriptedChat(answers=[OSError("down")], prompts=[])
    response = ask(graph(search, chat), QUESTION)
    assert response.degraded == ("chat_model",)
    assert response.status == "answered"


def test_what_was_streamed_and_taken_back_counts_as_given_out() -> None:
    def node(_: Output) -> dict[str, Any]:
        FakeListChatModel(responses=["The key is under the mat."]).invoke("?")
        return {"answer": "I don't know.", "status": "not_found"}

    response = ask(small_graph(node), QUESTION)
    assert response.answer == "I don't know."
    assert response.written == ("The key is under the mat.",)


class Output(MessagesState):
    answer: str
    status: str


class Context(TypedDict):
    labels: list[str]


def small_graph(node: Any) -> Any:
    state = StateGraph(Output, Context)
    state.add_node("node", node)
    state.add_edge(START, "node")
    state.add_edge("node", END)
    return state.compile(checkpointer=InMemorySaver())


def test_a_run_that_waits_for_a_person_says_so() -> None:
    response = ask(small_graph(lambda _: interrupt("look")), QUESTION)
    assert (response.status, response.answer, response.citations) == ("awaiting_review", "", ())
    assert response.first_token_seconds is None
    assert response.model_calls is response.tokens is None


def test_a_graph_of_ones_own_that_tells_little_can_be_asked() -> None:
    def node(state: Output) -> dict[str, Any]:
        assert [type(each) for each in state["messages"]] == [HumanMessage]
        extra = {"seen": [{"text": "deep"}, 3, None]}
        return {"messages": [AIMessage("Yes.", additional_kwargs=extra)], "answer": "Yes.", "status": "answered"}

    response = ask(small_graph(node), QUESTION)
    assert (response.status, response.answer) == ("answered", "Yes.")
    assert response.written == ("Yes.", "Yes.", "deep")
    assert response.model_calls is response.tokens is None


@pytest.mark.parametrize(
    ("question", "status"),
    [("Roll back the release stream.", "awaiting_review"), ("How long is the respawn timer?", "answered")],
)
def test_a_question_that_waits_for_a_person_ends_there_and_leaves_nothing(question: str, status: str) -> None:
    saver = InMemorySaver()
    parts = RagParts(
        vector_search=FakeSearch(HITS),
        keyword_search=None,
        looks_into_intent=True,
        review=ReviewOptions(mode="high_risk"),
    )
    response = ask(wire_rag_graph(parts).compile(checkpointer=saver), Question(id="q", question=question, gold=()))
    assert response.status == status
    # What the person is shown is given out as well, so that a leak there would be seen.
    assert HITS[0].page_content in response.written
    assert (dict(saver.storage), list(saver.list(None))) == ({}, [])
