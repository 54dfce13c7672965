"""A line of text at its place on a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Line", "Page", "joined", "joining", "overlap"]

# Characters between which no blanks are written.
_WIDE = (("\u2e80", "\u9fff"), ("\uf900", "\ufaff"), ("\uff00", "\uffef"))


@dataclass(frozen=True, slots=True)
class Line:
    """A stretch of text without a wide gap in it, or a table.

    Args:
        text: The text; of a table, its Markdown.
        x0: The left end. All places are in points, from the left and from the top.
        top: The upper end.
        x1: The right end.
        bottom: The lower end.
        size: The size of its letters.
        is_table: Whether it is a table.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    is_table: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A page.

    Args:
        number: Its number, from 1.
        height: Its height in points.
        lines: What stands on it, in any order.
    """

    number: int
    height: float
    lines: Sequence[Line]


def overlap(one: Line, other: Line) -> float:
    """Return which share of the lower of two lines is beside the other."""
    common = min(one.bottom, other.bottom) - max(one.top, other.top)
    return common / max(0.1, min(one.bottom - one.top, other.bottom - other.top))


def joining(before: str, after: str) -> str:
    """Return what stands between two lines of a paragraph: nothing between CJK characters, else a blank."""
    return "" if before and after and _is_wide(before[-1]) and _is_wide(after[0]) else " "


def joined(row: Sequence[Line]) -> Line:
    """Return what stands side by side as one line."""
    first, *others = row
    text = first.text
    for each in others:
        text = f"{text} {each.text}"
    return Line(
        text,
        first.x0,
        min(each.top for each in row),
        max(each.x1 for each in row),
        max(each.bottom for each in row),
        max(row, key=lambda each: len(each.text)).size,
    )


def _is_wide(character: str) -> bool:
    return any(first <= character <= last for first, last in _WIDE)
