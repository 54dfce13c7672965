"""Metadata as JSON text."""

from __future__ import annotations

import datetime
import json
from collections.abc import Mapping, Sequence
from typing import Any

__all__ = ["decode", "encode", "shared_fields"]


def encode(value: object) -> str:
    """Return ``value`` as JSON text.

    Dates and times become their ISO text, sets sorted lists, and what JSON doesn't know its ``str``: a field of a note
    may hold anything that YAML can say.
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_plain)


def decode(text: str) -> Any:
    """Return what ``encode`` wrote."""
    return json.loads(text)


def shared_fields(metadata: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the fields that all of ``metadata`` have with the same value, so that they need be stored only once."""
    if not metadata:
        return {}
    first, *others = metadata
    return {
        name: value
        for name, value in first.items()
        if all(name in other and _same(other[name], value) for other in others)
    }


def _same(one: object, other: object) -> bool:
    if isinstance(one, (dict, list, tuple)):
        return one is other or encode(one) == encode(other)
    return type(one) is type(other) and one == other  # 1, 1.0 and True are different values here


def _plain(value: object) -> object:
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    return str(value)
