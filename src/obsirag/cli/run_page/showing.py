"""Small things that the page shows in several places."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from obsirag.cli.page.escaping import as_text
from obsirag.cli.run_page.words import Words

__all__ = ["as_details", "as_lines", "as_link", "as_marks", "as_place", "as_seconds", "as_value", "bdi"]

_SCHEMES = ("obsidian://", "https://", "http://")


def bdi(text: str) -> str:
    """Return somebody's text as HTML, whose direction of writing ends with it."""
    return f"<bdi>{as_text(text)}</bdi>"


def as_seconds(seconds: float | None) -> str:
    """Return a time as people read it."""
    if seconds is None:
        return "–"
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"


def as_link(text: str, address: str) -> str:
    """Return HTML as a link, if the address is one that opens a note or a page."""
    if not address.lower().startswith(_SCHEMES):
        return text
    return f'<a href="{escape(address)}" rel="noreferrer noopener">{text}</a>'


def as_marks(numbers: Iterable[int]) -> str:
    """Return numbers of citations as an answer writes them, each once."""
    return " ".join(f"[{each}]" for each in sorted(set(numbers)))


def as_place(item: Mapping[str, Any], words: Words) -> str:
    """Return which passage it is: title, headings, file and lines."""
    title = str(item.get("title") or item["source"])
    names = [title, *(each for each in item.get("headings") or [] if each != title)]
    first, last = item.get("start_line") or 0, item.get("end_line") or 0
    lines = words("lines", first=first, last=last) if last > first else words("line", first=first) if first else ""
    path = " › ".join(bdi(str(each)) for each in names)
    source = f'<span class="source">{bdi(str(item["source"]))}{", " + lines if lines else ""}</span>'
    return f'<span class="name">{path}</span> {source}'


def as_value(value: Any) -> str:
    """Return a value as text: text as it is, a list of texts on lines, anything else as JSON."""
    if isinstance(value, str):
        return as_text(value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return as_text("\n".join(value))
    return as_text(json.dumps(value, ensure_ascii=False, indent=1))


def as_lines(value: Any) -> str:
    """Return a value as text, with a line for each thing in a list, and for each field of a thing alone."""
    if isinstance(value, Mapping):
        return as_text("\n".join(f"{name}: {_short(each)}" for name, each in value.items()))
    return as_text("\n".join(map(_short, value))) if isinstance(value, list) else as_value(value)


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return " · ".join(_short(each) for each in value.values())
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def as_details(summary: str, inside: str, kind: str = "") -> str:
    """Return what can be opened."""
    return f'<details class="{kind}"><summary>{summary}</summary>{inside}</details>'
