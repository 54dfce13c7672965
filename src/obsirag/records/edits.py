"""Changing rendered text without losing where its characters came from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from obsirag.records.rendered import EmbedSpan, Segment, SourceLocation, count_line_ends

__all__ = ["Edit", "apply_edits"]


class Edit(NamedTuple):
    """One change of a text.

    Args:
        start: Offset of the first character that is replaced.
        end: Offset after the last one; equal to ``start`` where something is put in.
        replacement: What takes their place.
        source: Where the replacement came from; None if it belongs to the line it stands in.
    """

    start: int
    end: int
    replacement: str = ""
    source: SourceLocation | None = None


def apply_edits(
    text: str, segments: Sequence[Segment], embeds: Sequence[EmbedSpan], edits: Sequence[Edit]
) -> tuple[str, list[Segment], list[EmbedSpan]]:
    """Return the text with ``edits`` made, and its sources and embeds where they are now.

    An embed grows with text put in inside it, not with text put in at its borders; one that becomes empty is gone.

    Args:
        text: The text.
        segments: Its sources in order; they cover it.
        embeds: Its embeds.
        edits: In order of their start, none overlapping another.

    Raises:
        ValueError: If edits overlap, are out of order, or lie outside the text.
    """
    if not edits:
        return text, list(segments), list(embeds)
    _check(text, edits)
    shifts = _Shifts(edits)
    parts: list[str] = []
    cursor = 0
    for edit in edits:
        parts += (text[cursor : edit.start], edit.replacement)
        cursor = edit.end
    parts.append(text[cursor:])
    moved = (
        each._replace(start=shifts.move(each.start, after=True), end=shifts.move(each.end, after=False))
        for each in embeds
    )
    changed = "".join(parts)
    return changed, _move_segments(text, changed, segments, edits), [each for each in moved if each.start < each.end]


def _check(text: str, edits: Sequence[Edit]) -> None:
    cursor = 0
    for edit in edits:
        if not cursor <= edit.start <= edit.end <= len(text):
            raise ValueError(
                f"edit {edit.start}..{edit.end} overlaps the one before, which ends at {cursor}, or lies outside the "
                f"text of {len(text)} characters; give edits in order"
            )
        cursor = edit.end


class _Shifts:
    """Where offsets of the old text are in the new one."""

    def __init__(self, edits: Sequence[Edit]) -> None:
        self._edits = edits
        self._starts = [edit.start for edit in edits]
        self._gains: list[int] = []
        gain = 0
        for edit in edits:
            gain += len(edit.replacement) - (edit.end - edit.start)
            self._gains.append(gain)

    def move(self, offset: int, *, after: bool) -> int:
        """Return the new offset; ``after`` says which side of text that was put in right at ``offset``."""
        index = bisect_right(self._starts, offset) - 1
        while index >= 0 and self._edits[index].start == offset and not after:
            index -= 1  # what begins here comes behind an end
        if index < 0:
            return offset
        edit = self._edits[index]
        if offset < edit.end:  # inside what was replaced
            new_start = edit.start + self._gains[index] - len(edit.replacement) + (edit.end - edit.start)
            return new_start + (0 if after else len(edit.replacement))
        return offset + self._gains[index]


def _move_segments(text: str, changed: str, segments: Sequence[Segment], edits: Sequence[Edit]) -> list[Segment]:
    """Return the sources of the new text: those of what is kept and of what was put in, run by run."""
    moved = _Joined(changed)
    lines = _LineReader(text, segments)
    cursor = position = 0
    for edit in (*edits, Edit(len(text), len(text))):
        for start, segment in lines.runs(cursor, edit.start):
            moved.add(segment._replace(start=position + start - cursor))
        position += edit.start - cursor
        if edit.replacement:
            at = lines.at(min(edit.start, max(0, len(text) - 1)))
            alike = lines.ends_in_same_segment(edit) and _line_ends(edit.replacement) == count_line_ends(
                text, edit.start, edit.end
            )
            source = edit.source or SourceLocation(at.path, at.line)
            moved.add(Segment(position, *source, verbatim=at.verbatim and alike and edit.source is None))
            position += len(edit.replacement)
        cursor = edit.end
    return moved.segments or [Segment(0, *each[1:]) for each in segments[:1]]


class _LineReader:
    """Reads the sources of a text from front to back."""

    def __init__(self, text: str, segments: Sequence[Segment]) -> None:
        self._text = text
        self._segments = segments
        self._index = 0
        self._offset = 0
        self._line = segments[0].line if segments else 1

    def _end(self) -> int:
        following = self._index + 1
        return self._segments[following].start if following < len(self._segments) else len(self._text)

    def at(self, offset: int) -> Segment:
        """Return the segment at ``offset`` as it is there; offsets must not decrease."""
        while self._index + 1 < len(self._segments) and self._end() <= offset:
            self._index += 1
            self._offset, self._line = self._segments[self._index].start, self._segments[self._index].line
        segment = self._segments[self._index]
        if segment.verbatim and offset > self._offset:
            self._line += count_line_ends(self._text, self._offset, offset)
            self._offset = offset
        return segment._replace(start=offset, line=self._line)

    def runs(self, start: int, end: int) -> Iterator[tuple[int, Segment]]:
        """Yield each run of one source in ``start..end`` with its start."""
        while start < end:
            yield start, self.at(start)
            start = min(end, self._end())

    def ends_in_same_segment(self, edit: Edit) -> bool:
        """Say whether ``edit``, whose start was just read, doesn't reach into the next segment."""
        return edit.end <= self._end()


class _Joined:
    """Segments, those joined that go on where the one before ends."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.segments: list[Segment] = []
        self._offset = 0
        self._line = 0

    def add(self, segment: Segment) -> None:
        if self.segments:
            last = self.segments[-1]
            line = self._line
            if last.verbatim:
                line += count_line_ends(self._text, self._offset, segment.start)
            if (last.path, last.verbatim, line) == (segment.path, segment.verbatim, segment.line):
                self._offset, self._line = segment.start, line
                return
        self.segments.append(segment)
        self._offset, self._line = segment.start, segment.line


def _line_ends(text: str) -> int:
    return count_line_ends(text, 0, len(text))
