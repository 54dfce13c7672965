"""The blocks of a note whose embeds are islands, and the borders between texts under different labels."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from obsirag.markdown import Block, scan
from obsirag.records import EmbedSpan, Permissions, RenderedNote

__all__ = ["Labels", "Region", "blocks_of", "labels_of", "regions_of"]

_VISIBLE = re.compile(r"\S")


class Region(NamedTuple):
    """A stretch of text that is scanned apart.

    Args:
        start: Its start.
        end: Its end.
        depth: How many islands it lies in; 0 is the note itself.
        shared: In how many of them the stretch before it lies too.
    """

    start: int
    end: int
    depth: int
    shared: int


def regions_of(rendered: RenderedNote, body: int) -> list[Region]:
    """Return the stretches between the borders of the islands, in order; those that hold only blanks left out.

    Args:
        rendered: The note.
        body: Offset behind its front matter.
    """
    text = rendered.text
    found: list[Region] = []
    open_islands: list[int] = []  # where they end
    position, shared = body, 0

    def until(end: int) -> None:
        nonlocal position, shared
        if end > position:
            if _VISIBLE.search(text, position, end):
                found.append(Region(position, end, len(open_islands), shared))
                shared = len(open_islands)
            position = end

    def leave() -> None:
        nonlocal shared
        until(open_islands[-1])
        open_islands.pop()
        shared = min(shared, len(open_islands))

    for embed in rendered.embeds:
        if not embed.is_block or embed.end <= embed.start or embed.end <= body:
            continue
        while open_islands and open_islands[-1] <= embed.start:
            leave()
        until(embed.start)
        open_islands.append(min(embed.end, open_islands[-1] if open_islands else len(text)))
    while open_islands:
        leave()
    until(len(text))
    return found


def blocks_of(text: str, region: Region) -> list[Block]:
    """Return the blocks of ``region``, read as if it stood alone, each beginning with a character that isn't blank."""
    # To the end of a text nothing is copied.
    blocks = scan(text, region.start, None if region.end == len(text) else region.end)
    if "    " in text or "\t" in text:
        for index, block in enumerate(blocks):
            if block[0] == "indented_code" and (found := _VISIBLE.search(text, block.start)):
                blocks[index] = block._replace(start=found.start())
    return blocks


class Labels:
    """Which permissions each part of a text is under.

    Args:
        starts: Where the parts begin, the first at 0.
        permissions: Theirs.
    """

    def __init__(self, starts: list[int], permissions: list[Permissions]) -> None:
        self._starts = starts
        self._permissions = permissions
        self.borders = starts[1:]

    def at(self, position: int) -> Permissions:
        """Return the permissions of the character at ``position``."""
        return self._permissions[bisect_right(self._starts, position) - 1]

    def crosses(self, start: int, end: int) -> bool:
        """Say whether a border lies within ``text[start:end]``."""
        return bool(self.borders) and bisect_right(self.borders, start) < bisect_right(self.borders, end - 1)

    def between(self, start: int, end: int) -> list[int]:
        """Return the borders within ``text[start:end]``."""
        if not self.borders:
            return []
        return self.borders[bisect_right(self.borders, start) : bisect_right(self.borders, end - 1)]


def labels_of(rendered: RenderedNote) -> Labels:
    """Return the permissions of ``rendered`` by offset: the innermost embed's, elsewhere the note's own."""
    starts, permissions = [0], [rendered.permissions]
    if all(embed.permissions == rendered.permissions for embed in rendered.embeds):
        return Labels(starts, permissions)
    text = rendered.text
    stack: list[EmbedSpan] = []

    def begin(position: int, under: Permissions) -> None:
        if not _VISIBLE.search(text, starts[-1], position):
            permissions[-1] = under
            if len(starts) > 1 and permissions[-2] == under:
                starts.pop()
                permissions.pop()
        elif permissions[-1] != under:
            starts.append(position)
            permissions.append(under)

    def close_until(position: int) -> None:
        while stack and stack[-1].end <= position:
            end = stack.pop().end
            begin(end, stack[-1].permissions if stack else rendered.permissions)

    for embed in rendered.embeds:
        if not _VISIBLE.search(text, embed.start, embed.end):
            continue
        close_until(embed.start)
        begin(embed.start, embed.permissions)
        stack.append(embed)
    close_until(len(text))
    return Labels(starts, permissions)
