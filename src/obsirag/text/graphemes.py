"""Where a text may be cut without taking a character as people see it apart."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["grapheme_end", "grapheme_start"]

_JOINER = "\u200d"
_JOINED = re.compile("[\u0900-\u0dff\u2190-\u2bff\U0001f000-\U0001faff]")
"""What a joiner joins to what is before it: letters of India's scripts, and pictures."""
_EXTENDING = frozenset({_JOINER, "\u200c", "\u0e33", "\u0eb3"})


def grapheme_start(text: str, position: int, start: int) -> int:
    """Return the start of the grapheme that the character at ``position`` belongs to, at least ``start``.

    Combining marks, variation selectors, skin tones, joined emoji, flags, syllables of Hangul and CR LF stay together.

    Args:
        text: The text.
        position: An offset; where it is the text's end, that is a boundary.
        start: An offset known to be a boundary.
    """
    if start < position < len(text) and _is_flag(text[position]):
        first = position
        while first > start and _is_flag(text[first - 1]):
            first -= 1
        if (position - first) % 2:
            position -= 1
    while start < position < len(text) and _continues(text[position - 1], text[position]):
        position -= 1
    return position


def grapheme_end(text: str, start: int, end: int) -> int:
    """Return the offset after the grapheme that begins at ``start``, at most ``end``."""
    position = start + 1
    if position < end and _is_flag(text[start]) and _is_flag(text[position]):
        position += 1
    while position < end and _continues(text[position - 1], text[position]):
        position += 1
    return min(position, end)


def _is_flag(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _continues(before: str, character: str) -> bool:
    """Say whether ``character`` belongs to the same grapheme as the one before it."""
    if character < "\u0300":
        return before == "\r" and character == "\n"
    if character in _EXTENDING:
        return True
    if before == _JOINER and _JOINED.match(character):
        return True
    if "\ufe00" <= character <= "\ufe0f" or "\U0001f3fb" <= character <= "\U0001f3ff":
        return True
    if "\U000e0020" <= character <= "\U000e007f":
        return True
    if "\u1100" <= character <= "\u11ff":
        return _goes_on_in_hangul(before, character)
    if 0xDC00 <= ord(character) <= 0xDFFF:  # halves of a character, which a text may hold that was decoded badly
        return 0xD800 <= ord(before) <= 0xDBFF
    return unicodedata.category(character)[0] == "M"


def _goes_on_in_hangul(before: str, character: str) -> bool:
    """Say whether a conjoining letter goes on a syllable: first consonants, vowels, last consonants (GB6 to GB8)."""
    syllable = "\uac00" <= before <= "\ud7a3"
    if character < "\u1160":
        return "\u1100" <= before < "\u1160"
    if character < "\u11a8":
        return "\u1100" <= before < "\u11a8" or (syllable and (ord(before) - 0xAC00) % 28 == 0)
    return "\u1160" <= before <= "\u11ff" or syllable
