"""Where the blocks that are too large may be cut: for each kind its own grain, coarse ends first.

Every end has a character before it that isn't blank.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import chain, islice, pairwise, zip_longest
from typing import Literal, NamedTuple

from obsirag.markdown import Block, Span, inline_spans, nested_blocks
from obsirag.markdown.merging import merge_spans
from obsirag.splitters.belonging import CODE, belongs_above, leads_on
from obsirag.text import clause_ends, line_start, sentence_ends, word_ends

__all__ = ["CODE", "CONTAINERS", "PROSE", "Level", "block_levels", "outside_spans"]

CONTAINERS = frozenset({"item", "quote", "callout", "footnote"})
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
_CALLOUT_TITLE = re.compile(r"[^\n\r]*+(?:[\n\r][\s>]*+)?+")


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


def block_levels(
    text: str, block: Block, fits: Callable[[int, int], bool], spans: list[Span] | None = None
) -> Iterator[Level]:
    """Yield the ends at which ``block`` may be cut when it is too large, finer ones only when they are asked for.

    Args:
        text: The text.
        block: One of its blocks.
        fits: Says whether a part of the text fits a chunk: structures inside the block that do are not cut.
        spans: Its inline spans, if they are known already.

    Yields:
        Levels from the coarsest grain to the finest.
    """
    if block.kind in CODE or block.kind == "math":
        return _code_levels(text, block)
    if block.kind in CONTAINERS:
        return _container_levels(text, block, fits)
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
    edges = [edge for span in spans for edge in (_trimmed(text, start, span[0]), span[1])]
    ends = word_ends(text, start, end) + edges
    between = [p for p in ends if p < end and not (text[p - 1 : p + 1].isascii() and not text[p].isspace())]
    words = sorted({*outside_spans(between, spans), *clauses})
    yield Level([p for p in words if start < p < end])
    parts = sorted({*outside_spans(ends, spans), *words})
    yield Level([p for p in parts if start < p < end], "parts")


def _heading_levels(text: str, block: Block, spans: list[Span]) -> Iterator[Level]:
    marks = _marks(text, block)
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


def _marks(text: str, block: Block) -> list[Span]:
    """Return where the marks at the starts of lines stand, each with the character behind them, rising and apart."""
    first = _FIRST_MARKS.match(text, block.start, block.end)
    found = [(block.start, first.end() + 1)] if first else []
    return found + [(each.start(), each.end() + 1) for each in _LINE_MARKS.finditer(text, block.start, block.end)]


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


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
            end = _trimmed(text, start, last)
    return start, end


def _table_levels(text: str, block: Block, spans: list[Span]) -> Iterator[Level]:
    lines = [match.start() for match in _LINE_END.finditer(text, block.start, block.end)]
    body = lines[1] + 1 if len(lines) > 1 else block.end  # a head goes with a row
    yield Level([p for p in lines if body < p < block.end])
    bars = [match.span() for match in _BARS.finditer(text, block.start, block.end)]
    marks = merge_spans(_marks(text, block) + bars)
    cells = outside_spans([match.end() for match in _CELL.finditer(text, block.start, block.end)], spans)
    cells = outside_spans(cells, marks)
    yield Level([p for p in sorted({*lines, *cells}) if body < p < block.end])
    words = outside_spans(outside_spans(word_ends(text, block.start, block.end), spans), marks)
    parts = [p for p in sorted({*lines, *cells, *words}) if body < p < block.end]
    yield Level(parts)
    yield Level(lines[1:2] + parts if body < block.end else parts, "marks")


def _container_levels(text: str, block: Block, fits: Callable[[int, int], bool]) -> Iterator[Level]:
    """Yield the ends of nested blocks, outermost first, then the grain of the leaves that don't fit, then of marks."""
    outer: list[int] = []
    inner: list[int] = []
    ends: list[int] = []
    behind_marks: list[int] = []
    finer: list[Iterator[Level]] = []
    whole: list[Span] = []  # structures that fit, apart from each other
    titles = _titles(text, block)
    line = before = block.start
    nested = nested_blocks(text, block)
    together, leads = _led_in(text, block, nested, fits)
    for each, kept in _kept_whole(nested, together, fits):
        titles += _titles(text, each)
        here = line_start(text, each.start, block.start)
        if here != line:  # else the blank lines before it have been passed over already
            line, before = here, _trimmed(text, block.start, here)
        if before > block.start:
            inner.append(before)
            if each.level == 1:
                outer.append(before)
        behind_marks.append(_trimmed(text, block.start, each.start))
        ends.append(kept[1] if kept else each.end)
        if kept:
            whole.append(kept)
        elif each.kind not in CONTAINERS:
            finer.append(block_levels(text, each, fits))
    marks = _marks(text, block)
    held = merge_spans(marks + titles)
    known: set[int] = set()

    def outside(spans: list[Span]) -> list[int]:
        return outside_spans(outside_spans([p for p in sorted(known) if block.start < p < block.end], whole), spans)

    levels = chain(map(Level, (outer, inner, ends)), map(_joined, zip_longest(*finer)))
    # What leads in goes with the first row, sentence or lines of what has to be cut, rather than with a part of these.
    for ends_here, _ in islice(levels, 4):
        known.update(ends_here)
        yield Level(outside(merge_spans(held + leads)))
    if leads:
        yield Level(outside(held))
    for ends_here, grain in levels:
        known.update(ends_here)
        yield Level(outside(held), grain)
    if titles:
        yield Level(outside(marks))
    known.update(behind_marks)
    yield Level(outside([]), "marks")


