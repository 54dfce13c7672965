"""Calls that are waited for so long and no longer."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

from obsirag.errors import ServiceError

__all__ = ["await_within", "call_within"]

Result = TypeVar("Result")

_CANCELLED = "It was cancelled from within."


def call_within(seconds: float, call: Callable[[], Result]) -> Result:
    """Return what a call returns; one that takes too long is left alone, and keeps nobody from leaving the program.

    Args:
        seconds: How long it is waited for.
        call: What is called, in a thread of its own, with the context variables of the caller.

    Raises:
        TimeoutError: If it takes longer. Whatever else the call raises is raised too.
        ServiceError: If it cancels itself; nobody else can.
    """
    outcome: Future[Result] = Future()
    context = copy_context()

    def run() -> None:
        try:
            outcome.set_result(context.run(call))
        except asyncio.CancelledError as error:
            failure = ServiceError(_CANCELLED)
            failure.__cause__ = error
            outcome.set_exception(failure)
        # Raised again where the result is waited for, even a wish to leave the program.
        except BaseException as error:  # noqa: BLE001
            outcome.set_exception(error)

    Thread(target=run, name="obsirag-call-within", daemon=True).start()
    return outcome.result(timeout=seconds)


async def await_within(seconds: float, call: Callable[[], Awaitable[Result]]) -> Result:
    """Do what :func:`call_within` does, without holding up the event loop.

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
