"""The filter language: which metadata a caller wants.

A filter is a mapping. ``{"field": value}`` asks for a value, ``{"field": {"$gt": value}}`` compares, several fields
must all match, ``{"$and": [...]}`` and ``{"$or": [...]}`` join filters. The operators are ``$eq``, ``$ne``, ``$in``,
``$nin``, ``$gt``, ``$gte``, ``$lt`` and ``$lte``. The fields are those of the chunks' metadata, front matter included.

A list matches if any of its items does (``$ne`` and ``$nin``: if none equals). A field that is missing or null matches
only ``$ne``, ``$nin`` and an asked-for null. Values of different kinds are neither equal nor in any order: ``true`` is
no number, and a number is no text. Dates are ISO text, and compare as such.
"""

# ruff: noqa: A002 - callers write filter={...}, as with every LangChain store

from __future__ import annotations

import datetime
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from obsirag.errors import ConfigError

__all__ = ["Filter", "check_filter", "filter_fields", "matches"]

Filter = Mapping[str, Any]

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
_OPERATORS = ("$eq", "$ne", "$in", "$nin", *_ORDERS)
_JOINTS = ("$and", "$or")


_DEEPEST = 32
"""Filters and lists lie in one another no deeper than this."""


def check_filter(filter: Filter | None) -> None:
    """Make sure that a filter can be read.

    Raises:
        ConfigError: If it cannot; the message names the place.
    """
    if filter is not None:
        _check(filter, 1)


def _check(filter: Filter, depth: int) -> None:
    if depth > _DEEPEST:
        raise ConfigError(f"Filters lie in one another more than {_DEEPEST} deep: join them side by side.")
    if not isinstance(filter, Mapping):
        raise ConfigError(f"A filter must be a mapping of fields to values, not {type(filter).__name__}.")
    for name, condition in filter.items():
        if name in _JOINTS:
            if not isinstance(condition, (list, tuple)):
                raise ConfigError(f"{name} in a filter takes a list of filters, not {type(condition).__name__}.")
            for part in condition:
                _check(part, depth + 1)
        elif not isinstance(name, str) or name.startswith("$"):
            raise ConfigError(
                f'A filter has no operator {name!r} here; fields hold operators, as in {{"year": {{"$gte": 2024}}}}.'
            )
        elif isinstance(condition, Mapping):
            _check_operators(name, condition)
        else:
            _check_value(name, condition)


def filter_fields(filter: Filter) -> set[str]:
    """Return the fields that a filter looks at."""
    fields: set[str] = set()
    for name, condition in filter.items():
        if name in _JOINTS:
            fields.update(field for part in condition for field in filter_fields(part))
        else:
            fields.add(name)
    return fields


def matches(filter: Filter | None, metadata: Mapping[str, Any]) -> bool:
    """Say whether metadata matches a filter; no filter matches everything."""
    return all(_matches_one(name, condition, metadata) for name, condition in (filter or {}).items())


def _matches_one(name: str, condition: Any, metadata: Mapping[str, Any]) -> bool:
    if name == "$and":
        return all(matches(part, metadata) for part in condition)
    if name == "$or":
        return any(matches(part, metadata) for part in condition)
    value = _comparable(metadata.get(name))
    if isinstance(condition, Mapping):
        return all(_holds(sign, value, _comparable(wanted)) for sign, wanted in condition.items())
    return (
        _holds("$in", value, _comparable(condition))
        if isinstance(condition, (list, tuple))
        else _holds("$eq", value, _comparable(condition))
    )


def _holds(sign: str, value: Any, wanted: Any) -> bool:
    if sign == "$eq":
        return _equals(value, wanted)
    if sign == "$ne":
        return not _equals(value, wanted)
    if sign == "$in":
        return any(_equals(value, each) for each in wanted)
    if sign == "$nin":
        return not any(_equals(value, each) for each in wanted)
    compare = _ORDERS[sign]
    return any(
        _kind(each) == _kind(wanted) not in ("null", "other") and compare(each, wanted) for each in _items(value)
    )


def _equals(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        return bool(value == wanted)
    if wanted is None:
        return value is None
    return any(_kind(each) == _kind(wanted) and each == wanted for each in _items(value))


def _items(value: Any) -> Iterable[Any]:
    return value if isinstance(value, list) else (value,)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    return "null" if value is None else "text" if isinstance(value, str) else "other"


def _comparable(value: Any) -> Any:
    """Return a value as the catalogue holds it: dates as ISO text, all sequences as lists."""
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_comparable(each) for each in value]
    return value


def _check_operators(name: str, condition: Mapping[Any, Any]) -> None:
    for sign, wanted in condition.items():
        if sign not in _OPERATORS:
            raise ConfigError(
                f"The filter on {name!r} has no operator {sign!r}; there are {', '.join(_OPERATORS)}. "
                "A nested value is held as JSON text: compare with that."
            )
        if sign in ("$in", "$nin") and not isinstance(wanted, (list, tuple, set, frozenset)):
            raise ConfigError(f"{sign} in the filter on {name!r} takes a list of values, not {type(wanted).__name__}.")
        _check_value(name, wanted)


def _check_value(name: str, value: Any) -> None:
    """Make sure that a value can be walked through to its end."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [item for each in level if isinstance(each, (list, tuple, set, frozenset)) for item in each]
        if not level:
            return
    raise ConfigError(f"The value in the filter on {name!r} holds lists more than {_DEEPEST} deep in one another.")