def _led_in(
    text: str, block: Block, nested: list[Block], fits: Callable[[int, int], bool]
) -> tuple[list[Span], list[Span]]:
    """Return where nested blocks fit a chunk with what they belong to, and the gaps behind those that lead in the rest.

    Args:
        text: The text.
        block: The block around them all.
        nested: The nested blocks.
        fits: Says whether a part of the text fits a chunk.
    """
    together: list[Span] = []
    gaps: list[Span] = []
    for each, following in pairwise(nested):
        if each.level != following.level or each.kind in CONTAINERS:
            continue
        if not (each.kind == "heading" or leads_on(text, each, following) or belongs_above(text, following)):
            continue
        start = line_start(text, each.start, block.start)
        goes_on = bool(together) and start < together[-1][1]
        if goes_on:
            start = together[-1][0]
        if fits(start, following.end):
            together[len(together) - goes_on :] = [(start, following.end)]
        elif not fits(following.start, following.end):
            gaps.append((each.end - 1, following.start + 1))
    return together, gaps


def _kept_whole(
    nested: list[Block], together: list[Span], fits: Callable[[int, int], bool]
) -> Iterator[tuple[Block, Span | None]]:
    """Yield the nested blocks, each with what is kept whole and begins with it; those that lie in such are left out."""
    end = pair = 0
    for each in nested:
        if each.end <= end:
            continue
        while pair < len(together) and together[pair][1] <= each.start:
            pair += 1
        kept = None
        if each.kind not in CONTAINERS and pair < len(together) and together[pair][0] <= each.start:
            kept = together[pair]
        elif each.kind not in PROSE and fits(each.start, each.end):
            kept = each.start, each.end
        end = kept[1] if kept else end
        yield each, kept


def _titles(text: str, block: Block) -> list[Span]:
    """Return where a callout's title stands, with the character behind it."""
    title = _CALLOUT_TITLE.match(text, block.start, block.end) if block.kind == "callout" else None
    return [(block.start, title.end() + 1)] if title else []


def _joined(levels: tuple[Level | None, ...]) -> Level:
    """Return one level of several blocks' ends; a block that has none so fine any more gives None."""
    there = [level for level in levels if level is not None]
    parts = any(level.grain == "parts" for level in there)
    return Level([end for level in there for end in level.ends], "parts" if parts else "whole")
