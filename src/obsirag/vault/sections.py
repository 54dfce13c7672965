"""The sections of a note by the names of their headings, found once for all links that lead there."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from obsirag.markdown import Block

__all__ = ["BLOCK_MARK", "Section", "Sections"]

BLOCK_MARK = re.compile(r"[ \t]+\^[A-Za-z0-9-]+[ \t]*$")

# What a link cannot hold, or Obsidian leaves out when it compares headings.
_PUNCTUATION = re.compile(r"""[!"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\]+""")


class Section(NamedTuple):
    """A heading and what stands under it, deeper headings included.

    Args:
        start: Offset of the heading.
        body: Offset after the heading.
        end: Offset of the next heading that is not deeper, or of the text's end.
    """

    start: int
    body: int
    end: int


class Sections:
    """The sections of a note.

    Args:
        blocks: The note's blocks, in order.
        text_end: Offset of the text's end.
    """

    def __init__(self, blocks: Iterable[Block], text_end: int) -> None:
        headings = [block for block in blocks if block.kind == "heading"]
        self._stops, self._parents = _outline(headings)
        starts = [*(heading.start for heading in headings), text_end]
        self._sections = [
            Section(heading.start, heading.end, starts[stop])
            for heading, stop in zip(headings, self._stops, strict=True)
        ]
        self._names = [_comparable(heading.info) for heading in headings]
        self._by_name: dict[str, list[int]] = {}
        for index, name in enumerate(self._names):
            self._by_name.setdefault(name, []).append(index)
        self._found: dict[tuple[str, ...], int | None] = {}

    def find(self, names: Sequence[str]) -> Section | None:
        """Return the first section of that path of headings; None if there is none.

        Each further name is looked for below the heading before. With equal headings in several places, the first that
        leads to the whole path counts.
        """
        path = tuple(_comparable(name) for name in names)
        if path not in self._found:
            self._found[path] = self._find(path)
        index = self._found[path]
        return None if index is None else self._sections[index]

    def _find(self, path: tuple[str, ...]) -> int | None:
        """Return the first heading that the path leads to, looking at the places of its rarest name only."""
        places = [self._by_name.get(name, []) for name in path]
        rarest = min(range(len(path)), key=lambda each: len(places[each]))
        for index in places[rarest]:
            if not self._has_above(index, path[:rarest]):
                continue
            if rarest == len(path) - 1:
                return index
            ends = places[-1]
            for end in ends[bisect_right(ends, index) : bisect_left(ends, self._stops[index])]:
                if self._has_above(end, path[rarest + 1 : -1], index):
                    return end
        return None

    def _has_above(self, index: int, names: Sequence[str], top: int = -1) -> bool:
        """Say whether headings of these names, in this order, stand between the heading ``top`` and the one below."""
        wanted = len(names)
        index = self._parents[index]
        while wanted and index > top:
            wanted -= names[wanted - 1] == self._names[index]
            index = self._parents[index]
        return not wanted


def _outline(headings: Sequence[Block]) -> tuple[list[int], list[int]]:
    """Return, for each heading, the index of the next that is not deeper, or their number; and of that above, or -1."""
    stops = [len(headings)] * len(headings)
    parents = [-1] * len(headings)
    opened: list[int] = []
    for index, heading in enumerate(headings):
        while opened and headings[opened[-1]].level >= heading.level:
            stops[opened.pop()] = index
        if opened:
            parents[index] = opened[-1]
        opened.append(index)
    return stops, parents


def _comparable(heading: str) -> str:
    plain = unicodedata.normalize("NFC", _PUNCTUATION.sub(" ", BLOCK_MARK.sub("", heading)))
    return " ".join(plain.split()).casefold()
