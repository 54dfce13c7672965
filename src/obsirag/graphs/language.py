"""Which language a question is in."""

from __future__ import annotations

import re
from typing import Literal

__all__ = ["Language", "language_of"]

Language = Literal["en", "zh"]

_CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_WORD = re.compile(r"[A-Za-z]+")
_QUOTED = re.compile(r"`[^`]*`|\"[^\"]*\"|\[\[[^\[\]]*\]\]")
_ENGLISH_FUNCTION_WORDS_LIST = """
a an and are can did do does for from how i in is it my of on or should the there to what when where which who
why will with you
"""
_ENGLISH_FUNCTION_WORDS = frozenset(_ENGLISH_FUNCTION_WORDS_LIST.split())
_CHINESE_FUNCTION_CHARACTERS = frozenset("的了吗呢吧么是在我你这那哪怎谁和与把被给请会能要有不没")


def language_of(text: str) -> Language:
    """Return the language in which ``text`` is written, for the choice of prompts and notices.

    One with no Chinese character is taken as English. In mixed text the function words decide, for an English question
    may name a Chinese note and a Chinese one an English identifier.
    """
    prose = _QUOTED.sub(" ", text)
    if not _CJK.search(prose):
        return "en" if _WORD.search(prose) or not _CJK.search(text) else "zh"
    english = sum(word.lower() in _ENGLISH_FUNCTION_WORDS for word in _WORD.findall(prose))
    chinese = sum(character in _CHINESE_FUNCTION_CHARACTERS for character in prose)
    return "en" if english > chinese else "zh"
