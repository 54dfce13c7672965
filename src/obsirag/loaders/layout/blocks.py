"""The lines of a page as headings, paragraphs, lists and tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from obsirag.loaders.layout.line import Line, Page, joining
from obsirag.loaders.layout.reading_order import in_reading_order
from obsirag.loaders.layout.sizes import Sizes
from obsirag.loaders.markup import plain_line

__all__ = ["page_blocks"]

_BULLET = re.compile(r"[•●▪■◦○‣⁃·∙\uf0b7\uf0a7\u2022–—-]\s+")
_NUMBER = re.compile(r"(?:\d{1,3}[.)、]|[(（]\d{1,3}[)）]|[a-z]\)|[一二三四五六七八九十]{1,3}、)\s*\S")
_WORD_BROKEN = re.compile(r"[^\W\d_]-\Z")
_WIDEST_LEADING = 0.7
_LOOSENESS = 0.3
_FEWEST_GAPS = 4
"""So many gaps between lines tell which one is usual."""

_ENDS = tuple(".。!！?？:：;；")
_EARLY = 0.25
"""How much earlier than others a paragraph's last line ends, in a column's width."""

_INDENT = 1.2
_SAME_SIZE = 1.12
_LONGEST_HEADING = 200


def page_blocks(page: Page, sizes: Sizes) -> list[str]:
    """Return a page as blocks of Markdown."""
    blocks = []
    for column in in_reading_order(page.lines):
        for block in _grouped(column, sizes):
            blocks += _written(block, sizes)
    return blocks


@dataclass(frozen=True, slots=True)
class _Column:
    """What is usual in a column.

    Args:
        left: Where its lines begin, in points.
        right: Where they end, at most.
        leading: How far below another a line of the same paragraph begins, at most, in letters' sizes.
    """

    left: float
    right: float
    leading: float

    @classmethod
    def of(cls, lines: Sequence[Line]) -> _Column:
        gaps = sorted(
            (after.top - before.bottom) / max(before.size, 0.1)
            for before, after in pairwise(lines)
            if not before.is_table and not after.is_table
        )
        usual = max(0.0, gaps[len(gaps) // 4]) if len(gaps) >= _FEWEST_GAPS else _WIDEST_LEADING
        leading = min(usual + _LOOSENESS, _WIDEST_LEADING + _LOOSENESS) if len(gaps) >= _FEWEST_GAPS else usual
        return cls(min(line.x0 for line in lines), max(line.x1 for line in lines), leading)


def _grouped(lines: Sequence[Line], sizes: Sizes) -> list[list[Line]]:
    blocks: list[list[Line]] = []
    column = _Column.of(lines)
    for line in lines:
        if blocks and _goes_on(blocks[-1], line, sizes, column):
            blocks[-1].append(line)
        else:
            blocks.append([line])
    return blocks


def _goes_on(block: list[Line], line: Line, sizes: Sizes, column: _Column) -> bool:
    last = block[-1]
    if line.is_table or last.is_table or sizes.level(line) != sizes.level(last):
        return False
    size = max(line.size, last.size)
    if size > _SAME_SIZE * sizes.step * min(line.size, last.size):
        return False
    gap = line.top - last.bottom
    if not -last.size <= gap <= column.leading * size:
        return False
    if _BULLET.match(line.text) or _NUMBER.match(line.text):
        return False
    if last.text.endswith(_ENDS) and last.x1 < column.right - _EARLY * (column.right - column.left):
        return False
    is_item = bool(_BULLET.match(block[0].text) or _NUMBER.match(block[0].text))
    is_indented = line.x0 - column.left > _INDENT * line.size and last.x0 - column.left < line.size / 2
    return is_item or not is_indented


def _written(block: list[Line], sizes: Sizes) -> list[str]:
    if block[0].is_table:
        return [block[0].text]
    text = block[0].text
    for line in block[1:]:
        if _WORD_BROKEN.search(text) and line.text[:1].islower():
            text = text[:-1] + line.text
        else:
            text += joining(text, line.text) + line.text
    level = sizes.level(block[0])
    if level and len(text) <= _LONGEST_HEADING:
        return [f"{'#' * level} {plain_line(text)}"]
    if bullet := _BULLET.match(text):
        return [f"- {plain_line(text[bullet.end() :])}"]
    return [plain_line(text)]
