"""What differs between two runs, or between what a node got or gave in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from obsirag.graphs.tracing.shape import RunRecord

__all__ = ["compare_records"]

_WHOLE = ("question", "status", "draft", "answer", "degraded", "error")


def compare_records(first: RunRecord, second: RunRecord) -> dict[str, Any]:
    """Return what differs between two records of runs; what is the same in both is left out.

    A pair of values is told as a list of two, the first record's first. Times and tokens always differ and don't count.

    Args:
        first: A record.
        second: The other.

    Returns:
        ``question``, ``status``, ``draft``, ``answer``, ``degraded``, ``error`` as pairs; ``plan`` with pairs by field;
        ``nodes``, the pair of the nodes that ran, in order. ``rounds``, a list with, by round, ``round`` (from 1), with
        ``searches`` and ``stages`` by name, each with ``query``, ``only_first``, ``only_second`` and ``moved``, and
        with ``verdict``. ``citations`` with the same three, ``moved`` where only the number is another.
    """
    told: dict[str, Any] = {name: pair for name in _WHOLE if (pair := _pair(first.get(name), second.get(name)))}
    if first["answer"] and second["answer"]:
        told.pop("draft", None)  # the answers say it
    told["plan"] = _fields(first.get("plan") or {}, second.get("plan") or {})
    told["nodes"] = _pair(_nodes(first), _nodes(second))
    told["rounds"] = _rounds(first["rounds"], second["rounds"])
    told["citations"] = _places(first["citations"], second["citations"], _cited, "number")
    return {name: value for name, value in told.items() if value}


def _pair(first: Any, second: Any) -> list[Any] | None:
    return None if first == second else [first, second]


def _fields(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    names = [*first, *(name for name in second if name not in first)]
    return {name: pair for name in names if (pair := _pair(first.get(name), second.get(name)))}


def _nodes(record: RunRecord) -> list[str]:
    # Of nodes side by side it isn't said which begins first.
    steps = sorted(record["steps"], key=lambda step: (step["step"], step["node"]))
    return [step["node"] for step in steps]


def _rounds(first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    told = []
    for index in range(max(len(first), len(second))):
        one, other = (rounds[index] if index < len(rounds) else {} for rounds in (first, second))
        difference = {
            "searches": _lists(one.get("searches") or [], other.get("searches") or [], "name", "hits"),
            "stages": _lists(one.get("stages") or [], other.get("stages") or [], "node", "passages"),
            "verdict": _fields(one.get("verdict") or {}, other.get("verdict") or {}),
        }
        if difference := {name: value for name, value in difference.items() if value}:
            told.append({"round": index + 1, **difference})
    return told


def _lists(
    first: Sequence[Mapping[str, Any]], second: Sequence[Mapping[str, Any]], name: str, items: str
) -> dict[str, Any]:
    """Return what differs between lists of the same name: searches with their hits, stages with their passages."""
    one, other = ({each[name]: each for each in lists} for lists in (first, second))
    told = {}
    for key in sorted({*one, *other}):
        before, after = one.get(key, {}), other.get(key, {})
        difference = _places(before.get(items) or [], after.get(items) or [], _found, "rank", "scores", "dropped_by")
        if pair := _pair(before.get("query"), after.get("query")):
            difference["query"] = pair
        if difference:
            told[key] = difference
    return told


def _places(first: Sequence[Any], second: Sequence[Any], key_of: Any, *fields: str) -> dict[str, Any]:
    """Return which items only one of two lists has, and of those in both, the fields that differ."""
    one, other = ({key_of(each): each for each in items} for items in (first, second))
    told = {
        "only_first": [_short(one[key], fields) for key in one if key not in other],
        "only_second": [_short(other[key], fields) for key in other if key not in one],
        "moved": [
            {**_named(one[key]), **changed}
            for key in one
            if key in other
            and (
                changed := {name: pair for name in fields if (pair := _pair(one[key].get(name), other[key].get(name)))}
            )
        ],
    }
    return {name: value for name, value in told.items() if value}


def _short(item: Mapping[str, Any], fields: Sequence[str]) -> dict[str, Any]:
    return {**_named(item), **{name: item[name] for name in fields if name in item}}


def _named(item: Mapping[str, Any]) -> dict[str, Any]:
    return {name: item[name] for name in ("source", "chunk_id", "start_line", "end_line") if name in item}


def _found(hit: Mapping[str, Any]) -> str:
    return str(hit["chunk_id"])


def _cited(citation: Mapping[str, Any]) -> tuple[Any, ...]:
    return citation["source"], citation["start_line"], citation["end_line"], citation["quote"]
