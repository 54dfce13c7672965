"""Where the text of a chunk came from."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from obsirag.records import RenderedNote, Segment
from obsirag.records.rendered import count_line_ends

__all__ = ["Sources"]

_VISIBLE = re.compile(r"\S")


class Sources:
    """The lines of a note's chunks in its file and in the files it embeds.

    Args:
        rendered: The note.
    """

    def __init__(self, rendered: RenderedNote) -> None:
        self._text = rendered.text
        self._segments = rendered.segments or (Segment(0, rendered.path, 1),)
        self._starts = [segment.start for segment in self._segments]
        self._embeds: list[tuple[int, int, int]] = []  # the outermost ones: start, end, line
        for embed in rendered.embeds:
            if embed.end > embed.start and (not self._embeds or embed.start >= self._embeds[-1][1]):
                self._embeds.append((embed.start, embed.end, embed.line))
        self._embed_starts = [start for start, _, _ in self._embeds]
        own = [segment.line for segment in self._segments if segment.path == rendered.path]
        # A canvas, which embeds nothing, is read in another order than its file's.
        self._in_order = bool(self._embeds) or own == sorted(own)
        # Of a note that embeds nothing, one count of line ends tells all.
        first = self._segments[0]
        self._plain = len(self._segments) == 1 and first.verbatim and not self._embeds and "\r" not in self._text
        self._known = (0, 0, 0)  # segment, offset, line ends between the segment's start and the offset

    def of(self, spans: Iterable[tuple[int, int]]) -> list[tuple[int, int, list[str]]]:
        """Return for each of ``spans`` its first and last line, as ``lines``, and its sources, as ``spans``.

        Args:
            spans: Start and end offsets, both of characters that aren't blank.
        """
        if not self._plain:
            return [(*self.lines(start, end), self.spans(start, end)) for start, end in spans]
        found = []
        count, (known, path, line, _) = self._text.count, self._segments[0]
        for start, end in spans:
            # An overlap begins before the end of the span before it, from where the lines are counted on.
            line += count("\n", known, start) if start >= known else -count("\n", start, known)
            last = line + count("\n", start, end)
            found.append((line, last, [f"{path}#L{line}-L{last}"]))
            known = start
        return found

    def lines(self, start: int, end: int) -> tuple[int, int]:
        """Return the first and last line of ``text[start:end]`` in the note's own file: for an embed, its own line."""
        if self._in_order:
            return self._own_line(start), self._own_line(end - 1)
        runs = self._runs(start, end)
        return min(first for _, first, _ in runs), max(last for _, _, last in runs)

    def spans(self, start: int, end: int) -> list[str]:
        """Return every source of ``text[start:end]`` as ``path#Lfirst-Llast``, in order, one for each run of lines."""
        return list(dict.fromkeys(f"{path}#L{first}-L{last}" for path, first, last in self._runs(start, end)))

    def _runs(self, start: int, end: int) -> list[tuple[str, int, int]]:
        runs: list[tuple[str, int, int]] = []
        index = max(0, bisect_right(self._starts, start) - 1)
        while index < len(self._segments) and self._starts[index] < end:
            begin = max(start, self._starts[index])
            stop = min(end, self._starts[index + 1]) if index + 1 < len(self._segments) else end
            visible = _VISIBLE.search(self._text, begin, stop)
            if visible:
                path = self._segments[index].path
                last_visible = begin + len(self._text[begin:stop].rstrip()) - 1
                first, last = self._line(index, visible.start()), self._line(index, last_visible)
                if runs and runs[-1][0] == path and runs[-1][1] <= first <= runs[-1][2] + 1:
                    runs[-1] = (path, runs[-1][1], max(last, runs[-1][2]))
                else:
                    runs.append((path, first, last))
            index += 1
        return runs

    def _own_line(self, offset: int) -> int:
        index = bisect_right(self._embed_starts, offset) - 1
        if index >= 0 and offset < self._embeds[index][1]:
            return self._embeds[index][2]
        return self._line(max(0, bisect_right(self._starts, offset) - 1), offset)

    def _line(self, index: int, offset: int) -> int:
        segment = self._segments[index]
        if not segment.verbatim:
            return segment.line
        # The line ends are counted on, or back, from the last offset asked for.
        known_index, known, count = self._known
        if known_index != index:
            known, count = segment.start, 0
        if offset >= known:
            count += count_line_ends(self._text, known, offset)
        else:
            count -= count_line_ends(self._text, offset, known)
        self._known = (index, offset, count)
        return segment.line + count
