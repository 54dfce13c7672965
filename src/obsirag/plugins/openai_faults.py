"""The one place where the errors of OpenAI's client become the project's own."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import openai
from pydantic import ValidationError

from obsirag.errors import ServiceError

__all__ = ["service_errors"]

_ADVICE = {
    400: "the server refused the request; look at its log, and at the model's limits",
    401: "the server wants another key; look at `api_key`",
    403: "the key has no right to this; look at `api_key` and `model`",
    404: "look at `model` and `base_url` (which usually ends in /v1)",
    413: "the request is too large for the server; choose smaller chunks or batches",
    422: "the server refused the request; look at its log, and at the model's limits",
    429: "too many requests, or no credit left; wait, or choose another model",
}


@contextmanager
def service_errors(kind: str, model: str, address: str) -> Iterator[None]:
    """Raise what goes wrong inside as a ServiceError that says what, where, and what to do.

    What the server said is not repeated: servers quote the text they were given, which may be restricted. It is in the
    error's ``__cause__``.

    Args:
        kind: The kind of part, e.g. ``chat model``.
        model: The model's name.
        address: The server's address.
    """
    try:
        yield
    except ValidationError:
        raise  # a structured answer of another structure: the model's fault, and the caller's to mend
    except _errors() as error:
        raise ServiceError(f"{kind} {model!r} at {address}: {_explain(error)}") from error


def _explain(error: Exception) -> str:
    if isinstance(error, openai.APITimeoutError | TimeoutError) or "Timeout" in type(error).__name__:
        return "no answer in time; is the server overloaded? `connect_timeout` and `read_timeout` can be raised"
    if isinstance(error, openai.APIStatusError):
        code = error.code if isinstance(error.code, str) and error.code.isidentifier() else ""
        advice = _ADVICE.get(error.status_code, "the server failed; try again later, or look at its log")
        return f"HTTP {error.status_code}{f' ({code})' if code else ''}: {advice}"
    if isinstance(error, openai.LengthFinishReasonError):
        return "the answer was cut off; raise `max_tokens`"
    if isinstance(error, openai.APIConnectionError):
        causes = list(_causes(error))
        if any("ConnectError" in type(cause).__name__ for cause in causes):
            return f"cannot be reached ({causes[-1]}); start the server, or look at `base_url`"
        return f"the connection broke off ({causes[-1]}); look at the server's log"
    return f"the answer cannot be read ({type(error).__name__}); is this an OpenAI-compatible server?"


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    while cause is not None:
        yield cause
        cause = cause.__cause__


def _errors() -> tuple[type[Exception], ...]:
    # A connection that breaks while an answer is read raises the transport's own error. Which library that is depends
    # on openai's version: it is the one whose client it builds on.
    transport: Any = sys.modules[openai.DefaultHttpxClient.__bases__[0].__module__.partition(".")[0]]
    # An answer that is no such protocol at all, say a web page, makes LangChain stumble over its missing parts.
    unreadable = (AttributeError, LookupError, TypeError, ValueError)
    return (openai.OpenAIError, transport.HTTPError, transport.StreamError, TimeoutError, *unreadable)
