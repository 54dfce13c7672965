"""Answers in a form: what a model is asked, and asked again, until it gives one."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel

from graph_fakes import ScriptedChat
from obsirag.config import BudgetOptions
from obsirag.errors import ServiceError
from obsirag.graphs.model_calls import ModelCalls, Reply, Request
from obsirag.graphs.structured import MAX_CALLS, ask_for


class Size(BaseModel):
    width: int


QUESTION = [HumanMessage("How wide? As JSON.")]
GOOD = '{"width": 7}'


def calls() -> ModelCalls:
    return ModelCalls(ScriptedChat(answers=[""], prompts=[]), BudgetOptions())


def ask(*replies: Reply | str, calls: ModelCalls) -> tuple[Size | None, list[Request]]:
    """Return what comes of these replies, the last one for ever, and what was asked for them."""
    work = ask_for(Size, QUESTION, calls, complaint=lambda error: f"It is wrong ({error}). Reply as {{}}.")
    asked = [next(work)]
    while True:
        reply = replies[min(len(asked), len(replies)) - 1]
        try:
            asked.append(work.send(reply if isinstance(reply, Reply) else Reply(reply)))
        except StopIteration as done:
            return done.value, asked


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("It is 7.", "no JSON"),
        ("", "no JSON"),
        ('{"width": "wide"}', "width: Input should be a valid integer"),
        ("{}", "width: Field required"),
        ("{width", "no JSON"),
        ("{width:::}", "the JSON cannot be read"),
    ],
)
def test_the_model_is_shown_what_it_said_and_what_was_wrong_with_it(wrong, told):
    given, asked = ask(wrong, GOOD, calls=calls())
    assert given == Size(width=7)
    assert asked[0].messages == QUESTION
    *first, own, complaint = asked[1].messages
    assert first == QUESTION
    assert own == AIMessage(wrong or "-")
    assert str(complaint.content).startswith(f"It is wrong ({told}")


def test_it_is_shown_its_last_answer_alone_and_no_more_of_what_is_wrong_than_helps():
    many = "[" + ", ".join("{}" for _ in range(500)) + "]"

    class Sizes(BaseModel):
        sizes: list[Size]

    work = ask_for(Sizes, QUESTION, calls(), complaint=str)
    next(work)
    asked = work.send(Reply(f'{{"sizes": {many}}}'))
    assert str(asked.messages[-1].content).startswith("sizes.0.width: Field required; sizes.1.width")
    assert len(str(asked.messages[-1].content)) <= 300
    asked = work.send(Reply("nothing"))
    assert [*map(type, asked.messages)] == [HumanMessage, AIMessage, HumanMessage]
    assert asked.messages[1].content == "nothing"


FAILED = Reply(error=ConnectionError(), failed=True)
REPLIES = st.sampled_from(["", "no form", "{}", GOOD, FAILED, Reply(parsed=Size(width=7)), Reply(parsed=7)])


@given(st.lists(REPLIES, min_size=1, max_size=4), st.sets(st.sampled_from(["json_schema", "json_mode"])))
def test_it_is_asked_a_few_times_each_in_another_way_the_last_time_for_text(replies, unsupported):
    known: Any = calls()
    known.unsupported.update(unsupported)
    form, asked = ask(*replies, calls=known)
    ways = [request.method if request.schema else None for request in asked]
    assert len(ways) == len(set(ways)) <= MAX_CALLS
    assert not unsupported & set(ways)
    if form is None:
        assert ways[-1] is None


class StatusError(Exception):
    """What an HTTP client raises."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status_code = status


def caused_by(error: Exception) -> ServiceError:
    outer = ServiceError("it failed")
    outer.__cause__ = error
    return outer


@pytest.mark.parametrize(
    "error", [TypeError(), NotImplementedError(), ValueError(), StatusError(400), caused_by(StatusError(422))]
)
def test_a_way_that_is_refused_where_text_is_not_is_not_tried_again(error):
    known = calls()
    refused = Reply(error=error, failed=True)
    form, asked = ask(refused, GOOD, calls=known)
    assert form == Size(width=7)
    assert [request.schema for request in asked] == [Size, None]
    assert known.unsupported == {"json_schema"}
    assert ask(refused, calls=known)[0] is None
    assert known.unsupported == {"json_schema"}


@pytest.mark.parametrize("error", [ConnectionError(), TimeoutError(), StatusError(503), caused_by(StatusError(429))])
def test_a_call_that_gets_lost_says_nothing_of_the_way(error):
    known = calls()
    form, _ = ask(Reply(error=error, failed=True), GOOD, calls=known)
    assert form == Size(width=7)
    assert known.unsupported == set()
