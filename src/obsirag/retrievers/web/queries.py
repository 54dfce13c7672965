"""Queries for the web: plain sentences, in which nothing is an operator of a search engine."""

from __future__ import annotations

import re

from obsirag.retrievers.bounded_text import bounded_text

__all__ = ["LONGEST_QUERY", "plain_sentence"]

LONGEST_QUERY = 400
"""In characters: what Tavily takes, and as much as a question needs."""

_UNWRITABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_EXCLUDED_PHRASE = re.compile(r'(?<!\S)[-−]"[^"]*(?:"|$)')
_QUOTES = re.compile(r'["“”„«»]')
# What such an operator is given says where to search; a word of it is no word of the question.
_PLACE = re.compile(
    r"[(+−-]*(?:site|filetype|ext|related|cache|before|after|daterange|numrange|language|loc|location|source):(?!//)\S",
    re.IGNORECASE,
)
_PREFIX = re.compile(r"\+(?=\w)|(?:all)?in(?:title|url|text|anchor|body):(?=\S)", re.IGNORECASE)
_EXCLUSION = re.compile(r"\(*[-−](?!\d)\w{2}")
# Signs that stand alone, and what asks for words to be near each other.
_SIGN = re.compile(r"[|&*~]+|(?:NEAR|ONEAR|AROUND)(?:[/:]\d+|\(\d+\))")


def plain_sentence(query: str, *, limit: int = LONGEST_QUERY) -> str:
    """Return a query as a plain sentence.

    ``site:…`` and its like are taken out with what they are given, ``-word`` and ``-"phrase"`` too; of ``"…"``,
    ``intitle:word`` and ``+word`` the words stay; AND, OR and NOT become words like any other. Blanks are one blank.

    Args:
        query: Any text.
        limit: Most characters; more is cut off behind a sentence or a word.
    """
    words = _EXCLUDED_PHRASE.sub(" ", _UNWRITABLE.sub(" ", query))
    plain = _without_operators(_QUOTES.sub(" ", words))
    # A cut may leave the beginning of a word that is an operator by itself.
    return plain if len(plain) <= limit else _without_operators(bounded_text(plain, limit))


def _without_operators(text: str) -> str:
    return " ".join(filter(None, map(_plain_word, text.split())))


def _plain_word(word: str) -> str:
    start = 0
    while match := _PREFIX.match(word, start):
        start = match.end()
    word = word[start:]
    if _PLACE.match(word) or _EXCLUSION.match(word) or _SIGN.fullmatch(word):
        return ""
    return word.lower() if word.strip("(),;") in {"AND", "OR", "NOT"} else word
