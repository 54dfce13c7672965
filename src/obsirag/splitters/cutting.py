"""One section's own text cut into pieces: whole blocks as far as they fit, what is too large along its grain."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence

from obsirag.markdown import Block, Span, inline_spans
from obsirag.splitters.contexts import Contexts
from obsirag.splitters.grain import CODE, block_levels
from obsirag.splitters.pieces import Piece
from obsirag.splitters.sizes import Sizes
from obsirag.splitters.units import Units
from obsirag.text import grapheme_end, grapheme_start

__all__ = ["Cutter"]

_VISIBLE = re.compile(r"\S")


class Cutter:
    """Cuts runs of blocks of one text.

    Args:
        text: The text.
        sizes: The limits.
    """

    def __init__(self, text: str, sizes: Sizes) -> None:
        self.text = text
        self.sizes = sizes
        self._spans: dict[int, list[Span]] = {}
        self._links = 0

    def spans_of(self, block: Block) -> list[Span]:
        """Return the inline spans of ``block``, found once."""
        if block.start not in self._spans:
            self._spans[block.start] = inline_spans(self.text, block.start, block.end)
        return self._spans[block.start]

    def cut(self, blocks: Sequence[Block]) -> list[Piece]:
        """Return the pieces of ``blocks``, a section's heading and text, or part of them."""
        run = _Run(self, blocks)
        pieces: list[Piece] = []
        position, end = blocks[0].start, blocks[-1].end
        while position < end:
            piece = run.next_piece(position, first=not pieces)
            pieces.append(piece)
            visible = _VISIBLE.search(self.text, piece.end, end)
            position = visible.start() if visible else end
        self._link(run.units, pieces)
        return pieces

    def _link(self, units: Units, pieces: list[Piece]) -> None:
        """Link a code with the text above it, where they are in different pieces."""
        starts = [piece.start for piece in pieces]
        for paragraph, code in units.pairs:
            ends = (paragraph.start, paragraph.end - 1, code.start, code.end - 1)
            indexes = {bisect_right(starts, position) - 1 for position in ends}
            if len(indexes) > 1:
                for index in indexes:
                    if pieces[index].link < 0:
                        pieces[index].link = self._links
                self._links += 1


class _Levels:
    """The ends at which a block may be cut, made when they are first asked for, and kept."""

    def __init__(self, levels: Iterator[list[int]]) -> None:
        self._made: list[list[int]] = []
        self._more = levels

    def __iter__(self) -> Iterator[list[int]]:
        index = 0
        while True:
            if index == len(self._made):
                level = next(self._more, None)
                if level is None:
                    return
                self._made.append(level)
            yield self._made[index]
            index += 1


