"""One section's own text cut into pieces: whole blocks as far as they fit, what is too large along its grain."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from obsirag.markdown import Block, Span, inline_spans
from obsirag.splitters.inside import Inside
from obsirag.splitters.overlapping import furthest_overlap
from obsirag.splitters.pieces import Piece
from obsirag.splitters.sizes import Sizes
from obsirag.splitters.units import Units

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
            piece = run.next_piece(position, self._room(blocks, pieces, position))
            pieces.append(piece)
            visible = _VISIBLE.search(self.text, piece.end, end)
            position = visible.start() if visible else end
        self._link(run.units, pieces)
        return pieces

    def _room(self, blocks: Sequence[Block], pieces: Sequence[Piece], start: int) -> int:
        """Return what the next piece should not pass: what a chunk holds beside the overlap that it may have."""
        if not pieces:
            return self.sizes.chunk
        repeated = self.text[furthest_overlap(self, blocks, pieces[-1], start) : start]
        return max(1, self.sizes.chunk - self.sizes.length(repeated)) if repeated else self.sizes.chunk

    def _link(self, units: Units, pieces: list[Piece]) -> None:
        """Link a code with the text above it, where they are in different pieces."""
        starts = [piece.start for piece in pieces]
        for paragraph, code in units.pairs:
            ends = (paragraph.start, paragraph.end - 1, code.start, code.end - 1)
            indexes = [bisect_right(starts, position) - 1 for position in ends]
            if min(indexes) < max(indexes):
                for piece in pieces[min(indexes) : max(indexes) + 1]:
                    if piece.link < 0:
                        piece.link = self._links
                self._links += 1


class _Run:
    """Finds where the next piece ends."""

    def __init__(self, cutter: Cutter, blocks: Sequence[Block]) -> None:
        self.text = cutter.text
        self.sizes = cutter.sizes
        self.blocks = blocks
        self.end = blocks[-1].end
        self.inside = Inside(cutter.text, cutter.sizes, blocks, cutter.spans_of)
        self.units = Units(cutter.text, cutter.sizes, blocks, cutter.spans_of)
        self.starts = [block.start for block in blocks]
        self.ends = [block.end for block in blocks]
        self.whole_ends = set(self.ends)

    def next_piece(self, start: int, room: int) -> Piece:
        """Return the piece that begins at ``start`` and should not pass ``room``."""
        index = bisect_right(self.starts, start) - 1
        inside = self.starts[index] != start
        before = self.inside.context_before(index, start) if inside else ""
        room = self.sizes.chunk if before else room
        end, after = self._next_end(index, start, before, room)
        if (before or after) and not self.sizes.fits(self.text, start, end, self.sizes.chunk, before, after):
            before = after = ""
        return Piece(start, end, before, after, partial=inside or end not in self.whole_ends)

    def _next_end(self, index: int, start: int, before: str, room: int) -> tuple[int, str]:
        if self.sizes.reaches(self.text, start, self.end, self.sizes.chunk, before):
            return self.end, ""
        if index < self.units.opened:
            return self._end_in_opening(index, start, room)
        end = self._end_of_units(start, before, room)
        return (end, "") if end else self._fine_end(index, start, before, room)

    def _end_of_units(self, start: int, before: str, room: int) -> int:
        """Return the best end of a unit, or of a part of it, 0 if none fits."""
        end = self.inside.furthest(start, self.units.ends, room, before)
        if not end and not before:
            wide = self.units.wide_end(start)
            end = wide if wide and self.sizes.reaches(self.text, start, wide, self.sizes.maximum) else 0
        return end or self.inside.furthest(start, self.units.finer_ends, room, before)

    def _end_in_opening(self, index: int, start: int, room: int) -> tuple[int, str]:
        """Return where a piece ends that begins in the headings, which go with the beginning of their text."""
        blocks, opened = self.blocks, self.units.opened
        rest = start > self.starts[index]
        if rest and blocks[index + 1].kind == "heading":  # the rest of a heading that was cut: the next has its text
            last = index
        else:
            end, after = self._opened(start, room, self.sizes.chunk if rest else self.sizes.maximum)
            if end:
                return end, after
            # Not all of these headings can stand with their text: those further down, as far as possible.
            last = index
            while last + 1 < opened and not self._opened(self.starts[last + 1], room, self.sizes.maximum)[0]:
                last += 1
        end = self.inside.furthest(start, self.ends, room, stop=last + 1)
        if end:
            return end, ""
        stop = blocks[index].end
        end, after = self.inside.end_within(index, start, stop, "", room)
        return (end, after) if end else self.inside.grapheme_end(index, start, stop, "")

    def _opened(self, start: int, room: int, limit: int) -> tuple[int, str]:
        """Return where a piece ends that begins with headings and holds text, 0 if that doesn't fit ``limit``."""
        sizes, opened = self.sizes, self.units.opened
        block = self.blocks[opened]
        stop = self.units.next_finer_end(block.start, self.end)
        end, after = self._end_of_units(start, "", room), ""
        if not end:
            end, after = self._with_beginning(opened, start, stop, room, "")
        if not end and sizes.reaches(self.text, block.start, block.end, sizes.chunk):
            end = block.end if sizes.reaches(self.text, start, block.end, limit) else 0
        if not end and not self.units.is_whole(opened):
            end, after = self.inside.beginning_of(opened, start, min(stop, block.end), room, limit)
        return end, after

    def _with_beginning(self, index: int, start: int, stop: int, room: int, before: str) -> tuple[int, str]:
        """Return where a piece ends that takes a short text and the beginning of what it leads in, or the text alone.

        Args:
            index: The block to which the text belongs.
            start: Where the piece begins.
            stop: Where the next part of the unit ends.
            room: What the piece should not pass.
            before: What is put before it.

        Returns:
            The end, 0 if there is no such text or not even that fits, and what closes it.
        """
        last = bisect_right(self.starts, stop - 1) - 1
        if index == last:
            return 0, ""
        if not before and not self.units.is_whole(last):
            end, after = self.inside.beginning_of(last, start, stop, room, self.sizes.chunk)
            if end:
                return end, after
        end = self.inside.furthest(start, self.ends, room, before, stop=last)
        return (end, "") if end >= self.ends[index] else (0, "")

    def _fine_end(self, index: int, start: int, before: str, room: int) -> tuple[int, str]:
        """Return where to cut within the block that is too large."""
        stop = self.units.next_finer_end(start, self.end)
        end, after = self._with_beginning(index, start, stop, room, before)
        if not end:
            stop = min(stop, self.blocks[index].end)
            end, after = self.inside.end_within(index, start, stop, before, room)
        return (end, after) if end else self.inside.grapheme_end(index, start, stop, before)
