"""The lines and tables of a page of a PDF file."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from obsirag.loaders.layout import Line
from obsirag.loaders.layout.line import joining, overlap
from obsirag.loaders.markup import table

__all__ = ["lines_of"]

_BULLET = "(cid:127)"
"""By the PDF standard this code is a bullet in the usual encoding, as all are that have no letter there."""

_NAMELESS = re.compile(r"\(cid:\d+\)")
_LOOKALIKE = re.compile(r"[\u2e80-\u2fdf\ufb00-\ufb06]")
"""Radicals and ligatures, which programs write where a font draws them as it does characters and letters."""

_SAME_PLACE = 0.1
"""How far from each other a letter is written twice, in its size, where that makes it bold."""

_WORD_GAP = 0.2
_WIDEST_GAP = 1.0
"""How wide a gap in a line is, at most, in letters' sizes: wider ones part columns or cells."""

_SAME_ROW = 0.6
_MOST_RULES = 5000
"""More rules than that are a drawing, in which to look for tables would take long."""


def lines_of(page: Any) -> list[Line]:
    """Return what stands on a page: stretches of text, and the tables that have rules.

    Args:
        page: The page, as pdfplumber gives it.
    """
    tables = _tables(page)
    boxes = [(line.x0, line.top, line.x1, line.bottom) for line in tables]

    def is_text(thing: dict[str, Any]) -> bool:
        if thing["object_type"] != "char":
            return False
        if not thing["upright"] or not (-1 <= thing["x0"] <= page.width and -1 <= thing["top"] <= page.height):
            return False
        x, y = (thing["x0"] + thing["x1"]) / 2, (thing["top"] + thing["bottom"]) / 2
        return not any(x0 <= x <= x1 and top <= y <= bottom for x0, top, x1, bottom in boxes) and written.add(thing)

    written = _Written()
    words = page.filter(is_text).extract_words(keep_blank_chars=True, x_tolerance_ratio=0.15, extra_attrs=["size"])
    return [*_stretches(words), *tables]


class _Written:
    """The letters of a page. Some programs make one bold by writing it twice."""

    def __init__(self) -> None:
        self._places: set[tuple[str, int, int]] = set()

    def add(self, letter: dict[str, Any]) -> bool:
        """Take a letter, and return whether it is a new one."""
        unit = max(0.1, _SAME_PLACE * letter["size"])
        x, y = round(letter["x0"] / unit), round(letter["top"] / unit)
        is_new = not any((letter["text"], x + step, y) in self._places for step in (-1, 0, 1))
        self._places.add((letter["text"], x, y))
        return is_new


def _tables(page: Any) -> list[Line]:
    if not 4 <= len(page.rects) + len(page.lines) + len(page.curves) <= _MOST_RULES:
        return []
    found = []
    for each in page.find_tables():
        rows = [[cell or "" for cell in row] for row in each.extract()]
        columns = max(map(len, rows), default=0)
        if len(rows) < 2 or columns < 2 or sum(1 for row in rows if any(row)) < 2:
            continue
        x0, top, x1, bottom = each.bbox
        found.append(Line(table(rows), x0, top, x1, bottom, 0.0, is_table=True))
    return found


def _stretches(words: list[dict[str, Any]]) -> list[Line]:
    """Put words together that stand close in one row."""
    lines: list[Line] = []
    ends_in_blank: list[bool] = []
    for word in sorted(words, key=lambda each: (round(each["bottom"]), each["x0"])):
        text = _LOOKALIKE.sub(_usual, _NAMELESS.sub("", word["text"].replace(_BULLET, "•"))).strip()
        if not text:
            continue
        line = Line(text, word["x0"], word["top"], word["x1"], word["bottom"], word["size"])
        for index in range(len(lines) - 1, max(-1, len(lines) - 8), -1):
            before = lines[index]
            gap, size = line.x0 - before.x1, max(line.size, before.size)
            if overlap(line, before) > _SAME_ROW and -0.5 * size < gap < _WIDEST_GAP * size:
                is_wide = gap > _WORD_GAP * min(line.size, before.size)
                lines[index] = _together(before, line, is_wide or ends_in_blank[index] or word["text"][0].isspace())
                ends_in_blank[index] = word["text"][-1].isspace()
                break
        else:
            lines.append(line)
            ends_in_blank.append(word["text"][-1].isspace())
    return lines


def _together(before: Line, after: Line, is_apart: bool) -> Line:
    between = joining(before.text, after.text) if is_apart else ""
    larger = before if len(before.text) >= len(after.text) else after
    top, bottom = min(before.top, after.top), max(before.bottom, after.bottom)
    return Line(f"{before.text}{between}{after.text}", before.x0, top, after.x1, bottom, larger.size)


def _usual(found: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", found[0])
