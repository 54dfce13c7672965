"""Filters in Milvus's own language."""

# ruff: noqa: A002 - the name is LangChain's

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from obsirag.errors import ConfigError

__all__ = ["COLUMNS", "NOTHING", "to_expression", "with_ids"]

COLUMNS = ("access", "source")
"""Fields of metadata that have columns of their own, as every search filters by them."""

NOTHING = "false"
"""The condition that nothing meets; no server is asked then."""

_ORDERS = {"$gt": ">", "$gte": ">=", "$lt": "<", "$lte": "<="}
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def to_expression(filter: Mapping[str, Any] | None) -> str:
    """Return a filter as an expression; every value is quoted, so that nothing in it means anything.

    Returns:
        Empty if everything matches, ``NOTHING`` if nothing can.

    Raises:
        ConfigError: If it asks for something that Milvus cannot compare.
    """
    return _joined("and", [_condition(name, condition) for name, condition in (filter or {}).items()])


def with_ids(ids: Iterable[str]) -> str:
    """Return the expression for rows under any of some ids, one at least; pymilvus itself doesn't quote them."""
    return f"id in [{', '.join(map(_value, ids))}]"


def _condition(name: str, condition: Any) -> str:
    if name == "$and":
        return _joined("and", [to_expression(part) for part in condition])
    if name == "$or":
        return _joined("or", [to_expression(part) for part in condition])
    if not isinstance(condition, Mapping):
        condition = {"$in" if isinstance(condition, list | tuple | set | frozenset) else "$eq": condition}
    field = name if name in COLUMNS else f"metadata[{_value(name)}]"
    return _joined("and", [_comparison(field, sign, wanted) for sign, wanted in condition.items()])


def _comparison(field: str, sign: str, wanted: Any) -> str:
    if sign in ("$in", "$nin"):
        if not wanted:
            return NOTHING if sign == "$in" else ""
        among = _among(field, [_value(each) for each in wanted])
        return among if sign == "$in" else _not(field, among)
    if sign == "$eq":
        return f"{field} == {_value(wanted)}"
    if sign == "$ne":
        return _not(field, f"{field} == {_value(wanted)}")
    if sign in _ORDERS:
        return f"{field} {_ORDERS[sign]} {_value(wanted)}"
    raise ConfigError(f"Milvus knows no filter operator {sign!r}; it has $eq, $ne, $in, $nin, $gt, $gte, $lt, $lte.")


def _among(field: str, values: list[str]) -> str:
    if field in COLUMNS:
        return f"{field} in [{', '.join(values)}]"
    return _joined("or", [f"{field} == {value}" for value in values])  # Milvus Lite has no lists for fields in JSON


def _not(field: str, condition: str) -> str:
    # What a row doesn't have is neither equal nor unequal to anything, in Milvus Lite.
    return f"not ({condition})" if field in COLUMNS else f"(not (exists {field})) or (not ({condition}))"


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return '"' + value.encode("utf-8", "replace").decode("utf-8").translate(_ESCAPES) + '"'
    raise ConfigError(f"Milvus compares text, numbers and truth values in a filter, not a {type(value).__name__}.")


def _joined(word: str, parts: list[str]) -> str:
    """Join conditions; empty stands for the one that everything meets."""
    decided, neutral = (NOTHING, "") if word == "and" else ("", NOTHING)
    if any(part == decided for part in parts):
        return decided
    kept = [part for part in parts if part != neutral]
    if not kept:
        return neutral
    return kept[0] if len(kept) == 1 else "(" + f" {word} ".join(f"({part})" for part in kept) + ")"
