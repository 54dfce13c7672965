"""The larger sections that chunks belong to."""

from __future__ import annotations

from collections.abc import Sequence

from obsirag.splitters.pieces import Piece
from obsirag.splitters.regions import Labels
from obsirag.splitters.sections import Section
from obsirag.splitters.sizes import Sizes

__all__ = ["parents_of"]


def parents_of(
    text: str, sections: Sequence[Section], labels: Labels, sizes: Sizes, pieces: Sequence[Piece], limit: int
) -> tuple[list[Piece], list[int]]:
    """Return the parents of ``pieces``, and for each piece the index of its parent.

    A parent is a section with all below it, with its neighbours as far as they fit ``limit`` together; where a section
    alone doesn't, it is as many of that section's chunks in a row as do. Each chunk lies within one parent, under the
    same labels.

    Args:
        text: The text.
        sections: Its sections that have blocks, with indexes into the same list.
        labels: Its permissions.
        sizes: The limits.
        pieces: The chunks.
        limit: The size that a parent of several chunks doesn't pass.
    """
    groups, ends = _groups(text, sections, sizes, limit)
    parents: list[Piece] = []
    parent_of: list[int] = []
    current = -1
    at = 0
    for piece in pieces:
        while at + 1 < len(sections) and sections[at + 1].start <= piece.start:
            at += 1
        group = groups[at]
        last = at
        while last + 1 < len(sections) and sections[last + 1].start < piece.end:
            last += 1
        if (
            parents
            and group == current
            and not labels.crosses(parents[-1].start, piece.end)
            and sizes.reaches(text, parents[-1].start, max(piece.end, ends[last]), limit)
        ):
            parents[-1].end = piece.end
        else:
            parents.append(Piece(piece.start, piece.end))
        current = group
        parent_of.append(len(parents) - 1)
    return parents, parent_of


def _groups(text: str, sections: Sequence[Section], sizes: Sizes, limit: int) -> tuple[list[int], list[int]]:
    """Return for each section the one whose parts may be put together with it, and where the part it is in ends."""
    groups: list[int] = []
    ends: list[int] = []
    index = 0
    while index < len(sections):
        last = sections[index].last
        end = sections[last].end
        if sizes.reaches(text, sections[index].start, end, limit):
            groups += [sections[index].parent] * (last - index + 1)
            ends += [end] * (last - index + 1)
            index = last + 1
        else:
            groups.append(index)
            ends.append(0)
            index += 1
    return groups, ends
