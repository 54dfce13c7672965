"""Answers of a chat model in a given form, from middling models too.

JSON schema first, then function calling or JSON mode, then plain text that is searched for JSON; what was wrong is
shown to the model. Each form is asked for in the prompt as well, since servers ignore what they don't know.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Sequence
from typing import TypeVar, get_args

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.utils.json import parse_json_markdown
from pydantic import BaseModel, ValidationError

from obsirag.graphs.model_calls import Method, ModelCalls, Reply, Request

__all__ = ["MAX_CALLS", "ask_for"]

Form = TypeVar("Form", bound=BaseModel)

MAX_CALLS = 3
"""Most calls for one answer."""

_LONGEST_ERROR = 300
# Statuses of servers that don't take what they don't know: bad request, not found, not processable, not implemented.
_REFUSALS = frozenset({400, 404, 405, 415, 422, 501})
_JSON = re.compile(r"\{.*\}|\[.*\]", re.DOTALL)


def ask_for(
    form: type[Form], messages: Sequence[BaseMessage], calls: ModelCalls, *, complaint: Callable[[str], str]
) -> Generator[Request, Reply, Form | None]:
    """Return a chat model's answer in a form; None if it doesn't come to that in a few calls.

    Args:
        form: A small pydantic model.
        messages: What the model gets; the last message says which JSON is wanted.
        calls: Knows which methods the model doesn't support.
        complaint: Says what to tell the model of an error in an answer that isn't of the form.
    """
    methods = _methods(calls)
    suspect: Method | None = None
    asked = list(messages)
    while methods:
        method = methods.pop(0)
        reply = yield Request(asked, form, method) if method else Request(asked)
        if reply.failed:
            if method is None:
                return None
            # Whether it is the method or the model shows where nothing but text is asked for.
            suspect, methods = method if _is_refusal(reply.error) else None, [None]
            continue
        if suspect is not None:
            calls.unsupported.add(suspect)
        parsed = reply.parsed if isinstance(reply.parsed, form) else _read(form, reply.text)
        if isinstance(parsed, form):
            return parsed
        asked = [
            *messages,
            AIMessage(reply.text or "-"),
            HumanMessage(complaint(str(parsed)[:_LONGEST_ERROR])),
        ]
    return None


def _is_refusal(error: BaseException | None) -> bool:
    """Say whether an error says that a method isn't known, rather than that a call got lost."""
    while error is not None:
        status = getattr(error, "status_code", None)
        if isinstance(error, (TypeError, ValueError, NotImplementedError)) or status in _REFUSALS:
            return True
        error = error.__cause__
    return False


def _methods(calls: ModelCalls) -> list[Method | None]:
    usable: list[Method | None] = [method for method in get_args(Method) if method not in calls.unsupported]
    return [*usable[: MAX_CALLS - 1], None]


def _read(form: type[Form], text: str) -> Form | str:
    """Return the form that a text holds as JSON, or what is wrong with it."""
    found = _JSON.search(text)
    if found is None:
        return "no JSON"
    try:
        return form.model_validate(parse_json_markdown(found[0]))
    except ValidationError as error:
        return "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
    except (json.JSONDecodeError, ValueError, RecursionError):
        return "the JSON cannot be read"
