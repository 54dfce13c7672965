"""Block ids: the ``^id`` at the end of a block, or on a line of its own behind it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from obsirag.markdown.blocks import scan
from obsirag.markdown.grammar import with_lf
from obsirag.markdown.leaves import LITERAL
from obsirag.markdown.model import Block, BlockId, Span
from obsirag.markdown.nested import CONTAINERS, nested_blocks
from obsirag.markdown.spans import comment_spans

__all__ = ["find_block_ids"]

_MARKER = re.compile(r"(?:(?<=[ \t\n])|\A)\^([A-Za-z0-9-]++)[ \t]*+\Z")
_AT_LINE_END = re.compile(r"\^[A-Za-z0-9-]++[ \t]*+(?=[\r\n]|\Z)")
_LONGEST_MARKER = 200
_WITHOUT_IDS = LITERAL | {"html", "comment", "rule"}


def find_block_ids(text: str, blocks: Sequence[Block] | None = None) -> list[BlockId]:
    """Return the block ids of ``text`` in order.

    An id at the end of a paragraph, heading, item, quote or table names it; in a list that is the item whose own text
    ends there, with all that is nested in it. An id that stands alone in its paragraph names the block before it: a
    table, fence, quote, and all items of a list. In code, HTML and comments there are none.

    Args:
        text: The text.
        blocks: What ``scan`` says of it, if that is known already.
    """
    if "^" not in text or not _AT_LINE_END.search(text):
        return []
    shadow = with_lf(text)
    found: list[BlockId] = []
    siblings: list[Block] = []  # the blocks so far at each place, for ids that name the block before them
    blocks = scan(text) if blocks is None else blocks
    for block in blocks:
        if block.kind in _WITHOUT_IDS:
            pass
        elif shadow.find("^", block.start, block.end) >= 0:
            _add_ids_of(shadow, block, siblings, found)
        siblings.append(block)
    found.sort()
    if "%%" not in text:
        return found
    comments = comment_spans(text, blocks)
    starts = [start for start, _ in comments]
    return [each for each in found if not _is_within(comments, starts, each.marker_end - 1)]


def _is_within(spans: list[Span], starts: list[int], position: int) -> bool:
    index = bisect_right(starts, position) - 1
    return index >= 0 and position < spans[index][1]


def _add_ids_of(text: str, block: Block, before: list[Block], found: list[BlockId]) -> None:
    nested = nested_blocks(text, block)
    if not nested:
        _add_leaf(text, block, block, before, found)
        return
    containers = [block]
    earlier: dict[int, list[Block]] = {}
    for each in nested:
        del containers[each.level :]
        for depth in [depth for depth in earlier if depth > each.level]:
            del earlier[depth]
        siblings = earlier.setdefault(each.level, [])
        if each.kind in CONTAINERS:
            containers.append(each)
        elif each.kind not in _WITHOUT_IDS:
            _add_leaf(text, each, containers[-1] if not siblings else each, siblings, found)
        siblings.append(each)


def _add_leaf(text: str, leaf: Block, named: Block, before: list[Block], found: list[BlockId]) -> None:
    start = max(leaf.start, leaf.end - _LONGEST_MARKER)
    marker = _MARKER.search(text, start, leaf.end)
    if marker is None:
        return
    alone = marker.start() == leaf.start
    begin, end = named.start, named.end
    if alone and named is leaf:
        if not before:
            return
        begin, end = before[-1].start, before[-1].end
        if before[-1].kind == "item":
            index = len(before)
            while index and before[index - 1].kind == "item":
                index -= 1
            begin = before[index].start
    blanks = marker.start()
    while blanks > leaf.start and text[blanks - 1] in " \t":
        blanks -= 1
    found.append(BlockId(marker[1], blanks, marker.start() + 1 + len(marker[1]), begin, end))
