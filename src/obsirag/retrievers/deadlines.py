"""Calls that are waited for so long and no longer."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from threading import Thread
from typing import TypeVar

__all__ = ["call_within"]

Result = TypeVar("Result")


def call_within(seconds: float, call: Callable[[], Result]) -> Result:
    """Return what a call returns; one that takes too long is left alone, and keeps nobody from leaving the program.

    Args:
        seconds: How long it is waited for.
        call: What is called, in a thread of its own, with the context variables of the caller.

    Raises:
        TimeoutError: If it takes longer. Whatever else the call raises is raised too.
    """
    outcome: Future[Result] = Future()
    context = copy_context()

    def run() -> None:
        try:
            outcome.set_result(context.run(call))
        # Raised again where the result is waited for, even a wish to leave the program.
        except BaseException as error:  # noqa: BLE001
            outcome.set_exception(error)

    Thread(target=run, name="obsirag-call-within", daemon=True).start()
    return outcome.result(timeout=seconds)
