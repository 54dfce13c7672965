"""The pages of a note that was converted from a document that has some."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

from obsirag.cleaning.removal import lines_between
from obsirag.cleaning.view import NoteView
from obsirag.markdown import Span

__all__ = ["Page", "documents", "page_break_lines"]


class Page(NamedTuple):
    """One page.

    Args:
        number: Its number in its document, from 0, blank pages counted.
        lines: Where its filled lines begin and end, without their line ends.
    """

    number: int
    lines: list[Span]


def documents(view: NoteView, page_breaks: Sequence[re.Pattern[str]]) -> Iterator[list[Page]]:
    """Yield the pages of the note itself and of each embed in it; only of those that have a page border.

    A page border is a form feed or a line in which one of ``page_breaks`` is found. Blank pages are left out. A note
    all of whose page borders lie within code has no pages: they are a part of the code, and stay in it.
    """
    text = view.text
    breaks = dict(_break_lines(text, page_breaks))
    if not breaks and "\f" not in text:
        return
    for island in view.islands:
        pages: list[list[Span]] = [[]]
        is_paged = False
        for piece in island:
            for start, end in lines_between(text, *piece):
                is_break = start in breaks
                if not is_break and text[start:end].strip():
                    pages[-1].append((start, end))
                if is_break or (end < piece[1] and text[end] == "\f"):
                    pages.append([])
                    is_paged = is_paged or not _is_literal(start if is_break else end, view.literals)
        if is_paged:
            yield [Page(number, lines) for number, lines in enumerate(pages) if lines]


def page_break_lines(view: NoteView, page_breaks: Sequence[re.Pattern[str]]) -> Iterator[Span]:
    """Yield the lines, outside code, in which one of ``page_breaks`` is found."""
    return (line for line in _break_lines(view.text, page_breaks) if not _is_literal(line[0], view.literals))


def _is_literal(offset: int, literals: Sequence[Span]) -> bool:
    index = bisect_right(literals, offset, key=itemgetter(0)) - 1
    return index >= 0 and offset < literals[index][1]


def _break_lines(text: str, page_breaks: Sequence[re.Pattern[str]]) -> Iterator[Span]:
    if page_breaks:
        for start, end in lines_between(text, 0, len(text)):
            line = text[start:end]
            if any(each.search(line) for each in page_breaks):
                yield start, end
