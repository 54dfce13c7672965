"""Whether a word and a suggestion can be a misspelling and what was meant: they differ by little, and not by style."""

from __future__ import annotations

import re

from obsirag.text.characters import CJK

__all__ = ["edit_distance", "is_misspelling"]

LONGEST = 40
"""Characters of a word."""
_SHORT = 4
"""Letters up to which words differ by one step only: with two, most short words are alike."""
_CHINESE = re.compile(f"[{CJK}]")
_CHINESE_WORD = re.compile(rf"(?=.*[{CJK}])[{CJK}A-Za-z]+")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SUGGESTION = re.compile(r"[^\W\d_]+(?:['’ -][^\W\d_]+)*")
_ENDINGS = ("s", "es", "d", "ed", "ing", "ly", "'s", "’s")
_VARIANTS = (
    (re.compile(r"(?<=[a-z]{3})our(?=(?:s|ed|ing|able|ful|ites?)?\Z)"), "or"),
    (re.compile(r"(?<=[a-z]{2})([iy])s(?=(?:e|es|ed|er|ers|ing|ations?)\Z)"), r"\1z"),
    (re.compile(r"\A(cent|lit|fib|theat|(?:milli|centi|kilo)?met)re(?=s?\Z)"), r"\1er"),
    (re.compile(r"(?<=[ai]log)ue(?=s?\Z)|(?<=\bprogram)me(?=s?\Z)"), ""),
)


def is_misspelling(word: str, suggestion: str) -> bool:
    """Say whether ``word`` can be a misspelling of ``suggestion``.

    Chinese words are equally long and differ in one or two characters, but not in all of several, unless these have
    changed places. Other words differ by one or two letters that were swapped, left out, doubled or mistaken; capital
    letters, hyphens, endings, and British or American spelling are no mistakes.
    """
    if not (0 < len(word) <= LONGEST and 0 < len(suggestion) <= LONGEST):
        return False
    if _CHINESE.search(word) or _CHINESE.search(suggestion):
        return _is_chinese_misspelling(word, suggestion)
    if not (_WORD.fullmatch(word) and _SUGGESTION.fullmatch(suggestion)):
        return False
    written, meant = word.casefold(), suggestion.casefold()
    if _bare(written) == _bare(meant) or _is_ending(written, meant) or _variant(written) == _variant(meant):
        return False
    return len(word) > 1 and edit_distance(written, meant) <= (1 if len(word) <= _SHORT else 2)


def edit_distance(first: str, second: str) -> int:
    """Return how many letters have to be put in, taken out, changed or swapped with the next to get one from the other.

    That is the distance of Damerau and Levenshtein where no letter takes part twice ("optimal string alignment").
    """
    before: list[int] = []
    row: list[int] = [*range(len(second) + 1)]
    for i, letter in enumerate(first, 1):
        before, last, row = row, before, [i]
        for j, other in enumerate(second, 1):
            cost: int = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == second[j - 2] and first[i - 2] == other:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]


def _is_chinese_misspelling(word: str, suggestion: str) -> bool:
    if not (_CHINESE_WORD.fullmatch(word) and _CHINESE_WORD.fullmatch(suggestion)) or len(word) != len(suggestion):
        return False
    changed = sum(one != other for one, other in zip(word, suggestion, strict=True))
    if changed == 2 and len(word) == 2:
        return word == suggestion[::-1]
    return changed in (1, 2)


def _bare(word: str) -> str:
    return re.sub(r"['’ -]", "", word) if "-" in word else word.replace("’", "'")


def _is_ending(word: str, suggestion: str) -> bool:
    shorter, longer = sorted((word, suggestion), key=len)
    ending = longer.removeprefix(shorter) if longer.startswith(shorter) else ""
    # A letter that is doubled is a mistake at a word's end too.
    return ending in _ENDINGS and not (len(ending) == 1 and shorter.endswith(ending))


def _variant(word: str) -> str:
    for british, american in _VARIANTS:
        word = british.sub(american, word)
    return word
