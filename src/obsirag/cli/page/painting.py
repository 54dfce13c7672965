"""Text with marks that may overlap, written as HTML."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from html import escape

from obsirag.cli.page.escaping import as_text
from obsirag.cli.page.structures import Mark, Structure

__all__ = ["Painter"]

_VISIBLE = re.compile(r"\S")

_Run = tuple[int, int, str]
"""Start, end, and the opening tag of a stretch within which the same marks hold."""


class Painter:
    """Writes stretches of one text, each character once.

    Args:
        text: The text.
        structures: The blocks that stand out, in order and apart.
        marks: What is marked; marks may overlap.
    """

    def __init__(self, text: str, structures: Sequence[Structure], marks: Iterable[Mark]) -> None:
        self._text = text
        self._structures = structures
        self._ends = [each.end for each in structures]
        self._runs = _runs(marks)
        self._run_ends = [end for _, end, _ in self._runs]

    def plain(self, start: int, end: int) -> str:
        """Return ``text[start:end]`` without blocks and marks."""
        return as_text(self._text[start:end])

    def blocks(self, start: int, end: int) -> str:
        """Return ``text[start:end]`` with its blocks, or what of them lies within, as elements of their own."""
        parts: list[str] = []
        position = start
        index = bisect_right(self._ends, start)
        while index < len(self._structures) and self._structures[index].start < end:
            each = self._structures[index]
            first, last = max(each.start, start), min(each.end, end)
            parts.append(self._lines(position, first))
            cut = f"{' begun' if each.start < first else ''}{' goes-on' if self._goes_on(each, last) else ''}"
            parts.append(f'<div class="block {each.kind}{cut}">{self._lines(first, last)}</div>')
            position = last
            index += 1
        return "".join([*parts, self._lines(position, end)])

    def is_blank(self, start: int, end: int) -> bool:
        """Say whether ``text[start:end]`` holds nothing that is seen."""
        return _VISIBLE.search(self._text, start, end) is None

    def _goes_on(self, structure: Structure, end: int) -> bool:
        return not self.is_blank(end, structure.end)

    def _lines(self, start: int, end: int) -> str:
        """Return ``text[start:end]`` with its marks."""
        parts: list[str] = []
        position = start
        index = bisect_right(self._run_ends, start)
        while index < len(self._runs) and self._runs[index][0] < end:
            run_start, run_end, opening = self._runs[index]
            first, last = max(run_start, start), min(run_end, end)
            parts += (self.plain(position, first), opening, self.plain(first, last), "</span>")
            position = last
            index += 1
        return "".join([*parts, self.plain(position, end)])


def _runs(marks: Iterable[Mark]) -> list[_Run]:
    """Return the stretches within which the same marks hold, those without any left out."""
    events: list[tuple[int, bool, Mark]] = []
    for mark in marks:
        if mark.start < mark.end:
            events += ((mark.start, True, mark), (mark.end, False, mark))
    events.sort(key=lambda event: event[:2])
    runs: list[_Run] = []
    open_marks: dict[Mark, int] = {}
    position = 0
    for offset, begins, mark in events:
        if offset > position and open_marks:
            runs.append((position, offset, _opening(open_marks)))
        position = offset
        open_marks[mark] = open_marks.get(mark, 0) + (1 if begins else -1)
        if not open_marks[mark]:
            del open_marks[mark]
    return runs


def _opening(marks: Iterable[Mark]) -> str:
    kinds = " ".join(sorted({mark.kind for mark in marks}))
    titles = "; ".join(dict.fromkeys(mark.title for mark in marks if mark.title))
    title = f' title="{escape(titles)}"' if titles else ""
    return f'<span class="{kinds}"{title}>'
