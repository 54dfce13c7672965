"""Writing a note's text from front to back, with what is filled in and left out."""

from __future__ import annotations

from collections.abc import Callable

from obsirag.markdown import LinkSpan
from obsirag.vault.fragment import FragmentBuilder
from obsirag.vault.marks import is_blank_until, removals
from obsirag.vault.placing import Stand, needs_gap
from obsirag.vault.source import Source

__all__ = ["Writer"]


class Writer:
    """Writes one range of a source, from front to back.

    Args:
        source: The note.
        start: Offset to begin at.
        end: Offset to end at.
    """

    def __init__(self, source: Source, start: int, end: int) -> None:
        self.source = source
        self.builder = FragmentBuilder()
        self.start = start
        self.cursor = start
        self.end = end

    def copy(self, until: int) -> None:
        """Add the source's own text up to ``until``."""
        if until > self.cursor:
            text = self.source.text
            segments = list(self.source.segments(self.cursor, until))
            for segment, following in zip(segments, [*(each.start for each in segments[1:]), until], strict=True):
                self.builder.put(text[segment.start : following], segment.path, segment.line, verbatim=segment.verbatim)
            self.cursor = until

    def drop(self, start: int, end: int) -> None:
        """Leave ``start..end`` out, with the blanks or the line that it would leave behind."""
        for first, last in removals(self.source, start, end, self.start, self.end):
            self.copy(first)
            self.cursor = max(self.cursor, last)

    def replace(self, link: LinkSpan, words: str) -> None:
        """Put ``words`` in the place of an embed."""
        self.copy(link.start)
        self.builder.put(words, self.source.path, self.source.line_at(link.start))
        self.cursor = link.end

    def leave_as_link(self, link: LinkSpan) -> None:
        """Write an embed as the link that it is without its ``!``."""
        self.copy(link.start)
        self.cursor = link.start + 1
        self.copy(link.end)

    def line_before(self, link: LinkSpan) -> str:
        """Write up to the line of an embed, and return what is shown in that line before it."""
        start, _ = self.source.line_bounds(link.start)
        self.copy(max(self.cursor, start))
        return self.builder.last_line + self.source.text[self.cursor : link.start]

    def shows_after(self, link: LinkSpan, *, drop_comments: bool) -> bool:
        """Say whether anything is shown behind an embed in its line."""
        end = min(self.source.line_bounds(link.end)[1], self.end)
        return not is_blank_until(self.source, link.end, end, drop_comments=drop_comments)

    def write_inline(self, link: LinkSpan, put: Callable[[bool], None]) -> None:
        """Write an embed's content in the middle of a line."""
        self.copy(link.start)
        put(False)
        self.cursor = link.end

    def write_block(self, link: LinkSpan, stand: Stand, put: Callable[[bool], None], *, has_after: bool) -> None:
        """Write an embed's content on lines of its own, parted from its neighbours by blank lines."""
        line = self.source.line_at(link.start)
        newline = self.source.newline
        gap = newline + stand.blank_line + newline + stand.prefix
        if not stand.begins_line:
            self.copy(link.start - _trailing_blanks(self.source.text, self.cursor, link.start))
            lead = newline + stand.prefix if stand.is_below else gap
            self.builder.put(lead, self.source.path, line)
        elif not self.builder.last_line:
            if not stand.opens_item and needs_gap(self.builder.line_before, interrupts=stand.interrupts):
                self.builder.put(stand.blank_line + newline, self.source.path, line)
            if stand.is_inside:
                self.copy(link.start)
        else:
            self.copy(link.start)
        self.cursor = link.start
        put(not stand.is_inside)
        self.cursor = link.end
        self._end_block(link, stand, gap, has_after=has_after)

    def _end_block(self, link: LinkSpan, stand: Stand, gap: str, *, has_after: bool) -> None:
        line = self.source.line_at(link.start)
        _, line_end = self.source.line_bounds(link.end)
        if has_after:
            text = self.source.text
            while self.cursor < line_end and text[self.cursor] in " \t":
                self.cursor += 1
            self.builder.put(gap, self.source.path, line)
            return
        self.cursor = min(line_end, self.end)
        if line_end < self.end and needs_gap(self.source.next_line(line_end), below=stand.is_inside):
            self.builder.put(self.source.newline + stand.blank_line, self.source.path, line)


def _trailing_blanks(text: str, start: int, end: int) -> int:
    return len(text[start:end]) - len(text[start:end].rstrip(" \t"))
