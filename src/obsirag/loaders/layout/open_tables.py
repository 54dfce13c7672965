"""Tables without rules: rows of cells, each below the one before."""

from __future__ import annotations

from collections.abc import Sequence

from obsirag.loaders.layout.line import Line, joined
from obsirag.loaders.markup import table

__all__ = ["with_tables"]

_FEWEST_ROWS = 3
_WIDEST_GAP = 1.8
"""How far apart rows are at most, in letters' sizes."""

_SHORTEST_CELL = 3
"""Numbers and bullets before the items of a list are shorter."""


def with_tables(rows: Sequence[list[Line]]) -> list[Line]:
    """Return rows as lines: some that have as many cells, each below the other's, as a table; others joined.

    Args:
        rows: The rows, from the top; each with its stretches, from the left.
    """
    lines: list[Line] = []
    run: list[list[Line]] = []
    for row in rows:
        if run and not _goes_on(run[-1], row):
            lines += _written(run)
            run = []
        run.append(row)
    return [*lines, *_written(run)]


def _goes_on(row: list[Line], after: list[Line]) -> bool:
    if len(row) < 2 or len(row) != len(after) or after[0].top - row[0].bottom > _WIDEST_GAP * row[0].size:
        return False
    return all(one.x0 < other.x1 and other.x0 < one.x1 for one, other in zip(row, after, strict=True))


def _written(run: list[list[Line]]) -> list[Line]:
    firsts = [row[0].text for row in run] if run else []
    if len(run) < _FEWEST_ROWS or len(run[0]) < 2 or sum(len(text) >= _SHORTEST_CELL for text in firsts) * 2 < len(run):
        return [row[0] if len(row) == 1 else joined(row) for row in run]
    cells = [line for row in run for line in row]
    return [
        Line(
            table([[line.text for line in row] for row in run]),
            min(line.x0 for line in cells),
            min(line.top for line in cells),
            max(line.x1 for line in cells),
            max(line.bottom for line in cells),
            0.0,
            is_table=True,
        )
    ]
