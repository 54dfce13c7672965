"""The part of a long page that says most of what its snippet says."""

from __future__ import annotations

import re
from collections import Counter

from obsirag.text import index_terms, query_terms

__all__ = ["excerpt"]

_LINE = re.compile(r"[^\n]+")


def excerpt(text: str, limit: int, *, near: str) -> str:
    """Return a text from the line on after which most different words of another text follow.

    Of several such places it is the first, so that a text which has nothing to do with the other begins where it
    begins.

    Args:
        text: The text of a page.
        limit: How many characters will be kept of it; a text that is no longer stays whole.
        near: The other text.
    """
    if len(text) <= limit:
        return text
    wanted = set(query_terms(near))
    lines = [(match.start(), match.end()) for match in _LINE.finditer(text) if not match[0].isspace()]
    held = [wanted.intersection(index_terms(text[start:end][:limit])) for start, end in lines]
    inside: Counter[str] = Counter()
    best, most, following = 0, -1, 0
    for index, (start, _) in enumerate(lines):
        # At least the line itself, then all that end within the limit.
        while following < len(lines) and (following <= index or lines[following][1] - start <= limit):
            inside.update(held[following])
            following += 1
        if len(inside) > most:
            best, most = start, len(inside)
        inside = inside - Counter(held[index])
    return text[best:]
