"""Where blocks with no others inside may be cut if they are too large: for each kind its own grain, coarse ends first.

Every end has a character before it that isn't blank.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from obsirag.markdown import Block, Span, inline_spans
from obsirag.markdown.merging import merge_spans
from obsirag.markdown.nested import CONTAINERS
from obsirag.markdown.nodes import trimmed_end
from obsirag.splitters.belonging import CODE
from obsirag.text import clause_ends, sentence_ends, word_ends

__all__ = ["CODE", "CONTAINERS", "PROSE", "Level", "leaf_levels", "marks_in", "outside_spans"]

PROSE = frozenset({"paragraph", "heading"})

_LINE_END = re.compile(r"(?<=\S)[ \t]*+(?=\n|\r)")
_STATEMENT = re.compile(
    r"(?<=\S)[ \t]*+(?:\r\n?+|\n)(?=[^\s)}\]>])(?!end\b|else\b|elif\b|except\b|finally\b|catch\b|fi\b|done\b)"
)
_CLOSING_LINE = re.compile(r"[ \t]*+(?:\r\n?+|\n)[ \t>]*+[)}\]]++[)}\];,]*+[ \t]*+(?=[\r\n]|\Z)")
_BEFORE_BLANK_LINE = re.compile(r"(?<=\S)[ \t]*+(?:\r\n?+|\n)[ \t]*+(?=[\r\n])")
_CELL = re.compile(r"(?<!\\)\|")
# What stands before a line's text: marks of quotes, items, tasks, footnotes and headings, and a row's first bar.
_MARKS = (
    r"[^\S\r\n]*+(?:(?:[>|]|(?:[-*+]|\d{1,9}[.)]|\[\^[^\s\[\]]{1,99}\]:|\#{1,6})(?=[^\S\r\n]))[^\S\r\n]*+)++"
    r"(?:\[.\][^\S\r\n]++)?+(?=\S)"
)
_BARS = re.compile(r"[^\s|](?:[ \t]*+\|)++(?=[ \t]*+(?:[\r\n]|\Z))")
_CLOSING_MARKS = re.compile(r"\S(?:\s*+(?:</[A-Za-z][\w-]*+\s*+>|-->|%%))++\Z")
_LONGEST_CLOSING = 200  # characters
_FIRST_MARKS = re.compile(_MARKS)
_LINE_MARKS = re.compile(r"[\n\r]" + _MARKS)


class Level(NamedTuple):
    """Where a block may be cut at one grain.

    Args:
        ends: Rising offsets.
        grain: ``parts`` for the level of prose within numbers, names and addresses, which are cut only where one fits
            no chunk; ``marks`` for the last level of what has marks: right behind these, or a table's head, only where
            nothing else fits; ``whole`` for all others.
    """

    ends: list[int]
    grain: Literal["whole", "parts", "marks"] = "whole"


def leaf_levels(
    text: str, block: Block, fits: Callable[[int, int], bool], spans: list[Span] | None = None
) -> Iterator[Level]:
    """Yield the ends at which ``block`` may be cut when it is too large, finer ones only when they are asked for.

    Args:
        text: The text.
        block: One of its blocks, of those that hold no others.
        fits: Says whether a part of the text fits a chunk: structures inside the block that do are not cut.
        spans: Its inline spans, if they are known already.

    Yields:
        Levels from the coarsest grain to the finest.
    """
    if block.kind in CODE or block.kind == "math":
        return _code_levels(text, block)
    if spans is None or not all(fits(*span) for span in spans):
        spans = inline_spans(text, block.start, block.end, fits)
    if block.kind == "table":
        return _table_levels(text, block, spans)
    if block.kind == "heading":
        return _heading_levels(text, block, spans)
    closing = _CLOSING_MARKS.search(text, max(block.start, block.end - _LONGEST_CLOSING), block.end)
    if closing and block.kind in ("html", "comment"):
        spans = merge_spans([*spans, closing.span()])
    return _prose_levels(text, block, spans)


def outside_spans(ends: list[int], spans: list[Span]) -> list[int]:
    """Return those of ``ends`` that don't lie within one of ``spans``, which are sorted and apart."""
    if not spans:
        return ends
    return [end for end in ends if (index := bisect_left(spans, (end,)) - 1) < 0 or spans[index][1] <= end]


