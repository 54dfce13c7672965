"""The statements of an answer: its sentences, each with the marks that go with it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from obsirag.graphs.citation_marks import Mark, find_marks
from obsirag.markdown import literal_spans
from obsirag.text.sentences import sentence_ends

__all__ = ["Statement", "find_statements"]

_LINE = re.compile(r"[^\r\n]+")
# What opens a line without being a part of what it says; headings and rows of tables are no sentences.
_OPENING = re.compile(r"[ \t]*(?:(?:[-*+>]|\d{1,3}[.)])[ \t]+)*")
_NO_SENTENCE = re.compile(r"[ \t]*(?:#{1,6}[ \t]|\|)")
_WORD = re.compile(r"[^\W_]")
_AT_END = " \t.。!！?？;；"


class Statement(NamedTuple):
    """One sentence.

    Args:
        text: The sentence without its marks.
        end: Offset behind its last word, before its full stop: where a mark would stand.
        marks: Its marks: those in it, right behind it, or before it at the beginning of its line.
    """

    text: str
    end: int
    marks: tuple[Mark, ...]


def find_statements(text: str) -> list[Statement]:
    """Return the statements of an answer, in order; code, headings and tables are none, and so are bare marks."""
    marks = find_marks(text)
    starts = [mark.start for mark in marks]
    blocks = [(start, end) for start, end in literal_spans(text) if "\n" in text[start:end]]
    statements: list[Statement] = []
    for line in _LINE.finditer(text):
        start, end = line.span()
        if _NO_SENTENCE.match(text, start, end) or any(first < end and start < last for first, last in blocks):
            continue
        opening = _OPENING.match(text, start, end)
        start = opening.end() if opening else start
        statements += _of_line(text, start, end, marks[bisect_left(starts, start) : bisect_left(starts, end)])
    return statements


def _of_line(text: str, start: int, end: int, marks: Sequence[Mark]) -> Iterator[Statement]:
    plain = text[start:end]
    for mark in marks:
        first, last = mark.start - start, mark.end - start
        plain = f"{plain[:first]}{' ' * (last - first)}{plain[last:]}"
    ends = sentence_ends(plain)
    ends = ends if ends and ends[-1] == len(plain) else [*ends, len(plain)]
    rest = list(marks)
    begin = 0
    for stop in ends:
        piece = plain[begin:stop]
        if not _WORD.search(piece):
            continue
        # A mark right behind a full stop goes with what was before it.
        own = [mark for mark in rest if not plain[begin + len(piece.rstrip()) : mark.start - start].strip()]
        own = [mark for mark in rest if mark.start - start < stop or mark in own]
        rest = rest[len(own) :]
        yield Statement(piece.strip(), start + begin + len(piece.rstrip(_AT_END)), tuple(own))
        begin = stop
