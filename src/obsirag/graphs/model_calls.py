"""Calls of the chat model: within the question's budget and a time limit, and never raising.

A node that asks the model is a generator: it yields requests, is sent replies, and returns its update. So its steps
stand once, and run with and without blocking.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from langchain_core.messages import BaseMessage

from obsirag.errors import ObsiragError, ServiceError, reason_of
from obsirag.graphs.chat import text_of
from obsirag.graphs.release import Release
from obsirag.graphs.speaking import QUIETLY, ahear, hear, is_read
from obsirag.graphs.usage import NOTHING, Usage, add_usage, usage_of
from obsirag.retrievers.deadlines import await_within, call_within

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from pydantic import BaseModel

    from obsirag.config import BudgetOptions

__all__ = ["BudgetSpentError", "Method", "ModelCalls", "Reply", "Request", "Work", "part_of", "run_without_model"]

_log = logging.getLogger(__name__)

Method = Literal["json_schema", "function_calling", "json_mode"]


class BudgetSpentError(ObsiragError):
    """A question has cost all that it may."""


class Request(NamedTuple):
    """One call.

    Args:
        messages: What the model gets.
        schema: What its answer is parsed into; None for text.
        method: How a parsed answer is asked for.
        release: Gives a reader of the run's messages what can be read of the text while it comes; None for a call whose
            answer nobody is to read.
    """

    messages: Sequence[BaseMessage]
    schema: type[BaseModel] | None = None
    method: Method = "json_schema"
    release: Release | None = None


class Reply(NamedTuple):
    """What came of a call.

    Args:
        text: What the model said.
        parsed: The answer in the form that was asked for; None if it isn't of that form.
        error: Why nothing came, or why it could not be parsed; None if all is well.
        failed: Whether nothing came.
    """

    text: str = ""
    parsed: object = None
    error: Exception | None = None
    failed: bool = False


Work = Generator[Request, Reply, dict[str, Any]]
"""The steps of a node: yields requests, is sent replies, returns the node's update of the state."""


class _Call(NamedTuple):
    """What is called, with and without blocking, and with which arguments."""

    ask: Callable[..., Any]
    aask: Callable[..., Awaitable[Any]]
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ModelCalls:
    """Does the work of nodes that ask a chat model.

    Args:
        model: The chat model.
        budget: What one question may cost.
        unsupported: Methods that the model turned out not to know.
    """

    model: BaseChatModel
    budget: BudgetOptions
    unsupported: set[Method] = field(default_factory=set)

    def run(self, work: Work, spent: Usage) -> dict[str, Any]:
        """Return the update of a node's work, with what it cost.

        Args:
            work: The work.
            spent: What the question has cost before it.
        """
        steps = self._steps(work, spent)
        given: object = None  # which begins it
        while True:
            try:
                call = steps.send(given)
            except StopIteration as done:
                return dict(done.value)
            try:
                given = call_within(self.budget.call_timeout, partial(call.ask, *call.arguments))
            except Exception as error:  # noqa: BLE001 - a model is somebody else's code and may raise anything
                given = error

    async def arun(self, work: Work, spent: Usage) -> dict[str, Any]:
        """Do what ``run`` does, without holding up the event loop."""
        steps = self._steps(work, spent)
        given: object = None  # which begins it
        while True:
            try:
                call = steps.send(given)
            except StopIteration as done:
                return dict(done.value)
            try:
                given = await await_within(self.budget.call_timeout, partial(call.aask, *call.arguments))
            except Exception as error:  # noqa: BLE001 - as above
                given = error

    def _steps(self, work: Work, spent: Usage) -> Generator[_Call, Any, dict[str, Any]]:
        """Yield the calls that the budget allows; is sent what the model gave, or the exception that came."""
        usage = NOTHING
        reply: Any = None  # which begins it
        while True:
            try:
                request = work.send(reply)
            except StopIteration as done:
                return {**done.value, "usage": usage}
            call = self._call(request, add_usage(spent, usage))
            if isinstance(call, Reply):
                reply = call
                continue
            reply, cost = _reply(request, (yield call))
            if reply.failed and request.release is not None:
                request.release.stop()
            usage = add_usage(usage, cost)

    def _call(self, request: Request, spent: Usage) -> _Call | Reply:
        """Return the call, or the reply if nothing can or may be called."""
        messages = [*request.messages]
        tokens = spent["input_tokens"] + spent["output_tokens"]
        needed = usage_of(messages, None)["input_tokens"]
        if spent["calls"] >= self.budget.model_calls or tokens + needed > self.budget.tokens:
            told = f"{spent['calls']} calls of the chat model and {tokens} tokens, and needs about {needed} more"
            _log.warning("the budget of the question is spent (%s)", told)
            return Reply(error=BudgetSpentError(f"The question has cost {told}; `budget` allows no more."), failed=True)
        if request.release is not None and is_read():
            return _Call(hear, ahear, (self.model, messages, request.release))
        if request.schema is None:
            return _Call(self.model.invoke, self.model.ainvoke, (messages, QUIETLY))
        try:
            model = self.model.with_structured_output(request.schema, method=request.method, include_raw=True)
            return _Call(model.invoke, model.ainvoke, (messages, QUIETLY))
        except Exception as error:  # noqa: BLE001 - as above
            return Reply(error=error, failed=True)


def run_without_model(work: Work) -> dict[str, Any]:
    """Return the update of a node's work that asks no model."""
    try:
        next(work)
    except StopIteration as done:
        return dict(done.value)
    raise AssertionError("a node asked for a chat model where there is none")


def part_of(error: Exception | None, part: str) -> str:
    """Return the name of what failed, for ``degraded``: a part, or the budget that left nothing for it."""
    return "budget" if isinstance(error, BudgetSpentError) else part


def _reply(request: Request, given: object) -> tuple[Reply, Usage]:
    """Return what came of a call, and what it cost; what a model gave may break when it is looked at."""
    try:
        if isinstance(given, Exception):
            raise given
        return _read(request, given)
    except Exception as error:  # noqa: BLE001 - as above
        _log.warning("a call of the chat model failed (%s)", reason_of(error))
        return Reply(error=error, failed=True), usage_of([*request.messages], None)


def _read(request: Request, given: object) -> tuple[Reply, Usage]:
    parsed = error = None
    if request.schema is not None:
        # A stranger's model may leave out `include_raw`.
        whole = given if isinstance(given, dict) else {"parsed": given}
        given, parsed, error = whole.get("raw"), whole.get("parsed"), whole.get("parsing_error")
    elif not isinstance(given, (BaseMessage, str)):
        raise ServiceError(f"The chat model gave no message but {type(given).__name__}.")
    reply = Reply(
        text=text_of(given),
        parsed=parsed if request.schema is not None and isinstance(parsed, request.schema) else None,
        error=error if isinstance(error, Exception) else None,
    )
    return reply, usage_of([*request.messages], given)
