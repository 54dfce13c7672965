"""The blocks inside a block."""

from __future__ import annotations

from obsirag.markdown.containers import ContainerScan
from obsirag.markdown.grammar import with_lf
from obsirag.markdown.model import Block
from obsirag.markdown.nodes import column_of, trimmed_end
from obsirag.text import line_start

__all__ = ["CONTAINERS", "nested_blocks"]

CONTAINERS = frozenset({"item", "quote", "callout", "footnote"})
"""The kinds of block that hold blocks."""


def nested_blocks(text: str, block: Block) -> list[Block]:
    """Return the blocks inside an item, quote, callout or footnote, containers before what they hold.

    Args:
        text: The text that was scanned.
        block: A block of these kinds, from ``scan``; any other kind has nothing inside.

    Returns:
        Blocks whose ``level`` is their depth, 1 for those directly inside ``block``. Their first line begins behind the
        marks of the containers around them; the other lines include these marks.
    """
    if block.kind not in CONTAINERS:
        return []
    line = line_start(text, block.start)
    shadow = with_lf(text[line : block.end])
    scan = ContainerScan(shadow, len(shadow))
    scan.run(block.start - line, indent=column_of(shadow, block.start - line))
    return [
        Block(node.kind, node.start + line, line + end, node.depth, node.info)
        for node in scan.found[1:]
        if node.start < (end := trimmed_end(shadow, node.start, node.end))
    ]
