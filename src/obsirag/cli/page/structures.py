"""What the page marks in a text: blocks that stand out, and what within them must not be cut."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from obsirag.markdown import Block, inline_spans, nested_blocks, scan
from obsirag.text import line_start

__all__ = ["Mark", "Structure", "structures_of"]

_CODE = frozenset({"fence", "indented_code", "math", "html"})
_LEAVES = frozenset({"paragraph", "heading", "table"})
_PLAIN = frozenset({"paragraph", "rule"})


class Structure(NamedTuple):
    """A block with its whole lines, the line end behind it included."""

    start: int
    end: int
    kind: str


class Mark(NamedTuple):
    """A stretch of text within lines that is shown in a way of its own.

    Args:
        start: Its start.
        end: Its end.
        kind: What it is: ``span``, ``code``, ``table`` or ``overlap``.
        title: What is told about it; may be empty.
    """

    start: int
    end: int
    kind: str
    title: str = ""


def structures_of(text: str, edges: Sequence[int] = ()) -> tuple[list[Structure], list[Mark]]:
    """Return the blocks that stand out, in order, and the marks of what is inside blocks.

    Args:
        text: Markdown.
        edges: Offsets, at beginnings of lines, at which blocks end: where embeds begin and end.
    """
    structures: list[Structure] = []
    marks: list[Mark] = []
    low = 0
    for start, end in pairwise(sorted({0, *edges, len(text)})):
        for block in scan(text, start, end):
            marks += _marks_in(text, block)
            whole = _whole_lines(text, block, max(low, start), end)
            low = whole.end
            if block.kind not in _PLAIN:
                structures.append(whole)
    return structures, marks


def _whole_lines(text: str, block: Block, low: int, high: int) -> Structure:
    start, end = block.start, block.end
    line = line_start(text, start, low)
    if not text[line:start].strip(" \t"):
        start = line
    while end < high and text[end] in " \t":
        end += 1
    if end < high and text[end] in "\r\n":
        end += 2 if text.startswith("\r\n", end) else 1
    return Structure(start, min(end, high), block.kind)


def _marks_in(text: str, block: Block) -> Iterator[Mark]:
    if block.kind in _LEAVES:
        yield from _spans(text, block)
    for each in nested_blocks(text, block):
        if each.kind in _CODE:
            yield Mark(each.start, each.end, "code", each.kind.replace("_", " "))
        elif each.kind in _LEAVES:
            if each.kind == "table":
                yield Mark(each.start, each.end, "table", "table")
            yield from _spans(text, each)


def _spans(text: str, block: Block) -> Iterator[Mark]:
    for start, end in inline_spans(text, block.start, block.end):
        is_code = text[start] == "`" == text[end - 1]
        yield Mark(start, end, "code span" if is_code else "span")
