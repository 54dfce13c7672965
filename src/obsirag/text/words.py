"""Where words end, for cuts in text that no sentence end divides."""

from __future__ import annotations

import re

from obsirag.text.characters import CJK

__all__ = ["clause_ends", "word_ends"]

_CLAUSE = re.compile(r"[，、；：][”’」』）】》〉]*+|[,;:][\"')\]]*+(?=\s)|(?<=\S)[ \t\r]*+(?=\n)|—{2}")
# A word takes its closing marks with it, and an opening mark goes with what follows.
_OPENING = r"（【「『《〈“‘(\[{"
_CLOSING = r"，。、；：？！）】」』》〉”’…,.;:?!)\]}"
_CORE = rf"(?:[{CJK}]|[^\s{CJK}{_OPENING}{_CLOSING}]++)"
_WORD = re.compile(rf"{_CORE}[{_CLOSING}]*+|[{_OPENING}]++{_CORE}?+[{_CLOSING}]*+|[{_CLOSING}]++")


def clause_ends(text: str, start: int, end: int) -> list[int]:
    """Return the offsets after clauses and lines in ``text[start:end]``, rising; none of them has a blank before it."""
    ends = (
        match.start() if match[0].isspace() or not match[0] else match.end()
        for match in _CLAUSE.finditer(text, start, end)
    )
    return list(dict.fromkeys(ends))


def word_ends(text: str, start: int, end: int) -> list[int]:
    """Return the offsets after words, and after each CJK character, in ``text[start:end]``, rising."""
    return [match.end() for match in _WORD.finditer(text, start, end)]
