"""The pieces of a chunk that can be quoted: sentences, list items, table rows, code blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from langchain_core.documents import Document

from obsirag.graphs.visible_text import hidden_spans
from obsirag.markdown import scan
from obsirag.text.sentences import sentence_ends

__all__ = ["Unit", "units_of"]

# A whole block up to this many characters is quoted whole: a short list or table is an answer, its rows are not.
SMALL_BLOCK = 400
# Code is quoted whole: half of it helps nobody. Beyond this, around its best lines.
SMALL_CODE = 1200
CODE_WINDOW = 8

_LINE = re.compile(r"[^\r\n]+")
_DELIMITER_ROW = re.compile(r"\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*")
_LINES = frozenset({"item", "quote", "callout", "html", "footnote", "table"})
_CODE = frozenset({"fence", "indented_code", "math"})
_INTRODUCED = frozenset({"item", "table"}) | _CODE
_NOT_QUOTED = frozenset({"heading", "rule", "comment"})


class Unit(NamedTuple):
    """One piece of a chunk's content.

    Args:
        start: Offset of its first character in ``page_content``.
        end: Offset after its last.
        block_start: Where the block begins that may be quoted in its place; its own start if there is none.
        block_end: Offset after that block's last character.
        is_code: Whether it is code or maths.
        heading: The last heading before it in the chunk; empty if there is none.
        header: The header of its table with the line under it, to be shown above it; empty if it isn't a row.
    """

    start: int
    end: int
    block_start: int
    block_end: int
    is_code: bool = False
    heading: str = ""
    header: str = ""


class _Piece(NamedTuple):
    """A block that holds statements, a run of list items as one, with what introduces it."""

    kind: str
    start: int
    end: int
    heading: str
    with_start: int
    with_end: int


def units_of(document: Document) -> list[Unit]:
    """Return the pieces of a chunk that can be quoted, in order; hidden text and bare headings are in none."""
    text = document.page_content
    hidden = hidden_spans(document)
    units: list[Unit] = []
    for piece in _joined_with_introductions(_pieces(text)):
        for unit in _units_of_piece(text, piece):
            units += _without(unit, hidden, text)
    return units


def _pieces(text: str) -> list[_Piece]:
    pieces: list[_Piece] = []
    heading = ""
    last_kind = ""
    for block in scan(text):
        if block.kind == "heading":
            heading = block.info
        elif block.kind == last_kind == "item":
            first = pieces.pop()
            pieces.append(_Piece("item", first.start, block.end, heading, first.start, block.end))
        elif block.kind not in _NOT_QUOTED:
            pieces.append(_Piece(block.kind, block.start, block.end, heading, block.start, block.end))
        last_kind = block.kind
    return pieces


def _joined_with_introductions(pieces: list[_Piece]) -> list[_Piece]:
    """Let a paragraph and the list, table or code right behind it be quoted together, if both are short."""
    joined = list(pieces)
    for index, (first, second) in enumerate(pairwise(pieces)):
        limit = SMALL_CODE if second.kind in _CODE else SMALL_BLOCK
        introduces = first.kind == "paragraph" and second.kind in _INTRODUCED and first.heading == second.heading
        if introduces and second.end - first.start <= limit:
            joined[index] = first._replace(with_end=second.end)
            joined[index + 1] = second._replace(with_start=first.start)
    return joined


def _units_of_piece(text: str, piece: _Piece) -> Iterator[Unit]:
    start, end = piece.start, piece.end
    is_code = piece.kind in _CODE
    header = ""
    if is_code:
        spans = _code(text, start, end)
    elif piece.kind in _LINES:
        spans = _lines(text, start, end)
    else:
        spans = _sentences(text, start, end)
    if piece.kind == "table":
        rows = [(a, b) for a, b in spans[1:] if not _DELIMITER_ROW.fullmatch(text, a, b)]
        header = text[start : rows[0][0]].rstrip() if rows else ""
        spans = rows or spans
    whole = piece.with_end - piece.with_start <= (SMALL_CODE if is_code else SMALL_BLOCK)
    for first, last in spans:
        block = (piece.with_start, piece.with_end) if whole else (first, last)
        yield Unit(first, last, *block, is_code, piece.heading, header)


def _lines(text: str, start: int, end: int) -> list[tuple[int, int]]:
    return [match.span() for match in _LINE.finditer(text, start, end) if match[0].strip()]


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    ends = sentence_ends(text, start, end)
    if not ends or ends[-1] < end:
        ends = [*ends, end]
    pieces = []
    for stop in ends:
        piece = text[start:stop]
        if piece.strip():
            pieces.append((start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())))
        start = stop
    return pieces


def _code(text: str, start: int, end: int) -> list[tuple[int, int]]:
    if end - start <= SMALL_CODE:
        return [(start, end)]
    lines = _lines(text, start, end)
    windows = [lines[index : index + CODE_WINDOW] for index in range(0, len(lines), CODE_WINDOW)]
    return [(window[0][0], window[-1][1]) for window in windows]


def _without(unit: Unit, hidden: list[tuple[int, int]], text: str) -> Iterator[Unit]:
    """Yield what is left of a unit, and of its block, beside hidden spans."""
    if not any(start < unit.block_end and unit.block_start < end for start, end in hidden):
        yield unit
        return
    position = unit.start
    for start, end in [*hidden, (unit.end, unit.end)]:
        if end <= position and start != unit.end:
            continue
        stop = min(max(start, position), unit.end)
        piece = text[position:stop]
        if piece.strip():
            first = position + len(piece) - len(piece.lstrip())
            last = position + len(piece.rstrip())
            yield unit._replace(start=first, end=last, block_start=first, block_end=last)
        position = min(max(end, position), unit.end)
