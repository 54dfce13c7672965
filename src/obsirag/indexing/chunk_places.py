"""The metadata ``places`` of a chunk: where each part of it came from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from obsirag.records import Place, RenderedNote
from obsirag.records.rendered import Segment, count_line_ends

__all__ = ["Outline", "places_of"]

Outline = Sequence[tuple[int, tuple[str, ...]]]
"""Offsets in order, each with the heading path that holds from there on."""


def places_of(
    rendered: RenderedNote, outline: Outline, start: int, end: int, *, before: str = "", after: str = ""
) -> list[Place]:
    """Return where the parts of ``before + rendered.text[start:end] + after`` came from.

    Args:
        rendered: The note.
        outline: Its headings.
        start: Offset of the chunk's first character in the rendered text.
        end: Offset after its last.
        before: Text put in front of the chunk; it belongs to the line at ``start``.
        after: Text put behind it; it belongs to the line of the last character.

    Returns:
        Places in order of their offset in the chunk; one wherever file, heading path or the run of lines changes.
    """
    shift = len(before)
    first = rendered.locate(start)
    places = [
        Place(offset, first.path, first.line, _headings_at(outline, start)) for offset in _line_starts(before, 0, shift)
    ]
    own: list[Place] = []
    for offset, path, line, headings in _steps(rendered, outline, start, end):
        if own and (path, headings) == (own[-1].path, own[-1].headings):
            expected = own[-1].line + count_line_ends(rendered.text, own[-1].offset, offset)
            if line == expected:
                continue
        own.append(Place(offset, path, line, headings))
    places += [place._replace(offset=place.offset - start + shift) for place in own]
    if after:
        last = rendered.locate(max(start, end - 1))
        headings = _headings_at(outline, max(start, end - 1))
        begin = shift + end - start
        places += [Place(begin + offset, *last, headings) for offset in _line_starts(after, 0, len(after))]
    return places


def _steps(
    rendered: RenderedNote, outline: Outline, start: int, end: int
) -> Iterator[tuple[int, str, int, tuple[str, ...]]]:
    """Yield every offset at which something may change, with path, line and headings from there on."""
    for segment, stop in _segments(rendered, start, end):
        line = segment.line
        counted = segment.start
        for offset, headings in _cuts(rendered, outline, segment, stop):
            if segment.verbatim:
                line += count_line_ends(rendered.text, counted, offset)
                counted = offset
            yield offset, segment.path, line, headings


def _segments(rendered: RenderedNote, start: int, end: int) -> Iterator[tuple[Segment, int]]:
    segments = list(rendered.segments_between(start, end))
    for index, segment in enumerate(segments):
        yield segment, segments[index + 1].start if index + 1 < len(segments) else end


def _cuts(
    rendered: RenderedNote, outline: Outline, segment: Segment, stop: int
) -> Iterator[tuple[int, tuple[str, ...]]]:
    cuts = {segment.start}
    first = bisect_right(outline, segment.start, key=lambda each: each[0])
    for index in range(first, len(outline)):
        if outline[index][0] >= stop:
            break
        cuts.add(outline[index][0])
    if not segment.verbatim:
        cuts.update(_line_starts(rendered.text, segment.start, stop))
    for offset in sorted(cuts):
        yield offset, _headings_at(outline, offset)


def _headings_at(outline: Outline, offset: int) -> tuple[str, ...]:
    index = bisect_right(outline, offset, key=lambda each: each[0]) - 1
    return tuple(outline[index][1]) if index >= 0 else ()


def _line_starts(text: str, start: int, end: int) -> list[int]:
    """Return ``start`` and every offset behind a line end in ``text[start:end]``."""
    if start >= end:
        return []
    behind = (
        offset + 1
        for offset in range(start, end - 1)
        if text[offset] == "\n" or (text[offset] == "\r" and text[offset + 1] != "\n")
    )
    return [start, *behind]
