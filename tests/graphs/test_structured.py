"""Answers of models in a form: what is asked, and what is remembered."""

import pytest
from langchain_core.messages import HumanMessage
from pydantic import BaseModel

from obsirag.config import BudgetOptions
from obsirag.errors import ServiceError
from obsirag.graphs.model_calls import ModelCalls, Reply
from obsirag.graphs.structured import MAX_CALLS, ask_for


class Form(BaseModel):
    """A form."""

    number: int


class StatusError(Exception):
    """What an HTTP client raises."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status_code = status


def caused_by(error: Exception) -> ServiceError:
    outer = ServiceError("it failed")
    outer.__cause__ = error
    return outer


def run(calls, replies):
    """Return the form and the requests."""
    work = ask_for(Form, [HumanMessage("which?")], calls, complaint=lambda error: f"wrong: {error} {{number}}")
    requests = []
    try:
        request = next(work)
        while True:
            requests.append(request)
            request = work.send(replies.pop(0))
    except StopIteration as done:
        return done.value, requests


@pytest.fixture
def calls(make_chat):
    return ModelCalls(make_chat("x"), BudgetOptions())


def test_the_error_is_shown_to_the_model_and_it_ends(calls):
    given, requests = run(calls, [Reply(text='{"numbers": 1}'), Reply(text="none"), Reply(text="none")])
    assert given is None
    assert len(requests) == MAX_CALLS
    assert "wrong: number" in requests[1].messages[-1].text
    assert "wrong: no JSON" in requests[2].messages[-1].text


def test_text_around_the_json_does_not_matter(calls):
    given, _ = run(calls, [Reply(text='Here: ```json\n{"number": 3}\n``` as you wished')])
    assert given == Form(number=3)


@pytest.mark.parametrize(
    "error", [TypeError(), NotImplementedError(), StatusError(400), caused_by(StatusError(422)), ValueError()]
)
def test_a_method_that_is_refused_is_not_asked_for_again(calls, error):
    given, requests = run(calls, [Reply(error=error, failed=True), Reply(text='{"number": 3}')])
    assert given == Form(number=3)
    assert [request.schema for request in requests] == [Form, None]
    assert calls.unsupported == {"json_schema"}


@pytest.mark.parametrize(
    "error", [ConnectionError(), TimeoutError(), StatusError(503), caused_by(StatusError(429)), None]
)
def test_a_call_that_is_lost_says_nothing_of_the_method(calls, error):
    given, _ = run(calls, [Reply(error=error, failed=True), Reply(text='{"number": 3}')])
    assert given == Form(number=3)
    assert calls.unsupported == set()


def test_a_model_that_fails_without_a_method_too_is_no_proof(calls):
    given, _ = run(calls, [Reply(error=StatusError(400), failed=True), Reply(error=StatusError(400), failed=True)])
    assert given is None
    assert calls.unsupported == set()