def _prose_levels(text: str, block: Block, spans: list[Span]) -> Iterator[Level]:
    start, end = block.start, block.end
    sentences = outside_spans(sentence_ends(text, start, end), spans)
    yield Level([p for p in sentences if p < end])
    clauses = sorted({*sentences, *outside_spans([p for p in clause_ends(text, start, end) if p > start], spans)})
    yield Level([p for p in clauses if p < end])
    edges = [edge for span in spans for edge in (trimmed_end(text, start, span[0]), span[1])]
    ends = word_ends(text, start, end) + edges
    between = [p for p in ends if p < end and not (text[p - 1 : p + 1].isascii() and not text[p].isspace())]
    words = sorted({*outside_spans(between, spans), *clauses})
    yield Level([p for p in words if start < p < end])
    parts = sorted({*outside_spans(ends, spans), *words})
    yield Level([p for p in parts if start < p < end], "parts")


def _heading_levels(text: str, block: Block, spans: list[Span]) -> Iterator[Level]:
    marks = marks_in(text, block)
    lines = text.rfind("\n", block.start, block.end), text.rfind("\r", block.start, block.end)
    underline = max(lines)
    if underline >= 0:  # it goes with the last word
        words = text[block.start : underline].split()
        before = text.rfind(words[-1], block.start, underline) if words else block.start
        marks.append((max(before, marks[-1][1] if marks else 0), block.end))
    ends: list[int] = []
    for ends, grain in _prose_levels(text, block, spans):
        yield Level(outside_spans(ends, marks), grain)
    yield Level(ends, "marks")


def marks_in(text: str, block: Block) -> list[Span]:
    """Return where the marks at the starts of lines stand, each with the character behind them, rising and apart."""
    first = _FIRST_MARKS.match(text, block.start, block.end)
    found = [(block.start, first.end() + 1)] if first else []
    return found + [(each.start(), each.end() + 1) for each in _LINE_MARKS.finditer(text, block.start, block.end)]


def _code_levels(text: str, block: Block) -> Iterator[Level]:
    start, end = _body_of(text, block)
    lines = [match.start() for match in _LINE_END.finditer(text, start, end)]
    blank = [match.start() for match in _BEFORE_BLANK_LINE.finditer(text, start, end)]
    statements = sorted({*blank, *(match.start() for match in _STATEMENT.finditer(text, start, end))})
    opening = [p for p in lines if not _CLOSING_LINE.match(text, p, block.end)]  # brackets alone close what is above
    for level in (blank, statements, sorted({*statements, *opening})):
        yield Level([p for p in level if start < p < end])
    yield Level([p for p in sorted({*lines, *word_ends(text, start, end)}) if start < p < end])


def _body_of(text: str, block: Block) -> Span:
    """Return where the code or maths itself lies, so that no cut parts it from the marks around it."""
    start, end = block.start, block.end
    if block.kind in ("fence", "math"):
        first = _LINE_END.search(text, start, end)
        if first is None:
            return end, end
        start = first.end()
        last = max(text.rfind("\n", start, end), text.rfind("\r", start, end))
        if last > start and text[last:end].strip(" \t\r\n>")[:2] in ("``", "~~", "$$"):
            end = trimmed_end(text, start, last)
    return start, end


def _table_levels(text: str, block: Block, spans: list[Span]) -> Iterator[Level]:
    lines = [match.start() for match in _LINE_END.finditer(text, block.start, block.end)]
    body = lines[1] + 1 if len(lines) > 1 else block.end  # a head goes with a row
    yield Level([p for p in lines if body < p < block.end])
    bars = [match.span() for match in _BARS.finditer(text, block.start, block.end)]
    marks = merge_spans(marks_in(text, block) + bars)
    cells = outside_spans([match.end() for match in _CELL.finditer(text, block.start, block.end)], spans)
    cells = outside_spans(cells, marks)
    yield Level([p for p in sorted({*lines, *cells}) if body < p < block.end])
    words = outside_spans(outside_spans(word_ends(text, block.start, block.end), spans), marks)
    parts = [p for p in sorted({*lines, *cells, *words}) if body < p < block.end]
    yield Level(parts)
    yield Level(lines[1:2] + parts if body < block.end else parts, "marks")
