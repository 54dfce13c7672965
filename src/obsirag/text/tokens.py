"""Text as terms for keyword search: Chinese by pairs of characters, identifiers whole and in parts."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

from obsirag.text.characters import CJK

__all__ = ["index_terms", "query_terms"]

_TERM = re.compile(
    rf"""
    (?P<cjk>[{CJK}]+)
    | (?P<language>[A-Za-z](?:\+\+|\#)(?![\w+\#]))
    | (?P<word>[^\W{CJK}]+(?:[-.:/\\+@&']+[^\W{CJK}]+)*)
    """,
    re.VERBOSE,
)
_SEGMENT = re.compile(r"[/\\:@&]+")
_JOINT = re.compile(r"[-.+']+|(?<=[^\W_])_+|^_+")
_HUMP = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_LONGEST_TERM = 100


def index_terms(text: str) -> list[str]:
    """Return the terms under which ``text`` is found, in order, repeated as often as they occur.

    Letters are folded (NFKC, lower case). A run of Chinese, Japanese or Korean characters gives its overlapping pairs,
    a single one itself. A name such as ``GE_Damage``, ``FTableRowBase``, ``r.Nanite`` or ``/Game/UI.uasset`` gives
    itself and its parts.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).replace("’", "'")
    terms: list[str] = []
    for match in _TERM.finditer(text):
        found = match[0]
        if match.lastgroup == "word":
            _add_word(found, terms)
        elif match.lastgroup == "language":
            terms += (found.lower(), found[0].lower())
        elif len(found) == 1:
            terms.append(found)
        else:
            terms.extend(map("".join, pairwise(found)))
    return terms


def query_terms(text: str) -> list[str]:
    """Return the distinct terms of a question, in order of first appearance; they match those of ``index_terms``."""
    return list(dict.fromkeys(index_terms(text)))


def _add_word(word: str, terms: list[str]) -> None:
    if word.isascii() and word.isalpha() and (word.islower() or word.isupper() or word[1:].islower()):
        terms.append(word.lower()[:_LONGEST_TERM])
        return
    # A path is found by the whole of it, by each of its names, and by each part of a name.
    layers = dict.fromkeys([word])
    for segment in _SEGMENT.split(word):
        layers[segment] = None
        for part in _JOINT.split(segment):
            layers[part] = None
            if part.isascii():
                layers.update(dict.fromkeys(_HUMP.findall(part)))
    terms.extend(dict.fromkeys(layer.lower()[:_LONGEST_TERM] for layer in layers if layer))
