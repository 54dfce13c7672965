"""A note's text as a caller may read it, put together from its chunks, with where each stretch of it stands."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from langchain_core.documents import Document

from obsirag.graphs.visible_text import hidden_spans
from obsirag.records.places import Place, locate_quote, places_from_json

__all__ = ["Line", "lines_of", "parts_of"]


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Line(NamedTuple):
    """A line of a note's text, or the piece of one that stands in one chunk.

    Args:
        text: The text, its line end included.
        number: 1-based line of the note's own file; for embedded text that of the last line before it.
        headings: The headings above it, outermost first.
    """

    text: str
    number: int
    headings: tuple[str, ...]


def lines_of(chunks: Iterable[Document], path: str) -> list[Line]:
    """Return the lines of a note.

    Args:
        chunks: Its chunks that the caller may read, in order.
        path: Its path.
    """
    lines: list[Line] = []
    end = 0
    number = 0
    for chunk in chunks:
        start = _number(chunk, "start_index") + _number(chunk, "overlap")
        if lines:
            lines[-1] = lines[-1]._replace(text=lines[-1].text.rstrip() + _joint(lines[-1], chunk, path, start - end))
        for line in _lines_in(chunk):
            own = line.number if line.source == path else 0
            number = own or number
            lines.append(Line(line.text, number, line.headings))
        end = _number(chunk, "end_index")
    return lines


def parts_of(lines: Sequence[Line], size: int) -> list[list[Line]]:
    """Return lines in parts of at most ``size`` characters; one that is longer is cut."""
    parts: list[list[Line]] = [[]]
    used = 0
    for line in lines:
        for piece in (line._replace(text=line.text[at : at + size]) for at in range(0, len(line.text), size)):
            if used + len(piece.text) > size and parts[-1]:
                parts.append([])
                used = 0
            parts[-1].append(piece)
            used += len(piece.text)
    return parts


class _Piece(NamedTuple):
    text: str
    source: str
    number: int
    headings: tuple[str, ...]


def _lines_in(chunk: Document) -> Iterator[_Piece]:
    """Yield the lines of a chunk's own text: without its overlap, its contexts, and what is hidden."""
    content = chunk.page_content
    begin = min(len(str(chunk.metadata.get("context_before") or "")) + _number(chunk, "overlap"), len(content))
    finish = max(len(content) - len(str(chunk.metadata.get("context_after") or "")), begin)
    hidden = hidden_spans(chunk)
    places = places_from_json(chunk.metadata.get("places")) or [_place_of(chunk)]
    for place, end in zip(places, [*(each.offset for each in places[1:]), len(content)], strict=True):
        position, number = place.offset, place.line
        for line in _LINE.findall(content[place.offset : end]):
            start, position = position, position + len(line)
            shown = _without(content, max(start, begin), min(position, finish), hidden)
            if shown:
                yield _Piece(shown, place.path, number, place.headings)
            number += line.endswith(("\r", "\n"))


def _place_of(chunk: Document) -> Place:
    whole = locate_quote(chunk, 0, len(chunk.page_content))
    return Place(0, whole.path, whole.start_line, whole.headings)


def _without(text: str, start: int, end: int, spans: Iterable[tuple[int, int]]) -> str:
    if start >= end:
        return ""
    kept = []
    for first, last in spans:
        if last > start and first < end:
            kept.append(text[start : max(first, start)])
            start = min(last, end)
    return "".join([*kept, text[start:end]])


def _joint(before: Line, chunk: Document, path: str, blanks: int) -> str:
    """Return what stands between two chunks: of the blanks there it isn't known what they were."""
    following = next(_lines_in(chunk), None)
    if following is not None and following.source == path and following.number == before.number:
        return " " if blanks > 0 else ""
    return "\n" if 0 <= blanks <= 1 else "\n\n"


def _number(chunk: Document, name: str) -> int:
    value = chunk.metadata.get(name)
    return value if isinstance(value, int) and value >= 0 else 0
