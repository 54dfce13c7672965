"""The beginning of a text that a model is to read of it."""

from __future__ import annotations

from obsirag.text import grapheme_start, sentence_ends, word_ends

__all__ = ["bounded_text"]

_LOOK_AHEAD = 40
"""What stands behind a sentence or a word decides where it ends; so much of it is enough."""


def bounded_text(text: str, limit: int) -> str:
    """Return the beginning of a text, cut behind a sentence, else behind a word, else between two characters.

    Args:
        text: Any text.
        limit: Most characters, at least 1. What is kept is at least half of that, rounded down.
    """
    if len(text) <= limit:
        return text
    for find_ends in (sentence_ends, _whole_word_ends):
        ends = [end for end in find_ends(text, 0, min(len(text), limit + _LOOK_AHEAD)) if limit // 2 < end <= limit]
        if ends:
            return text[: ends[-1]]
    return text[: grapheme_start(text, limit, limit // 2) or limit]


def _whole_word_ends(text: str, start: int, end: int) -> list[int]:
    """Return the ends of words, but for those inside a name or a number, such as behind the dot of 3.5."""
    ends = word_ends(text, start, end)
    return [each for each in ends if each == len(text) or text[each] > "\u2e7f" or not text[each].isalnum()]
