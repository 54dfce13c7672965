"""What a chunk repeats of the text before it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from obsirag.markdown import Block
from obsirag.splitters.belonging import belongs_above
from obsirag.splitters.grain import outside_spans
from obsirag.splitters.pieces import Piece

if TYPE_CHECKING:
    from obsirag.splitters.cutting import Cutter

__all__ = ["furthest_overlap", "overlap_start"]

_BEGUN = frozenset({"indented_code", "fragment"})
"""The kinds of block that begin before their first character counts: in their indent, or in what a border cut."""

_PUNCTUATION = re.compile(r"(?:[。！？；…，、：⋯—]++[”’」』）】》〉*_=~]*+|[.,;:!?]++[\"')\]*_=~]*+(?=\s))\s*+(?=\S)")


def furthest_overlap(cutter: Cutter, blocks: Sequence[Block], previous: Piece, start: int) -> int:
    """Return where the longest repetition begins that a piece may have which begins at ``start``; else ``start``.

    Args:
        cutter: Knows the text and the sizes.
        blocks: The blocks in which the one piece ends and the other begins.
        previous: The piece before.
        start: Where the piece begins.
    """
    if cutter.sizes.overlap < 1:
        return start
    low = cutter.sizes.overlap_window(cutter.text, previous.start, start)
    return min(_beginnings(cutter, blocks, low, previous.end), default=start)


def overlap_start(cutter: Cutter, blocks: list[Block], previous: Piece, piece: Piece) -> int:
    """Return where the text before ``piece`` begins that it repeats; its own start if it repeats none.

    Args:
        cutter: Knows the text and the sizes.
        blocks: The blocks of the section in which the one piece ends and the other begins.
        previous: The piece before.
        piece: The piece.
    """
    text, sizes = cutter.text, cutter.sizes
    if sizes.overlap < 1 or piece.before:
        return piece.start
    low = sizes.overlap_window(text, previous.start, piece.start)
    candidates = _beginnings(cutter, blocks, low, previous.end)
    index = bisect_left(
        candidates,
        True,
        key=lambda start: sizes.fits(text, start, piece.end, sizes.chunk, "", piece.after),
    )
    return candidates[index] if index < len(candidates) else piece.start


def _beginnings(cutter: Cutter, blocks: Sequence[Block], low: int, end: int) -> list[int]:
    """Return where a repetition of the text up to ``end`` may begin, from ``low`` on: never within a structure."""
    found: list[int] = []
    index = bisect_left(blocks, end, key=lambda block: block.start) - 1
    while index >= 0:
        block = blocks[index]
        if block.kind == "heading" or (block.end > end and block.kind != "paragraph"):
            break
        if block.kind == "paragraph":
            stop = min(end, block.end)
            ends = [match.end() for match in _PUNCTUATION.finditer(cutter.text, max(low - 2, block.start), stop)]
            found += outside_spans([each for each in ends if low <= each < stop], cutter.spans_of(block))
        if block.start < low:
            break
        if block.kind not in _BEGUN and not belongs_above(cutter.text, block):
            found.append(block.start)
        index -= 1
    return sorted(found)
