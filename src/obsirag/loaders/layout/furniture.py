"""Running heads, running feet and page numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from obsirag.loaders.layout.line import Line, Page

__all__ = ["without_furniture"]

_ZONE = 0.1
"""Which share of a page's height is its margin, at either end."""

_SHARE = 0.3
"""On which share of the pages a line stands, at least, that belongs to the page."""

_FEWEST = 3
_MOST_LINES = 3
"""How many lines at either end of a page may belong to it."""

_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[\s\-–—·|]*(?:(?:page|p\.|seite|第)\s*)?(?:\d{1,4}|[ivxlc]{1,7})\s*(?:页|(?:of|von|/|共)\s*\d{1,4}\s*页?)?"
    r"(?:[\s,，/]*共\s*\d{1,4}\s*页)?[\s\-–—·|]*\Z",
    re.IGNORECASE,
)


def without_furniture(pages: Sequence[Page]) -> list[Page]:
    """Return pages without what stands at the same end of many of them, numbers set aside, and without page numbers."""
    candidates = [_at_the_ends(page) for page in pages]
    counts = Counter(key for page in candidates for key in {_key(line, end) for line, end in page})
    fewest = 2 if len(pages) < _FEWEST else max(_FEWEST, round(_SHARE * len(pages)))
    found = []
    for page, lines in zip(pages, candidates, strict=True):
        dropped = {
            id(line)
            for line, end in lines
            if counts[_key(line, end)] >= fewest or _PAGE_NUMBER.match(line.text.strip())
        }
        found.append(replace(page, lines=[line for line in page.lines if id(line) not in dropped]))
    return found


def _at_the_ends(page: Page) -> list[tuple[Line, str]]:
    lines = sorted((line for line in page.lines if not line.is_table), key=lambda each: each.top)
    upper, lower = _ZONE * page.height, (1 - _ZONE) * page.height
    rows = sorted({round(line.top) for line in lines})
    first, last = set(rows[:_MOST_LINES]), set(rows[-_MOST_LINES:])
    return [
        *((line, "top") for line in lines if line.bottom <= upper and round(line.top) in first),
        *((line, "bottom") for line in lines if line.top >= lower and round(line.top) in last),
    ]


def _key(line: Line, end: str) -> tuple[str, str]:
    return end, _DIGITS.sub("#", line.text.strip())
