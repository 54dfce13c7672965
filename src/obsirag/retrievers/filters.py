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
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from typing import Any

from obsirag.errors import ConfigError

__all__ = ["Filter", "check_filter", "filter_fields", "matcher", "matches"]

Filter = Mapping[str, Any]

_ORDERS: Mapping[str, Callable[[Any, Any], bool]] = {
    "$gt": operator.gt,
    "$gte": operator.ge,
    "$lt": operator.lt,
    "$lte": operator.le,
}
_OPERATORS = ("$eq", "$ne", "$in", "$nin", *_ORDERS)
_JOINTS = ("$and", "$or")
_LISTS = (list, tuple, set, frozenset)
_SCALARS = (bool, int, float, str, datetime.date, datetime.time, type(None))
_PLAIN = ("boolean", "number", "text")

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
    return matcher(filter)(metadata)


def matcher(filter: Filter | None) -> Callable[[Mapping[str, Any]], bool]:
    """Return what says of metadata whether they match a filter; made once for many of them.

    Wanted values are looked up rather than walked through: a filter may list as many as there are notes.
    """
    tests = [_test_of(name, condition) for name, condition in (filter or {}).items()]
    return lambda metadata: all(test(metadata) for test in tests)


def _test_of(name: str, condition: Any) -> Callable[[Mapping[str, Any]], bool]:
    if name in _JOINTS:
        parts = [matcher(part) for part in condition]
        if name == "$and":
            return lambda metadata: all(part(metadata) for part in parts)
        return lambda metadata: any(part(metadata) for part in parts)
    if not isinstance(condition, Mapping):
        condition = {"$in" if isinstance(condition, _LISTS) else "$eq": condition}
    tests = [_value_test(sign, _comparable(wanted)) for sign, wanted in condition.items()]

    def test(metadata: Mapping[str, Any]) -> bool:
        value = _comparable(metadata.get(name))
        return all(holds(value) for holds in tests)

    return test


def _value_test(sign: str, wanted: Any) -> Callable[[Any], bool]:
    if sign in _ORDERS:
        compare, kind = _ORDERS[sign], _kind(wanted)
        if kind not in _PLAIN:
            return lambda _: False
        return lambda value: any(_kind(each) == kind and compare(each, wanted) for each in _items(value))
    is_among = _lookup(wanted if sign in ("$in", "$nin") else [wanted])
    return is_among if sign in ("$eq", "$in") else lambda value: not is_among(value)


def _lookup(wanted: Sequence[Any]) -> Callable[[Any], bool]:
    """Return what says whether a value, or any item of a list, equals one of ``wanted``."""
    plain = {(_kind(each), each) for each in wanted if _kind(each) in _PLAIN}
    lists = [each for each in wanted if isinstance(each, list)]
    null = any(each is None for each in wanted)

    def is_among(value: Any) -> bool:
        if value is None:
            return null
        kinds = ((_kind(each), each) for each in _items(value))
        return any(each[0] in _PLAIN and each in plain for each in kinds) or value in lists

    return is_among


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
    if isinstance(value, _LISTS):
        return [_comparable(each) for each in value]
    if isinstance(value, Enum):  # one that is a text or a number as well; it may have a hash of its own
        return value.value
    return value


def _check_operators(name: str, condition: Mapping[Any, Any]) -> None:
    for sign, wanted in condition.items():
        if sign not in _OPERATORS:
            raise ConfigError(
                f"The filter on {name!r} has no operator {sign!r}; there are {', '.join(_OPERATORS)}. "
                "A nested value is held as JSON text: compare with that."
            )
        if sign in ("$in", "$nin") and not isinstance(wanted, _LISTS):
            raise ConfigError(f"{sign} in the filter on {name!r} takes a list of values, not {type(wanted).__name__}.")
        _check_value(name, wanted)


def _check_value(name: str, value: Any) -> None:
    """Make sure that a value can be walked through to its end, and is such as fields hold."""
    level = [value]
    for _ in range(_DEEPEST):
        for each in level:
            if not isinstance(each, (*_LISTS, *_SCALARS)):
                raise ConfigError(
                    f"The filter on {name!r} holds a {type(each).__name__}, which no field does. Give text, a number, "
                    "true or false, a date, null, or a list of them; a nested value is held as JSON text."
                )
        level = [item for each in level if isinstance(each, _LISTS) for item in each]
        if not level:
            return
    raise ConfigError(f"The value in the filter on {name!r} holds lists more than {_DEEPEST} deep in one another.")