class _Run:
    """Finds where the next piece ends."""

    def __init__(self, cutter: Cutter, blocks: Sequence[Block]) -> None:
        self.cutter = cutter
        self.text = cutter.text
        self.sizes = cutter.sizes
        self.blocks = blocks
        self.end = blocks[-1].end
        self.units = Units(cutter.text, cutter.sizes, blocks, cutter.spans_of)
        self.starts = [block.start for block in blocks]
        self.ends = {block.end for block in blocks}
        self._fine: dict[int, tuple[_Levels, Contexts]] = {}

    def next_piece(self, start: int, *, first: bool) -> Piece:
        """Return the piece that begins at ``start``."""
        inside = self.starts[bisect_right(self.starts, start) - 1] != start
        before = self._context_before(start) if inside else ""
        room = self.sizes.chunk if first or before else max(1, self.sizes.chunk - self.sizes.overlap)
        end, after = self._next_end(start, before, room)
        if (before or after) and not self.sizes.fits(self.text, start, end, self.sizes.chunk, before, after):
            before = after = ""
        return Piece(start, end, before, after, partial=inside or end not in self.ends)

    def _next_end(self, start: int, before: str, room: int) -> tuple[int, str]:
        sizes, text = self.sizes, self.text
        if sizes.reaches(text, start, self.end, sizes.chunk, before):
            return self.end, ""
        index = bisect_right(self.starts, start) - 1
        if self._is_rest_before_heading(index, start) and sizes.reaches(
            text, start, self.blocks[index].end, room, before
        ):
            return self.blocks[index].end, ""
        for ends in (self.units.ends, None, self.units.finer_ends):
            if ends is None:
                if not before:
                    for wide in self.units.wide.get(start, ()):
                        if sizes.reaches(text, start, wide, sizes.maximum):
                            return wide, ""
                continue
            end = self._furthest(start, ends, room, before)
            if end:
                return end, ""
        return self._fine_end(start, before, room)

    def _is_rest_before_heading(self, index: int, start: int) -> bool:
        """Say whether ``start`` lies in a heading that was cut, and another one follows, which goes with its text."""
        kinds = [block.kind for block in self.blocks[index : index + 2]]
        return kinds == ["heading", "heading"] and start > self.blocks[index].start

    def _furthest(
        self,
        start: int,
        ends: Sequence[int],
        room: int,
        before: str,
        closing: Callable[[int], str] | None = None,
        stop: int | None = None,
    ) -> int:
        """Return the last of ``ends[:stop]`` up to which text from ``start`` fits, 0 if none does."""
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

    def _fine_end(self, start: int, before: str, room: int) -> tuple[int, str]:
        """Return where to cut within the block that is too large."""
        coarse = self.units.finer_ends
        stop = coarse[bisect_right(coarse, start)] if coarse and coarse[-1] > start else self.end
        low, last = bisect_right(self.starts, start) - 1, bisect_left(self.starts, stop) - 1
        if low < last:
            # Headings or a short text go with the beginning of what follows, or, where that is too much, alone.
            end, after = self._end_within(last, start, stop, before, room, glued=self.blocks[low].kind == "heading")
            if end:
                return end, after
            stop = self.blocks[low].end
            if self.sizes.reaches(self.text, start, stop, self.sizes.chunk, before):
                return stop, ""
        end, after = self._end_within(low, start, stop, before, room)
        return (end, after) if end else self._grapheme_end(low, start, stop, before)

    def _end_within(
        self, index: int, start: int, stop: int, before: str, room: int, *, glued: bool = False
    ) -> tuple[int, str]:
        """Return the best end along the grain of one block, 0 if none fits."""
        levels = self._fine_of(index)[0]
        closing = self._closing(index, before)
        for depth, level in enumerate(levels):
            end = self._furthest(start, level, room, before, closing, bisect_left(level, stop))
            if not end and glued and depth == 0:
                end = self._first_grain(index, start, level)
            if end:
                return end, closing(end) if closing else ""
        return 0, ""

    def _first_grain(self, index: int, start: int, level: Sequence[int]) -> int:
        """Return the end of the first grain if it fits, but not with the heading above it, which may pass the size."""
        if not level or not self.sizes.reaches(self.text, self.starts[index], level[0], self.sizes.chunk):
            return 0
        return level[0] if self.sizes.reaches(self.text, start, level[0], self.sizes.maximum) else 0

    def _closing(self, index: int, before: str) -> Callable[[int], str] | None:
        """Return what tells by its end what closes a piece, None if nothing in the block is to be closed."""
        contexts = self._fine_of(index)[1]
        if not contexts.closes:
            return None

        def closing(end: int) -> str:
            after = contexts.after(end)
            return after if self._worth_it(before, after) else ""

        return closing

    def _grapheme_end(self, index: int, start: int, stop: int, before: str) -> tuple[int, str]:
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

    def _fine_of(self, index: int) -> tuple[_Levels, Contexts]:
        if index not in self._fine:
            block = self.blocks[index]
            spans = None if block.kind in CODE else self.cutter.spans_of(block)
            levels = _Levels(block_levels(self.text, block, self._fits, spans))
            self._fine[index] = levels, Contexts(self.text, block)
        return self._fine[index]

    def _fits(self, start: int, end: int) -> bool:
        return self.sizes.reaches(self.text, start, end, self.sizes.chunk)

    def _context_before(self, start: int) -> str:
        contexts = self._fine_of(bisect_right(self.starts, start) - 1)[1]
        before = contexts.before(start)
        return before if before and self._worth_it(before, contexts.after(start)) else ""

    def _worth_it(self, before: str, after: str) -> bool:
        """Say whether the contexts leave at least a quarter of a chunk to the text."""
        return not (before or after) or self.sizes.fits(
            before + after, 0, len(before + after), self.sizes.chunk * 3 // 4
        )
