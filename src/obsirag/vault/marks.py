"""The places of a note that rendering changes, and how to leave one out without a trace."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from obsirag.vault.source import Mark, Source

__all__ = ["is_blank_until", "marks_between", "removals"]

_BLANKS = re.compile(r"[ \t]*")


def marks_between(source: Source, start: int, end: int, *, drop_comments: bool) -> Iterator[Mark]:
    """Yield the marks that lie in ``start..end``; of a comment that reaches out of it, the part inside."""
    marks = source.marks_and_comments if drop_comments else source.marks
    first = bisect_left(marks, start, key=lambda mark: mark.start)
    for index in range(max(0, first - 1), len(marks)):
        mark = marks[index]
        if mark.start >= end:
            return
        if start <= mark.start and mark.end <= end:
            yield mark
        elif mark.link is None and mark.end > start:
            yield Mark(max(start, mark.start), min(end, mark.end))


def is_blank_until(source: Source, start: int, end: int, *, drop_comments: bool) -> bool:
    """Say whether ``source.text[start:end]`` shows nothing, since it is blank or left out."""
    for mark in marks_between(source, start, end, drop_comments=drop_comments):
        if mark.link is not None or _skip_blanks(source.text, start, end) < mark.start:
            return False
        start = mark.end
    return _skip_blanks(source.text, start, end) == end


def removals(source: Source, start: int, end: int, low: int, high: int) -> list[tuple[int, int]]:
    """Return what to take out so that ``start..end`` leaves nothing odd behind.

    At the end of a line go the blanks before it; of a line of its own, the line, unless it parts two others: then an
    empty line stays, lest they become one paragraph. In the middle of a line one of the blanks around it goes. What
    begins in the middle of one line and ends in that of another leaves a line end.

    Args:
        source: The note.
        start: Offset of what is left out.
        end: Offset after it.
        low: What lies before may not be touched.
        high: Nor what lies from here on.
    """
    text = source.text
    line_start = max(low, source.line_bounds(start)[0])
    line_end = min(high, source.line_bounds(end)[1])
    after = _skip_blanks(text, end, line_end)
    before = start
    while before > line_start and text[before - 1] in " \t":
        before -= 1
    if after < line_end:
        last_line = source.line_bounds(end)[0]
        if before > line_start and last_line > start:
            line_break = last_line - (2 if text[last_line - 2 : last_line] == "\r\n" else 1)
            return [(before, line_break), (last_line, after)]
        return [(start, after if start == line_start or text[start - 1] in " \t" else end)]
    if before > line_start:
        return [(before, line_end)]
    next_start = line_end + (2 if text[line_end : line_end + 2] == "\r\n" else 1)
    parts_lines = (
        line_start > low
        and next_start < high
        and not _is_blank_line(source, line_start - 1, low, high)
        and not _is_blank_line(source, next_start, low, high)
    )
    return [(line_start, line_end if parts_lines else min(next_start, high))]


def _skip_blanks(text: str, start: int, end: int) -> int:
    found = _BLANKS.match(text, start, end)
    return found.end() if found else start


def _is_blank_line(source: Source, offset: int, low: int, high: int) -> bool:
    start, end = source.line_bounds(offset)
    start, end = max(start, low), min(end, high)
    return _skip_blanks(source.text, start, end) == end
