"""The sections of a note by the names of their headings, found once for all links that lead there."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
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
        self._stops = _stops(headings)
        starts = [*(heading.start for heading in headings), text_end]
        self._sections = [
            Section(heading.start, heading.end, starts[stop])
            for heading, stop in zip(headings, self._stops, strict=True)
        ]
        self._by_name: dict[str, list[int]] = {}
        for index, heading in enumerate(headings):
            self._by_name.setdefault(_comparable(heading.info), []).append(index)

    def find(self, names: Sequence[str]) -> Section | None:
        """Return the first section of that path of headings; None if there is none.

        Each further name is looked for below the heading before. With equal headings in several places, the first that
        leads to the whole path counts.
        """
        index = self._find([_comparable(name) for name in names], 0, len(self._sections))
        return None if index is None else self._sections[index]

    def _find(self, names: list[str], start: int, end: int) -> int | None:
        indices = self._by_name.get(names[0], [])
        for position in range(bisect_left(indices, start), len(indices)):
            index = indices[position]
            if index >= end:
                return None
            found = index if len(names) == 1 else self._find(names[1:], index + 1, self._stops[index])
            if found is not None:
                return found
        return None


def _stops(headings: Sequence[Block]) -> list[int]:
    """Return, for each heading, the index of the next that is not deeper, or their number."""
    stops = [len(headings)] * len(headings)
    opened: list[int] = []
    for index, heading in enumerate(headings):
        while opened and headings[opened[-1]].level >= heading.level:
            stops[opened.pop()] = index
        opened.append(index)
    return stops


def _comparable(heading: str) -> str:
    plain = unicodedata.normalize("NFC", _PUNCTUATION.sub(" ", BLOCK_MARK.sub("", heading)))
    return " ".join(plain.split()).casefold()
