"""Lengths of text in words and, roughly, in tokens."""

from __future__ import annotations

import re

from obsirag.text.characters import CJK

__all__ = ["estimate_tokens", "word_count"]

_CJK_RUN = re.compile(f"[{CJK}]+")
_WORD = re.compile(rf"[^\W{CJK}][^\s{CJK}]*")
_PUNCTUATION = bytes(
    code for code in range(128) if not (chr(code).isalnum() or chr(code).isspace() or chr(code) == "_")
)
_TO_WORDS_AND_BLANKS = bytes(ord(" ") if chr(code).isspace() else ord("w") for code in range(256))
_ASCII_CHARACTERS_A_TOKEN = 3


def word_count(text: str) -> int:
    """Return the number of words: each CJK character counts as one, other words are what stands between blanks.

    A piece without any letter or digit, e.g. ``-`` or ``|``, is no word.
    """
    if text.isascii():
        # Ten times as fast as the pattern, with the same result.
        shown = text.encode("ascii").translate(_TO_WORDS_AND_BLANKS, _PUNCTUATION)
        return shown.count(b" w") + shown.startswith(b"w")
    return len(text) - len(_CJK_RUN.sub("", text)) + len(_WORD.findall(text))


def estimate_tokens(text: str) -> int:
    """Return about how many tokens an embedding or chat model makes of ``text``, rather too many than too few.

    One for every character that isn't ASCII, one for every three that are: tokenizers of today need .6 to 1 a Chinese
    character, and about one for three characters of code. It never shrinks when text is added.
    """
    if text.isascii():
        return -(-len(text) // _ASCII_CHARACTERS_A_TOKEN)
    ascii_characters = len(text.encode("ascii", "ignore"))
    return len(text) - ascii_characters - (-ascii_characters // _ASCII_CHARACTERS_A_TOKEN)
