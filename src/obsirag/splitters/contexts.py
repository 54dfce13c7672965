"""What has to be put around the parts of a structure that was cut: a fence opened again, a table's head."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import islice
from typing import NamedTuple

from obsirag.markdown import Block, nested_blocks
from obsirag.splitters.bounds import LONGEST_CONTEXT
from obsirag.text import line_start

__all__ = ["Contexts"]

_MARKS = re.compile(r"`{3,}|~{3,}")
_LINE = re.compile(r"[^\n\r]*+(?:\r\n|\n|\r)|[^\n\r]++")
_NOT_QUOTE = re.compile(r"[^>\s]")


class _Structure(NamedTuple):
    start: int
    body: int
    end: int
    before: str
    prefix: str
    closing: str


class Contexts:
    """The fences and tables of one block, its nested ones included.

    Args:
        text: The text.
        block: One of its blocks.

    Attributes:
        closes: Whether there is anything that a piece may have to close.
    """

    def __init__(self, text: str, block: Block) -> None:
        self._text = text
        self._structures = [
            structure
            for each in ([block] if block.kind in ("fence", "table") else nested_blocks(text, block))
            if each.kind in ("fence", "table") and (structure := _structure(text, each))
        ]
        self._starts = [each.start for each in self._structures]
        self.closes = any(each.closing for each in self._structures)

    def before(self, position: int) -> str:
        """Return what a piece needs before it that begins at ``position``."""
        structure = self._around(position)
        if structure is None or position < structure.body:
            return ""
        text, line = self._text, position
        while line > structure.start and text[line - 1] in " \t":
            line -= 1
        # The first line's indent would be lost, since no chunk begins with a blank.
        return structure.before + (text[line:position] if text[line - 1] in "\r\n" else structure.prefix)

    def after(self, position: int) -> str:
        """Return what a piece needs behind it that ends at ``position``."""
        structure = self._around(position)
        if structure is None or not structure.closing or position < structure.body - 1:
            return ""
        return structure.closing

    def _around(self, position: int) -> _Structure | None:
        index = bisect_right(self._starts, position) - 1
        if index < 0 or not self._structures[index].start < position < self._structures[index].end:
            return None
        return self._structures[index]


def _structure(text: str, block: Block) -> _Structure | None:
    lines = [line[0] for line in islice(_LINE.finditer(text, block.start, block.end), 3)]
    prefix = _NOT_QUOTE.sub(" ", text[line_start(text, block.start) : block.start])
    if block.kind == "fence":
        marks = _MARKS.match(lines[0])
        if marks is None or len(lines) < 2:
            return None
        opening = prefix + lines[0].rstrip() + "\n"
        if len(opening) > LONGEST_CONTEXT:
            return None
        return _Structure(
            block.start, block.start + len(lines[0]), block.end, opening, prefix, "\n" + prefix + marks[0]
        )
    if len(lines) < 3:
        return None
    head = prefix + lines[0].rstrip() + "\n" + lines[1].rstrip() + "\n"
    if len(head) > LONGEST_CONTEXT:
        return None
    return _Structure(block.start, block.start + len(lines[0]) + len(lines[1]), block.end, head, prefix, "")
