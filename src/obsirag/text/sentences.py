"""Where sentences end, in Chinese and English."""

from __future__ import annotations

import re

__all__ = ["sentence_ends"]

_CLOSERS = r"[”’」』）】》〉〕｝＂＇\"')\]}*_~=]*+"
_END = re.compile(
    rf"""
    [。！？；…⋯｡]++[.!?]*+{_CLOSERS}
    | (?P<mark>\.++[!?]*+|[!?]++[.]*+){_CLOSERS}(?=(?P<next>\s|\Z)|(?<![.])[^\x00-\u2e7f])
    """,
    re.VERBOSE,
)
_ABBREVIATIONS = frozenset(
    """
    al approx bzw ca cf corp dept dr e.g ed eds eg eq etc fig figs i.e ie inc jr lt ltd mr mrs ms mt nos p pp prof resp
    sr st tel u.s usw vgl viz vol vs z.b
    """.split()  # noqa: SIM905 - a list of words reads better so
)
_BEFORE_NUMBERS = frozenset({"art", "ch", "max", "min", "no", "op", "sec", "tab"})
_LAST_WORD = re.compile(r"[^\s()\[\]{}\"'“”‘’（）「」*_`]+\Z")
_LONGEST_WORD = 24
_LINE_START = re.compile(r"(?:\A|\n)[ \t>]*\Z")


def sentence_ends(text: str, start: int = 0, end: int | None = None) -> list[int]:
    """Return the offsets after each sentence in ``text[start:end]``, quotes and brackets that close behind it included.

    A full stop ends no sentence within a number, version, file name, address or abbreviation, after an initial or a
    list number, and where a small letter follows.

    Args:
        text: The text.
        start: Offset to begin at.
        end: Offset to end at; the text's end if None. The end itself is no sentence end unless a sentence ends there.

    Returns:
        Rising offsets, each after ``start`` and at most ``end``.
    """
    end = len(text) if end is None else end
    ends = []
    for match in _END.finditer(text, start, end):
        if match["mark"] == "." and not _is_full_stop(text, start, match.start(), match.end(), end):
            continue
        ends.append(match.end())
    return ends


def _is_full_stop(text: str, start: int, dot: int, after: int, end: int) -> bool:
    following = ""
    for character in text[after : min(after + 8, end)]:
        if not character.isspace():
            following = character
            break
    if following.islower():
        return False
    head = text[max(start, dot - _LONGEST_WORD) : dot]
    word_match = _LAST_WORD.search(head)
    if word_match is None:
        return dot > start
    word = word_match[0]
    if len(word) == 1 and word.isupper() and word.isascii():
        return False
    if word.isdigit() and _LINE_START.search(head, 0, word_match.start()):
        return False
    if word.lower() in _BEFORE_NUMBERS and following.isdigit():
        return False
    return word.lower() not in _ABBREVIATIONS
