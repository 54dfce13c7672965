"""Calls that are waited for so long and no longer, and hold up neither the event loop nor the end of the program."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import copy_context
from functools import partial
from threading import Thread
from typing import ParamSpec, TypeVar

from obsirag.errors import ServiceError

__all__ = ["await_within", "call_within", "in_thread"]

Result = TypeVar("Result")
P = ParamSpec("P")

_CANCELLED = "It was cancelled from within."
_STOPPED = "It stopped an iteration that it was not part of."


def call_within(seconds: float, call: Callable[[], Result]) -> Result:
    """Return what a call returns; one that takes too long is left alone, and keeps nobody from leaving the program.

    Args:
        seconds: How long it is waited for.
        call: What is called, in a thread of its own, with the context variables of the caller.

    Raises:
        TimeoutError: If it takes longer. Whatever else the call raises is raised too.
        ServiceError: If it cancels itself; nobody else can.
    """
    return _started(call).result(timeout=seconds)


async def in_thread(call: Callable[P, Result], *args: P.args, **kwargs: P.kwargs) -> Result:
    """Return what a call that blocks returns, without holding up the event loop.

    The loop's own threads (``asyncio.to_thread``) are few, and a loop that ends waits for them, however long ago they
    were given up.

    Args:
        call: What is called, in a thread of its own, with the context variables of the caller.
        *args: Its arguments.
        **kwargs: Those by name.

    Raises:
        ServiceError: If it cancels itself. Whatever else the call raises is raised too.
    """
    return await asyncio.wrap_future(_started(partial(call, *args, **kwargs)))


async def await_within(seconds: float, call: Callable[[], Awaitable[Result]]) -> Result:
    """Do what ``call_within`` does, without holding up the event loop.

    A cancellation from outside goes its way. One that comes up within the call, which LangGraph takes for the end of
    the run, is the call's failure.
    """
    try:
        async with asyncio.timeout(seconds):
            return await call()
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is not None and task.cancelling():
            raise
        raise ServiceError(_CANCELLED) from error


def _started(call: Callable[[], Result]) -> Future[Result]:
    outcome: Future[Result] = Future()
    outcome.set_running_or_notify_cancel()  # Whoever gives it up does not cancel it, for it runs on.
    context = copy_context()

    def run() -> None:
        try:
            outcome.set_result(context.run(call))
        except asyncio.CancelledError as error:
            outcome.set_exception(_failure(_CANCELLED, error))
        except StopIteration as error:
            # No coroutine can raise it: the event loop would drop it, and wait for ever.
            outcome.set_exception(_failure(_STOPPED, error))
        # Raised again where the result is waited for, even a wish to leave the program.
        except BaseException as error:  # noqa: BLE001
            outcome.set_exception(error)

    Thread(target=run, name="obsirag-call", daemon=True).start()
    return outcome


def _failure(reason: str, error: BaseException) -> ServiceError:
    failure = ServiceError(reason)
    failure.__cause__ = error
    return failure
