"""The order in which people read a page that may have columns."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from obsirag.loaders.layout.line import Line, overlap
from obsirag.loaders.layout.open_tables import with_tables

__all__ = ["in_reading_order"]

_FEWEST = 4
"""How many lines of a column have one beside them in the next, at least."""

_NARROWEST = 7.0
"""How wide a column's lines are at least, in letters' sizes; narrower ones are the cells of a table without rules."""

_GUTTER = 0.4
"""Half of the room between two columns, in letters' sizes."""

_EVEN = 4.0
"""How far below two columns that end together something else begins, at most, in letters' sizes."""

_LARGER = 1.12
_SAME_ROW = 0.5
_STEP = 3.0
_DEEPEST = 6


def in_reading_order(lines: Sequence[Line], depth: int = 0) -> list[list[Line]]:
    """Return the columns of a page, one after the other, each with its lines from the top.

    Where a line goes across several columns, those above it end: they are read before it, those below it after.
    """
    gutter = _gutter(lines) if depth < _DEEPEST else None
    if gutter is None:
        rows = _rows(lines)
        return [rows] if rows else []
    place, room = gutter
    columns: list[list[Line]] = []
    band: list[Line] = []
    across: list[Line] = []

    def end_band() -> None:
        left, right = [each for each in band if each.x1 <= place], [each for each in band if each.x1 > place]
        below = _below(left, right)
        for side in ([each for each in left if each not in below], right, below):
            columns.extend(in_reading_order(side, depth + 1))
        band.clear()

    for line in sorted(lines, key=lambda each: each.top):
        if line.x0 < place - room and line.x1 > place + room:
            end_band()
            across.append(line)
            continue
        if across:
            columns.append(_rows(across))
            across = []
        band.append(line)
    end_band()
    return [*columns, _rows(across)] if across else columns


def _gutter(lines: Sequence[Line]) -> tuple[float, float] | None:
    """Return the middle of the room between two columns and half its least width, or None if there is one column."""
    texts = [line for line in lines if not line.is_table]
    if len(texts) < 2 * _FEWEST:
        return None
    size = median(line.size for line in texts)
    room = _GUTTER * size
    left, right = min(line.x0 for line in texts), max(line.x1 for line in texts)
    best: tuple[int, float] | None = None
    place = left + _NARROWEST * size
    while place < right - _NARROWEST * size:
        support = _support(lines, place, room, size)
        if support and (best is None or support > best[0]):
            best = (support, place)
        place += _STEP
    return None if best is None else (best[1], room)


def _support(lines: Sequence[Line], place: float, room: float, size: float) -> int:
    """Return how many lines more have one beside them across a place than go across it; 0 if there are no columns."""
    left = [line for line in lines if line.x1 <= place - room / 2]
    right = [line for line in lines if line.x0 >= place + room / 2]
    if len(left) < _FEWEST or len(right) < _FEWEST:
        return 0
    if min(_width(left), _width(right)) < _NARROWEST * size:
        return 0
    beside = min(_beside(left, right), _beside(right, left))
    return max(0, beside - (len(lines) - len(left) - len(right))) if beside >= _FEWEST else 0


def _below(left: Sequence[Line], right: Sequence[Line]) -> list[Line]:
    """Return what stands below both columns although it is no wider than the left one: from a heading or a table on.

    A left column that is only longer goes on, beside nothing, and is read before the right one.
    """
    end = max((line.bottom for line in right), default=0.0)
    ordered = sorted(left, key=lambda each: each.top)
    size = median([line.size for line in left if not line.is_table] or [0.0])
    for number, line in enumerate(ordered):
        if line.top > end + _EVEN * size:
            break
        if number and line.top >= end and (line.is_table or line.size > _LARGER * size):
            return ordered[number:]
    return []


def _width(lines: Sequence[Line]) -> float:
    return median(line.x1 - line.x0 for line in lines)


def _beside(some: Sequence[Line], others: Sequence[Line]) -> int:
    return sum(any(one.top < other.bottom and other.top < one.bottom for other in others) for one in some)


def _rows(lines: Sequence[Line]) -> list[Line]:
    """Return lines from the top: what stands in one row is joined, rows of cells below each other are a table."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda each: (each.top, each.x0)):
        last = rows[-1] if rows else []
        if last and not line.is_table and not last[0].is_table and overlap(line, last[-1]) > _SAME_ROW:
            last.append(line)
        else:
            rows.append([line])
    return with_tables([sorted(row, key=lambda each: each.x0) for row in rows])
