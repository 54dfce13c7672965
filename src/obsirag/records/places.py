"""Where each part of a chunk came from: the chunk metadata ``places`` and its reading."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from obsirag.records.rendered import count_line_ends

if TYPE_CHECKING:
    from langchain_core.documents import Document

__all__ = ["Place", "Quote", "locate_quote", "places_from_json", "places_to_json"]


class Place(NamedTuple):
    """Where a run of a chunk's content came from; it ends where the next place starts.

    Args:
        offset: Offset of its first character in the chunk's ``page_content``.
        path: Vault-relative path of the file.
        line: 1-based line of that file at ``offset``; each line end inside the run leads to the next line.
        headings: The headings above it, outermost first.
    """

    offset: int
    path: str
    line: int
    headings: tuple[str, ...]


class Quote(NamedTuple):
    """Where a part of a chunk stands in the vault.

    Args:
        path: Vault-relative path of the file in which the part begins.
        start_line: 1-based line of its first character that is not blank; 0 if it is unknown.
        end_line: Line of its last character that came from the same file.
        headings: The headings above its beginning, outermost first.
    """

    path: str
    start_line: int
    end_line: int
    headings: tuple[str, ...]


def places_to_json(places: Iterable[Place]) -> str:
    """Return ``places`` as chunk metadata holds them: JSON text, ``[[offset, path, line, [heading, …]], …]``."""
    return json.dumps([list(place) for place in places], ensure_ascii=False, separators=(",", ":"))


def places_from_json(value: object) -> list[Place]:
    """Return the places that ``places_to_json`` wrote; none if ``value`` is anything else.

    A note may have a field ``places`` of its own, which a stranger's splitter leaves in the chunk's metadata.
    """
    if not isinstance(value, str):
        return []
    try:
        items = json.loads(value)
    except (ValueError, RecursionError):
        return []
    places = [_place(item) for item in items] if isinstance(items, list) else []
    known = [place for place in places if place is not None]
    in_order = all(one.offset < other.offset for one, other in pairwise(known))
    return known if len(known) == len(places) and in_order else []


def _place(item: object) -> Place | None:
    match item:
        case [int(offset), str(path), int(line), list(headings)] if offset >= 0 and line >= 0:
            return Place(offset, path, line, tuple(map(str, headings)))
    return None


def locate_quote(document: Document, start: int, end: int) -> Quote:
    """Return where ``document.page_content[start:end]`` came from.

    Blanks at both ends don't count. A part that reaches over several files is placed in the file in which it begins. A
    document without ``places`` (a web page, a part of a stranger's splitter) answers with its own ``source``,
    ``start_line``, ``end_line`` and ``headings``.

    Args:
        document: A chunk.
        start: Offset of the part's first character in ``page_content``.
        end: Offset after its last.
    """
    places = places_from_json(document.metadata.get("places"))
    if not places:
        return _quote_of_whole(document)
    start, end = _without_blanks(document.page_content, start, end)
    first = _index_at(places, start)
    path, headings = places[first].path, places[first].headings
    start_line = end_line = _line_at(document.page_content, places[first], start)
    for index in range(first, len(places)):
        place = places[index]
        if index > first and place.offset >= end:
            break
        following = places[index + 1].offset if index + 1 < len(places) else len(document.page_content)
        if place.path == path:
            last = max(min(end, following) - 1, place.offset)
            end_line = max(end_line, _line_at(document.page_content, place, last))
    return Quote(path, start_line, end_line, headings)


def _quote_of_whole(document: Document) -> Quote:
    metadata = document.metadata
    headings = metadata.get("headings") or ()
    start_line = _line_number(metadata.get("start_line"))
    return Quote(
        str(metadata.get("source") or ""),
        start_line,
        _line_number(metadata.get("end_line")) or start_line,
        tuple(map(str, headings)) if isinstance(headings, (list, tuple)) else (str(headings),),
    )


def _line_number(value: object) -> int:
    """Return the number in a field that anybody may have written; 0 if it holds none."""
    try:
        return max(0, int(str(value)))
    except ValueError:
        return 0


def _without_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    start = min(max(start, 0), len(text))
    end = min(max(end, start), len(text))
    part = text[start:end]
    leading = len(part) - len(part.lstrip())
    if leading == len(part):
        return start, end
    return start + leading, end - (len(part) - len(part.rstrip()))


def _index_at(places: Sequence[Place], offset: int) -> int:
    return max(0, bisect_right(places, offset, key=lambda place: place.offset) - 1)


def _line_at(text: str, place: Place, offset: int) -> int:
    return place.line + count_line_ends(text, place.offset, offset)
