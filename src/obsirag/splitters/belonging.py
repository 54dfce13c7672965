"""Which of two blocks, one behind the other, belongs to the other: what leads in, what closes."""

from __future__ import annotations

import re

from obsirag.markdown import Block

__all__ = ["CODE", "belongs_above", "leads_on"]

CODE = frozenset({"fence", "indented_code"})
_STRUCTURES = CODE | {"table", "quote", "callout", "math", "html"}
_INTRODUCED = _STRUCTURES | {"item", "paragraph"}
_INTRODUCES = re.compile(r"[:：][*_=~\s]*+(?:(?<=\s)\^[A-Za-z0-9-]++)?\Z")
_LONGEST_TAIL = 40  # characters behind the colon that are looked at
_TITLE = re.compile(r"(\*\*|__)(?=\S)[^\n\r*_]{1,100}+\1\Z")
_BLOCK_ID = re.compile(r"\^[A-Za-z0-9-]++\Z")
_CLOSES = re.compile(r"<!--\s*+(?:end|/)[^\n\r]*+\Z|</\w++>\Z", re.IGNORECASE)
_COMMENT = re.compile(r"<!--[^\n\r]*+-->\Z")


def belongs_above(text: str, block: Block) -> bool:
    """Say whether a block is but the id of the one above it, or a mark in HTML that closes it."""
    start, end = block.start, block.end
    if block.kind == "paragraph":
        return text[start] == "^" and bool(_BLOCK_ID.match(text, start, end))
    return block.kind == "html" and bool(_CLOSES.match(text, start, end))


def leads_on(text: str, block: Block, following: Block) -> bool:
    """Say whether a block belongs to the one behind it: it is the text above a code, or words that lead in."""
    if block.kind == "paragraph":
        return following.kind in CODE or (following.kind in _INTRODUCED and _leads_in(text, block))
    if block.kind == "item":  # what follows is meant to be in it, but isn't indented
        return following.kind in _STRUCTURES and _leads_in(text, block)
    return block.kind == "html" and bool(_COMMENT.match(text, block.start, block.end))


def _leads_in(text: str, block: Block) -> bool:
    """Say whether a block introduces what follows: it ends with a colon, or is a title in bold."""
    start, end = block.start, block.end
    return bool(_INTRODUCES.search(text, max(start, end - _LONGEST_TAIL), end) or _TITLE.match(text, start, end))
