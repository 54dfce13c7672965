"""Values of a state as JSON and back; what is read is never imported, run or looked up by a name in the file.

A document is ``{"$document": {…}}``, a message ``{"$message": {…}}``, and so on. A mapping with other keys than plain
strings becomes ``{"$pairs": [[key, value], …]}``.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import isfinite
from numbers import Integral, Real
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage, message_to_dict, messages_from_dict
from langgraph.types import Overwrite

__all__ = ["as_json", "from_plain", "to_plain"]

_MARK = "$"


def to_plain(value: Any) -> Any:
    """Return a value as JSON can hold it; what is of no known kind becomes its text."""
    match value:
        case None | bool() | str():
            return value
        case Integral():
            return int(value)
        case Real():
            number = float(value)
            return number if isfinite(number) else {"$float": repr(number)}
        case Document():
            parts = {"id": value.id, "page_content": value.page_content, "metadata": value.metadata}
            return {"$document": to_plain(parts)}
        case BaseMessage():
            return {"$message": to_plain(message_to_dict(value))}
        case Overwrite():
            return {"$overwrite": to_plain(value.value)}
        case Mapping():
            if all(isinstance(key, str) and not key.startswith(_MARK) for key in value):
                return {key: to_plain(each) for key, each in value.items()}
            return {"$pairs": [[to_plain(key), to_plain(each)] for key, each in value.items()]}
        case list() | tuple() | set() | frozenset():
            return [to_plain(each) for each in value]
    return {"$text": str(value)}


def from_plain(value: Any) -> Any:
    """Return the value that ``to_plain`` wrote; a tuple or a set comes back as a list.

    Raises:
        ValueError: If it isn't of that form.
    """
    if isinstance(value, list):
        return [from_plain(each) for each in value]
    if not isinstance(value, dict):
        return value
    kinds = [key for key in value if key.startswith(_MARK)]
    if not kinds:
        return {key: from_plain(each) for key, each in value.items()}
    if len(value) > 1 or kinds[0] not in _READERS:
        raise ValueError(f"a value of the unknown kind {kinds[0][:40]!r}")
    try:
        return _READERS[kinds[0]](value[kinds[0]])
    except (TypeError, LookupError) as error:
        raise ValueError(f"a wrong {kinds[0]}") from error


def as_json(value: Any) -> str:
    """Return plain data as JSON that people can read, in any case such as UTF-8 can hold."""
    text = json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # half of a character
        return json.dumps(value, indent=1, allow_nan=False)
    return text


def _message(parts: Any) -> BaseMessage:
    return messages_from_dict([from_plain(parts)])[0]


def _pairs(pairs: Any) -> dict[Any, Any]:
    return {from_plain(key): from_plain(each) for key, each in pairs}


_READERS: Mapping[str, Callable[[Any], Any]] = {
    "$document": lambda parts: Document(**from_plain(parts)),
    "$message": _message,
    "$overwrite": lambda inner: Overwrite(from_plain(inner)),
    "$pairs": _pairs,
    "$float": float,
    "$text": str,
}
