"""What a question is about: its content terms and how much each tells."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from langchain_core.documents import Document

from obsirag.text.content_terms import STOP_WORDS, content_terms, cut_asking_words, stem_of
from obsirag.text.tokens import index_terms

__all__ = [
    "STOP_WORDS",
    "Words",
    "content_terms",
    "credit",
    "cut_asking_words",
    "document_words",
    "stem_of",
    "term_weights",
    "words_of",
]

# Two characters that both stand in a text, but not as this pair, may be the same word in another form: 刷怪, 怪刷.
_SCATTERED_PAIR = 0.3


class Words(NamedTuple):
    """The terms of a text, in the form of ``content_terms``, and its characters."""

    terms: frozenset[str]
    characters: frozenset[str]


def words_of(text: str) -> Words:
    """Return the words of a text."""
    return Words(frozenset(map(stem_of, index_terms(text))), frozenset(text))


def document_words(document: Document) -> Words:
    """Return the words of a passage, with its title and its headings."""
    headings = " ".join(map(str, document.metadata.get("headings") or ()))
    return words_of(f"{document.metadata.get('title', '')} {headings}\n{document.page_content}")


def term_weights(terms: Sequence[str], texts: Iterable[Words]) -> dict[str, float]:
    """Return how much each term tells, by how few of ``texts`` hold it (inverse document frequency).

    Args:
        terms: The terms of a question.
        texts: The words of all passages that were found.
    """
    found = list(texts)
    return {
        term: math.log(1 + (len(found) + 0.5) / (sum(term in each.terms for each in found) + 0.5)) for term in terms
    }


def credit(term: str, words: Words) -> float:
    """Return how far a text holds a term, 0 to 1."""
    if term in words.terms:
        return 1.0
    if len(term) == 2 and not term.isascii() and words.characters.issuperset(term):
        return _SCATTERED_PAIR
    return 0.0
