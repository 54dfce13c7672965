"""Printing what differs between two runs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from difflib import unified_diff
from typing import Any

from obsirag.cli.printing import one_line, print_json, print_line, print_lines

__all__ = ["print_differences"]

_TEXTS = ("draft", "answer")
_STYLES = {"-": "red", "+": "green"}


def print_differences(differences: Mapping[str, Any], *, as_json: bool) -> bool:
    """Print what ``compare_records`` found; say whether there is anything.

    Args:
        differences: What it returned.
        as_json: Whether to print it as JSON.
    """
    if as_json:
        print_json(differences)
    elif not differences:
        print_line("No differences.")
    else:
        lines = [line for name, value in differences.items() for line in _lines(name, value)]
        print_lines((line, _STYLES.get(line.lstrip()[:1], "")) for line in lines)
    return bool(differences)


def _lines(name: str, value: Any) -> Iterator[str]:
    match name:
        case "plan":
            for field, pair in value.items():
                yield from _pair(f"plan: {field}", pair)
        case "rounds":
            for each in value:
                yield from _round(each)
        case "citations":
            yield "citations"
            yield from _places(value)
        case _:
            yield from _pair(name, value)


def _pair(name: str, pair: list[Any]) -> Iterator[str]:
    yield one_line(name)
    if name in _TEXTS:
        first, second = ((text or "").splitlines() for text in pair)
        yield from (f"  {line}" for line in [*unified_diff(first, second, lineterm="", n=1)][3:])
        return
    yield f"  - {_shown(pair[0])}"
    yield f"  + {_shown(pair[1])}"


def _round(difference: Mapping[str, Any]) -> Iterator[str]:
    number = difference["round"]
    for kind in ("searches", "stages"):
        for name, each in difference.get(kind, {}).items():
            yield one_line(f"round {number}: {name}")
            if pair := each.get("query"):
                yield f"  - {_shown(pair[0])}"
                yield f"  + {_shown(pair[1])}"
            yield from _places(each)
    for field, pair in difference.get("verdict", {}).items():
        yield from _pair(f"round {number}: verdict: {field}", pair)


def _places(difference: Mapping[str, Any]) -> Iterator[str]:
    for mark, kind in (("-", "only_first"), ("+", "only_second")):
        for each in difference.get(kind, []):
            yield f"  {mark} {_place(each)}{_fields({name: each[name] for name in ('rank', 'number') if name in each})}"
    for each in difference.get("moved", []):
        pairs = {
            name: f"{_shown(pair[0])} → {_shown(pair[1])}" for name, pair in each.items() if isinstance(pair, list)
        }
        yield f"    {_place(each)}{_fields(pairs)}"


def _place(item: Mapping[str, Any]) -> str:
    lines = f":{item['start_line']}-{item['end_line']}" if item.get("start_line") else f"  {item.get('chunk_id', '')}"
    return one_line(f"{item['source']}{lines}")


def _fields(told: Mapping[str, Any]) -> str:
    return "".join(f"  {name} {one_line(str(value))}" for name, value in told.items())


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_shown(each)}" for name, each in value.items()) or "-"
    if isinstance(value, float):
        return f"{value:.4g}"
    text = value if isinstance(value, str) else "-" if value is None else json.dumps(value, ensure_ascii=False)
    return one_line(text.replace("\n", " "))
