"""The value types of the Markdown scan; all offsets refer to the text that was scanned."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Block", "BlockId", "LinkSpan", "Span", "TagSpan"]

Span = tuple[int, int]
"""Start and end offset."""


class Block(NamedTuple):
    """One block of Markdown.

    Args:
        kind: ``heading``, ``paragraph``, ``fence``, ``indented_code``, ``item``, ``table``, ``quote``, ``callout``,
            ``math``, ``html``, ``comment``, ``footnote`` or ``rule``.
        start: Offset of its first character: not a blank, but for indented code, which starts with its line.
        end: Offset after its last character that isn't blank.
        level: A heading's level, 1 to 6; for nested blocks the depth, 1 directly inside a top-level block; else 0.
        info: A heading's text, a fence's language, a callout's type, an item's marker; else empty.
    """

    kind: str
    start: int
    end: int
    level: int = 0
    info: str = ""


class LinkSpan(NamedTuple):
    """One link or embed.

    Args:
        start: Offset of its first character, the ``!`` of an embed included.
        end: Offset after its last character.
        target: What it names, without subpath and blanks around it; empty for a place in the same note.
        subpath: ``#Heading``, ``#A#B``, ``#^block`` with its ``#``; empty if there is none.
        alias: What stands after ``|``, or the text of a Markdown link; None if there is none.
        embed: Whether it begins with ``!``.
        wiki: Whether it is ``[[…]]`` rather than ``[…](…)``.
    """

    start: int
    end: int
    target: str
    subpath: str
    alias: str | None
    embed: bool
    wiki: bool


class TagSpan(NamedTuple):
    """One inline tag; ``name`` is without its ``#``."""

    start: int
    end: int
    name: str


class BlockId(NamedTuple):
    """One block id and the block it names.

    Args:
        id: The id without its ``^``.
        marker_start: Offset of the marker, the blanks before it on its line included.
        marker_end: Offset after the marker.
        block_start: Offset of the first character of the block it names.
        block_end: Offset after the block's last character; a marker at the block's end lies inside the block.
    """

    id: str
    marker_start: int
    marker_end: int
    block_start: int
    block_end: int
