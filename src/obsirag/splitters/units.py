"""Which blocks of a section belong together, and where they may part when they don't fit together."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

from obsirag.markdown import Block, Span
from obsirag.splitters.grain import CODE, outside_spans
from obsirag.splitters.sizes import Sizes
from obsirag.text import sentence_ends

__all__ = ["Units"]

_INTRODUCES = re.compile(r"[:：][*_\s]*\Z")
_INTRODUCED = frozenset({"item", "table", "quote", "callout", "math", "html"})
_PROSE = frozenset({"paragraph", "fragment", "heading", "comment"})
_VISIBLE = re.compile(r"\S")


class Units:
    """The blocks of a run put together: a heading and what follows, code and the paragraph above it.

    Args:
        text: The text.
        sizes: The limits.
        blocks: The run's blocks.
        spans_of: Gives a block's inline spans.

    Attributes:
        ends: Where units end.
        finer_ends: Where the parts of units end that are too large for one chunk.
        wide: By their start, ends of what may pass the chunk size: code, and a heading with its first structure.
        pairs: Each code with the paragraph above it.
    """

    def __init__(
        self, text: str, sizes: Sizes, blocks: Sequence[Block], spans_of: Callable[[Block], list[Span]]
    ) -> None:
        self._text = text
        self._sizes = sizes
        self._blocks = blocks
        self._spans_of = spans_of
        self.ends: list[int] = []
        self.finer_ends: list[int] = []
        self.wide: dict[int, list[int]] = {}
        self.pairs: list[tuple[Block, Block]] = []
        first = 0
        for index, block in enumerate(blocks):
            if index + 1 < len(blocks) and self._glued(block, blocks[index + 1]):
                continue
            self.ends.append(block.end)
            self._divide(first, index)
            first = index + 1
        self.finer_ends.sort()

    def _glued(self, block: Block, following: Block) -> bool:
        if block.kind == "heading":
            return True
        if block.kind != "paragraph":
            return False
        if following.kind in CODE:
            return True
        return following.kind in _INTRODUCED and bool(_INTRODUCES.search(self._text, block.end - 8, block.end))

    def _divide(self, first: int, last: int) -> None:
        """Note how the unit of ``blocks[first : last + 1]`` parts if it doesn't fit."""
        text, sizes, blocks = self._text, self._sizes, self._blocks
        start, end = blocks[first].start, blocks[last].end
        self.finer_ends.append(end)
        code = blocks[last] if blocks[last].kind in CODE else None
        if code and last > first and blocks[last - 1].kind == "paragraph":
            self.pairs.append((blocks[last - 1], code))
        if sizes.reaches(text, start, end, sizes.chunk):
            return
        body = first
        while body < last and blocks[body].kind == "heading":
            body += 1
        large_code = code is not None and not sizes.reaches(text, code.start, code.end, sizes.chunk)
        structure = blocks[body]
        if large_code and code:
            self.wide[code.start] = [code.end]
            self.wide.setdefault(start, []).append(end)
        if body > first:
            if sizes.reaches(text, structure.start, end, sizes.chunk):
                self.wide.setdefault(start, []).append(end)
            if sizes.reaches(text, structure.start, structure.end, sizes.chunk):
                self.wide.setdefault(start, []).append(structure.end)
                if structure.kind not in _PROSE and not sizes.reaches(text, start, structure.end, sizes.maximum):
                    self.finer_ends.append(blocks[body - 1].end)
        if body == last:
            return
        if code and blocks[last - 1].kind == "paragraph":
            self._part_text_from_code(blocks[last - 1], code, large_code)
        else:
            self.finer_ends.append(blocks[last - 1].end)

    def _part_text_from_code(self, paragraph: Block, code: Block, large: bool) -> None:
        """Leave with the code as many of the sentences above it as fit."""
        text, sizes = self._text, self._sizes
        if large and not sizes.reaches(text, code.start, code.end, sizes.maximum):
            # The code will be cut: a short text goes with its first part.
            def fits(start: int) -> bool:
                return sizes.reaches(text, start, paragraph.end, sizes.chunk // 4)
        else:
            limit = sizes.maximum if large else sizes.chunk

            def fits(start: int) -> bool:
                return sizes.reaches(text, start, code.end, limit)

        if fits(paragraph.start):
            if not large and paragraph.start not in self.wide:
                self.finer_ends.append(paragraph.end)
            return
        ends = outside_spans(sentence_ends(text, paragraph.start, paragraph.end), self._spans_of(paragraph))
        ends = [end for end in ends if end < paragraph.end]
        index = bisect_left(ends, True, key=lambda end: fits(self._visible(end)))
        if index == len(ends):
            self.finer_ends.append(paragraph.end)
            return
        self.finer_ends.append(ends[index])
        if large:
            self.wide[self._visible(ends[index])] = [code.end]

    def _visible(self, position: int) -> int:
        found = _VISIBLE.search(self._text, position)
        return found.start() if found else position
