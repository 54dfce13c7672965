"""Which blocks of a section belong together, and where they may part when they don't fit together."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence

from obsirag.markdown import Block, Span
from obsirag.splitters.belonging import belongs_above, leads_on
from obsirag.splitters.grain import CODE, outside_spans
from obsirag.splitters.sizes import Sizes
from obsirag.text import sentence_ends

__all__ = ["Units"]

_VISIBLE = re.compile(r"\S")


class Units:
    """The blocks of a run put together: headings and what follows, code and the paragraph above it, words that lead in.

    Args:
        text: The text.
        sizes: The limits.
        blocks: The run's blocks.
        spans_of: Gives a block's inline spans.

    Attributes:
        opened: The index of the first block that is no heading, or of the last heading: it stands with those above.
        ends: Where units end.
        finer_ends: Where the parts of units end that are too large for one chunk.
        pairs: Each code with the paragraph above it.
    """

    def __init__(
        self, text: str, sizes: Sizes, blocks: Sequence[Block], spans_of: Callable[[Block], list[Span]]
    ) -> None:
        self._text = text
        self._sizes = sizes
        self._blocks = blocks
        self._spans_of = spans_of
        self._heads = {block.start for block in blocks if block.kind == "heading"}
        self._large: dict[int, int] = {}  # where units end with code that passes the chunk size only, and it begins
        self.opened = min(len(self._heads), len(blocks) - 1)
        self.ends: list[int] = []
        self.finer_ends: list[int] = []
        self.pairs: list[tuple[Block, Block]] = []
        first = 0
        for index, block in enumerate(blocks):
            if index + 1 < len(blocks) and self._glued(block, blocks[index + 1]):
                continue
            self.ends.append(block.end)
            self._divide(first, index)
            first = index + 1
        self.finer_ends.sort()

    def is_whole(self, index: int) -> bool:
        """Say whether a block is kept whole: it isn't prose and fits a chunk, or is code that fits the hard limit."""
        block, sizes = self._blocks[index], self._sizes
        limit = sizes.maximum if block.kind in CODE else sizes.chunk
        return block.kind != "paragraph" and sizes.reaches(self._text, block.start, block.end, limit)

    def wide_end(self, start: int) -> int:
        """Return the end of the unit around ``start`` if a piece may take it although it passes the chunk size, else 0.

        Code that fits the hard limit only is taken with the text above it, and headings with what fits a chunk.
        """
        end = self.ends[bisect_right(self.ends, start)]
        if self._large.get(end, -1) >= start:
            return end
        opened = self._blocks[self.opened].start
        opens = start in self._heads and start < opened
        return end if opens and self._sizes.reaches(self._text, opened, end, self._sizes.chunk) else 0

    def next_finer_end(self, start: int, end: int) -> int:
        """Return the first of the finer ends and of the units' that lies behind ``start``, at most ``end``."""
        finer = bisect_right(self.finer_ends, start)
        if finer < len(self.finer_ends):
            end = min(end, self.finer_ends[finer])
        return min(end, self.ends[bisect_right(self.ends, start)])

    def _glued(self, block: Block, following: Block) -> bool:
        if block.kind == "heading":
            return True
        if belongs_above(self._text, block):
            return False
        if belongs_above(self._text, following):
            return self._sizes.reaches(self._text, block.start, following.end, self._sizes.chunk)
        return leads_on(self._text, block, following)

    def _divide(self, first: int, last: int) -> None:
        """Note how the unit of ``blocks[first : last + 1]`` parts if it doesn't fit."""
        text, sizes, blocks = self._text, self._sizes, self._blocks
        start, end = blocks[first].start, blocks[last].end
        if last > first and belongs_above(text, blocks[last]) and blocks[last - 1].kind != "heading":
            last -= 1
        code = blocks[last] if blocks[last].kind in CODE else None
        if code and last > first and blocks[last - 1].kind == "paragraph":
            self.pairs.append((blocks[last - 1], code))
        if sizes.reaches(text, start, end, sizes.chunk):
            return
        large = code is not None and not sizes.reaches(text, code.start, code.end, sizes.chunk)
        if code and large and sizes.reaches(text, code.start, end, sizes.maximum):
            self._large[end] = code.start
        body = max(first, self.opened) if first <= self.opened else first
        if body < last:
            self._part(body, last, end, headed=first < body)

    def _part(self, body: int, last: int, end: int, *, headed: bool) -> None:
        """Part the text above ``blocks[last]`` from it, all but as many of its last sentences as fit with it."""
        text, sizes, blocks = self._text, self._sizes, self._blocks
        whole = self.is_whole(last)
        limit = sizes.maximum if end in self._large else sizes.chunk if whole else sizes.chunk // 4
        # What will be cut itself goes on with a short text above it; that is all that is measured.
        stop = end if whole else blocks[last - 1].end

        def fits(start: int) -> bool:
            return sizes.reaches(text, start, stop, limit)

        index = bisect_left(range(body, last), True, key=lambda at: fits(blocks[at].start)) + body
        if index > body:
            self.finer_ends += [block.end for block in blocks[body : index - 1]]
            self._part_within(blocks[index - 1], fits)
        elif headed and whole:  # with the headings it is too much: these take the first sentence along
            self._part_within(blocks[body], lambda _: True)

    def _part_within(self, paragraph: Block, fits: Callable[[int], bool]) -> None:
        """Note the first sentence end behind which the text fits, or else the paragraph's own end."""
        ends: list[int] = []
        if paragraph.kind == "paragraph":
            ends = outside_spans(sentence_ends(self._text, paragraph.start, paragraph.end), self._spans_of(paragraph))
            ends = [end for end in ends if end < paragraph.end]
        index = bisect_left(ends, True, key=lambda end: fits(self._visible(end)))
        self.finer_ends.append(ends[index] if index < len(ends) else paragraph.end)

    def _visible(self, position: int) -> int:
        found = _VISIBLE.search(self._text, position)
        return found.start() if found else position
