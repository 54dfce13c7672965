"""Where a block that is too large is cut: along its grain, and with what around the cut."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence

from obsirag.markdown import Block, Span
from obsirag.markdown.nested import CONTAINERS
from obsirag.splitters.container_grain import block_levels
from obsirag.splitters.contexts import Contexts
from obsirag.splitters.grain import CODE, PROSE, Level
from obsirag.splitters.sizes import Sizes
from obsirag.text import grapheme_end, grapheme_start

__all__ = ["Inside"]

Closing = Callable[[int], str]


class Inside:
    """Finds ends within single blocks of a run.

    Args:
        text: The text.
        sizes: The limits.
        blocks: The run's blocks.
        spans_of: Gives a block's inline spans.
    """

    def __init__(
        self, text: str, sizes: Sizes, blocks: Sequence[Block], spans_of: Callable[[Block], list[Span]]
    ) -> None:
        self.text = text
        self.sizes = sizes
        self.blocks = blocks
        self.end = blocks[-1].end
        self._spans_of = spans_of
        self._known: dict[int, tuple[_Levels, Contexts]] = {}

    def furthest(
        self,
        start: int,
        ends: Sequence[int],
        room: int,
        before: str = "",
        closing: Closing | None = None,
        stop: int | None = None,
    ) -> int:
        """Return the last of ``ends[:stop]`` up to which text from ``start`` fits, 0 if none does.

        An earlier one is taken if that leaves the rest of the run the minimum size.
        """
        sizes, text = self.sizes, self.text
        first, stop = bisect_right(ends, start), len(ends) if stop is None else stop
        last = sizes.furthest(text, start, ends, first, stop, room, before, closing)
        if last < 0 and room < sizes.chunk:
            last = sizes.furthest(text, start, ends, first, stop, sizes.chunk, before, closing)
        if last < 0:
            return 0
        if last > first and sizes.reaches(text, ends[last], self.end, sizes.minimum - 1):
            last = self._balanced(start, ends, first, last, before)
        return ends[last]

    def _balanced(self, start: int, ends: Sequence[int], first: int, last: int, before: str) -> int:
        """Return an earlier end that leaves the rest at least the minimum size, if this piece keeps it too."""
        sizes, text = self.sizes, self.text
        index = bisect_left(
            range(first, last + 1),
            True,
            key=lambda at: sizes.reaches(text, ends[at], self.end, sizes.minimum - 1),
        )
        earlier = first + index - 1
        if earlier < first or sizes.reaches(text, start, ends[earlier], sizes.minimum - 1, before):
            return last
        return earlier

    def end_within(self, index: int, start: int, stop: int, before: str, room: int) -> tuple[int, str]:
        """Return the best end before ``stop`` along the grain of one block, and what closes it; 0 if none fits."""
        closing = self._closing(index, before)
        for ends, _ in self._of(index)[0]:
            end = self.furthest(start, ends, room, before, closing, bisect_left(ends, stop))
            if end:
                return end, closing(end) if closing else ""
        return 0, ""

    def beginning_of(self, index: int, start: int, stop: int, room: int, limit: int) -> tuple[int, str]:
        """Return where the beginning of a block ends that goes with what stands before it, 0 if nothing of it fits.

        Args:
            index: The block's.
            start: Where the piece begins, before the block.
            stop: Where the block ends, or the part of it that may be taken.
            room: What the piece should not pass.
            limit: What it may pass that for, if the least part of the block doesn't fit else.
        """
        block = self.blocks[index]
        closing = self._closing(index, "")
        whole = self._fits_chunk(block.start, stop)
        least: list[int] = []  # the first part of each level that fits a chunk
        for ends, grain in self._of(index)[0]:
            if grain == "marks" or (grain == "parts" and (least or whole)):
                break
            end = self.furthest(start, ends, room, "", closing, bisect_left(ends, stop))
            if end:
                return end, closing(end) if closing else ""
            first = ends[0] if ends and ends[0] < stop else 0
            if first and self._fits(block.start, first, self.sizes.chunk, closing):
                if not least and self._fits(start, first, limit, closing):
                    return first, closing(first) if closing else ""
                least.append(first)
                if block.kind not in PROSE and block.kind not in CONTAINERS:
                    break  # a row or a line that fits is not cut
        for first in least:
            if self._fits(start, first, limit, closing):
                return first, closing(first) if closing else ""
        if least or whole or self.end_within(index, block.start, stop, "", room)[0]:
            return 0, ""  # its beginning fits a chunk of its own
        first = grapheme_end(self.text, block.start, stop)
        if self._fits(start, first, self.sizes.chunk, closing):
            end, after = self.grapheme_end(index, start, stop, "")
            if end > block.start:
                return end, after
        return (first, closing(first) if closing else "") if self._fits(start, first, limit, closing) else (0, "")

    def _fits(self, start: int, end: int, limit: int, closing: Closing | None) -> bool:
        return self.sizes.reaches(self.text, start, end, limit) and (
            closing is None or self.sizes.fits(self.text, start, end, limit, "", closing(end))
        )

    def _closing(self, index: int, before: str) -> Closing | None:
        """Return what tells by its end what closes a piece, None if nothing in the block is to be closed."""
        contexts = self._of(index)[1]
        if not contexts.closes:
            return None

        def closing(end: int) -> str:
            after = contexts.after(end)
            return after if self._worth_it(before, after) else ""

        return closing

    def grapheme_end(self, index: int, start: int, stop: int, before: str) -> tuple[int, str]:
        """Return the end behind the last grapheme before ``stop`` that fits, or the first, and what closes it."""
        text = self.text
        closing = self._closing(index, before)
        after = closing(stop - 1) if closing else ""
        end = self.sizes.furthest_offset(text, start, stop, self.sizes.chunk, before, after)
        end = grapheme_start(text, end, start) if end < stop else stop
        if end <= start:  # not even one fits
            end = grapheme_end(text, start, stop)
        while end > start + 1 and text[end - 1].isspace():
            end -= 1
        return end, closing(end) if closing else ""

    def context_before(self, index: int, start: int) -> str:
        """Return what a piece needs before it that begins at ``start``, within a block."""
        contexts = self._of(index)[1]
        before = contexts.before(start)
        return before if before and self._worth_it(before, contexts.after(start)) else ""

    def _of(self, index: int) -> tuple[_Levels, Contexts]:
        if index not in self._known:
            block = self.blocks[index]
            spans = None if block.kind in CODE else self._spans_of(block)
            levels = _Levels(block_levels(self.text, block, self._fits_chunk, spans))
            self._known[index] = levels, Contexts(self.text, block)
        return self._known[index]

    def _fits_chunk(self, start: int, end: int) -> bool:
        return self.sizes.reaches(self.text, start, end, self.sizes.chunk)

    def _worth_it(self, before: str, after: str) -> bool:
        """Say whether the contexts leave at least a quarter of a chunk to the text."""
        return not (before or after) or self.sizes.fits(
            before + after, 0, len(before + after), self.sizes.chunk * 3 // 4
        )


class _Levels:
    """The ends at which a block may be cut, made when they are first asked for, and kept."""

    def __init__(self, levels: Iterator[Level]) -> None:
        self._made: list[Level] = []
        self._more = levels

    def __iter__(self) -> Iterator[Level]:
        index = 0
        while True:
            if index == len(self._made):
                level = next(self._more, None)
                if level is None:
                    return
                self._made.append(level)
            yield self._made[index]
            index += 1
