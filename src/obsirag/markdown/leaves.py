"""The leaves of a block: the innermost blocks, which hold text or literal text but no blocks."""

from __future__ import annotations

from obsirag.markdown.model import Block
from obsirag.markdown.nested import CONTAINERS, nested_blocks

__all__ = ["LITERAL", "leaves"]

LITERAL = frozenset({"fence", "indented_code", "math"})
"""The kinds of block whose content is literal."""


def leaves(text: str, block: Block) -> list[Block]:
    """Return the leaves of ``block`` in order; of a block that holds none, itself."""
    if block.kind not in CONTAINERS:
        return [block]
    return [each for each in nested_blocks(text, block) if each.kind not in CONTAINERS]
