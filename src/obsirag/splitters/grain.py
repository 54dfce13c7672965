"""Where the blocks that are too large may be cut: for each kind its own grain, coarse ends first.

Every end has a character before it that isn't blank.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, zip_longest

from obsirag.markdown import Block, Span, inline_spans, nested_blocks
from obsirag.text import clause_ends, line_start, sentence_ends, word_ends

__all__ = ["CODE", "CONTAINERS", "block_levels", "outside_spans"]

CODE = frozenset({"fence", "indented_code"})
CONTAINERS = frozenset({"item", "quote", "callout", "footnote"})
_PROSE = frozenset({"paragraph", "heading"})

_LINE_END = re.compile(r"(?<=\S)[ \t]*+(?=\n|\r)")
_STATEMENT = re.compile(
    r"(?<=\S)[ \t\r]*+\n(?=[^\s)}\]>])(?!end\b|else\b|elif\b|except\b|finally\b|catch\b|fi\b|done\b)"
)
_BEFORE_BLANK_LINE = re.compile(r"(?<=\S)[ \t\r]*+\n[ \t\r]*+(?=\n)")
_CELL = re.compile(r"(?<!\\)\|")


def block_levels(
    text: str, block: Block, fits: Callable[[int, int], bool], spans: list[Span] | None = None
) -> Iterator[list[int]]:
    """Yield the ends at which ``block`` may be cut when it is too large, finer ones only when they are asked for.

    Args:
        text: The text.
        block: One of its blocks.
        fits: Says whether a part of the text fits a chunk: structures inside the block that do are not cut.
        spans: Its inline spans, if they are known already.

    Yields:
        Rising offsets, from the coarsest grain to the finest.
    """
    if block.kind in CODE or block.kind == "math":
        return _code_levels(text, block)
    if block.kind == "table":
        return _table_levels(text, block, inline_spans(text, block.start, block.end) if spans is None else spans)
    if block.kind in CONTAINERS:
        return _container_levels(text, block, fits)
    return _prose_levels(text, block, inline_spans(text, block.start, block.end) if spans is None else spans)


def outside_spans(ends: list[int], spans: list[Span]) -> list[int]:
    """Return those of ``ends`` that don't lie within one of ``spans``, which are sorted and apart."""
    if not spans:
        return ends
    return [end for end in ends if (index := bisect_left(spans, (end,)) - 1) < 0 or spans[index][1] <= end]


def _prose_levels(text: str, block: Block, spans: list[Span]) -> Iterator[list[int]]:
    start, end = block.start, block.end
    sentences = outside_spans(sentence_ends(text, start, end), spans)
    yield [p for p in sentences if p < end]
    clauses = sorted({*sentences, *outside_spans([p for p in clause_ends(text, start, end) if p > start], spans)})
    yield [p for p in clauses if p < end]
    edges = [edge for span in spans for edge in (_trimmed(text, start, span[0]), span[1])]
    words = sorted({*outside_spans(word_ends(text, start, end) + edges, spans), *clauses})
    yield [p for p in words if start < p < end]


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _code_levels(text: str, block: Block) -> Iterator[list[int]]:
    start, end = _body_of(text, block)
    lines = [match.start() for match in _LINE_END.finditer(text, start, end)]
    blank = [match.start() for match in _BEFORE_BLANK_LINE.finditer(text, start, end)]
    statements = sorted({*blank, *(match.start() for match in _STATEMENT.finditer(text, start, end))})
    for level in (blank, statements, lines):
        yield [p for p in level if start < p < end]
    yield [p for p in sorted({*lines, *word_ends(text, start, end)}) if start < p < end]


def _body_of(text: str, block: Block) -> Span:
    """Return where the code or maths itself lies, so that no cut parts it from the marks around it."""
    start, end = block.start, block.end
    if block.kind in ("fence", "math"):
        first = _LINE_END.search(text, start, end)
        if first is None:
            return end, end
        start = first.end()
        last = text.rfind("\n", start, end)
        if last > start and text[last:end].strip(" \t\n>")[:2] in ("``", "~~", "$$"):
            end = _trimmed(text, start, last)
    return start, end


def _table_levels(text: str, block: Block, spans: list[Span]) -> Iterator[list[int]]:
    lines = [match.start() for match in _LINE_END.finditer(text, block.start, block.end)]
    body = lines[1] + 1 if len(lines) > 1 else block.end  # a head goes with a row
    yield [p for p in lines if body < p < block.end]
    cells = outside_spans([match.end() for match in _CELL.finditer(text, block.start, block.end)], spans)
    yield [p for p in sorted({*lines, *cells}) if body < p < block.end]
    words = outside_spans(word_ends(text, block.start, block.end), spans)
    yield [p for p in sorted({*lines, *cells, *words}) if body < p < block.end]


def _container_levels(text: str, block: Block, fits: Callable[[int, int], bool]) -> Iterator[list[int]]:
    """Yield the ends of nested blocks, outermost first, then the grain of the leaves that don't fit."""
    outer: list[int] = []
    inner: list[int] = []
    exact: list[int] = []
    finer: list[Iterator[list[int]]] = []
    whole: list[Span] = []  # structures that fit, apart from each other
    line = before = block.start
    for each in nested_blocks(text, block):
        if whole and each.end <= whole[-1][1]:
            continue
        here = line_start(text, each.start, block.start)
        if here != line:  # else the blank lines before it have been passed over already
            line, before = here, _trimmed(text, block.start, here)
        if before > block.start:
            inner.append(before)
            if each.level == 1:
                outer.append(before)
        exact += (_trimmed(text, block.start, each.start), each.end)
        if each.kind not in _PROSE and fits(each.start, each.end):
            whole.append((each.start, each.end))
        elif each.kind not in CONTAINERS:
            finer.append(block_levels(text, each, fits))
    known: set[int] = set()
    for level in chain((outer, inner, exact), map(_joined, zip_longest(*finer, fillvalue=[]))):
        known.update(level)
        yield outside_spans([p for p in sorted(known) if block.start < p < block.end], whole)


def _joined(parts: Iterable[list[int]]) -> list[int]:
    return [p for part in parts for p in part]
