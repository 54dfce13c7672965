"""The vault's terms as they are found in a question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from obsirag.glossary import Term
from obsirag.graphs.terms import STOP_WORDS, content_terms, stem_of
from obsirag.text.characters import CJK
from obsirag.text.tokens import index_terms

__all__ = ["Found", "Vocabulary", "holds_name", "same_name"]

_TOKEN = re.compile(rf"[{CJK}]|[A-Za-z](?:\+\+|#)(?![\w+#])|[^\W{CJK}]+")
# What is written so is meant as it stands.
_LITERAL = re.compile(r"`+[^`]*`+|\"[^\"]*\"|“[^”]*”|「[^」]*」|『[^』]*』|\[\[[^\[\]]*\]\]")
_JOINT = re.compile(r"[\s\-]{0,3}|['’.·/]")
_AREA_SHARE = 2
"""How many words in common an area in common counts as."""


class Found(NamedTuple):
    """A word of a question that the vault has a term for.

    Args:
        word: The word as the question has it.
        start: Where it begins.
        terms: The terms that it may stand for, each name once.
    """

    word: str
    start: int
    terms: tuple[Term, ...]


class _Token(NamedTuple):
    key: str
    start: int
    end: int


class Vocabulary:
    """Finds terms by their names and their synonyms.

    Args:
        terms: The terms that the caller may read.
    """

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = tuple(terms)
        self._tree: dict[str, Any] = {}
        self._named: dict[str, Term] = {}
        # Where two say the same, the one that more people may read is told.
        for term in sorted(terms, key=lambda each: len(each.permissions)):
            self._named.setdefault(same_name(term.name), term)
            for name in dict.fromkeys([term.name, *term.synonyms]):
                self._add(name, term)

    def find(self, text: str) -> list[Found]:
        """Return the words of a text that are known, in order: the longest first, and none within another.

        English words are found whole and in other forms, Chinese ones anywhere; nothing is in code and quotes.

        Args:
            text: The text.
        """
        tokens = _tokens(text)
        matches = [match for index in range(len(tokens)) for match in self._matches(text, tokens, index)]
        matches.sort(key=lambda match: (match[0] - match[1], match[0]))
        taken: set[int] = set()
        found: list[Found] = []
        for start, end, terms in matches:
            if taken.isdisjoint(range(start, end)):
                taken.update(range(start, end))
                found.append(Found(text[start:end], start, tuple(terms.values())))
        return sorted(found, key=lambda each: each.start)

    def nearest(self, text: str, limit: int) -> list[Term]:
        """Return the terms whose names and meanings have most in common with a text, each name once.

        Args:
            text: The text.
            limit: Most terms.
        """
        words, characters = set(index_terms(text)), set(text)

        def likeness(term: Term) -> float:
            told = _told_of(term)
            return len(words.intersection(index_terms(told))) + len(characters.intersection(told)) / len(characters)

        return sorted(self._named.values(), key=likeness, reverse=True)[:limit] if characters else []

    def sense(self, found: Found, text: str, earlier: str, areas: Collection[str]) -> tuple[Term, ...]:
        """Return the terms that a word stands for: one if what is around it tells, else all.

        Args:
            found: The word.
            text: The question.
            earlier: What was said before it.
            areas: The areas of the question's other terms.
        """
        if len(found.terms) == 1:
            return found.terms
        around = set(content_terms(f"{text.replace(found.word, ' ')}\n{earlier}"))
        scores = [
            len(around.intersection(content_terms(_told_of(term).replace(found.word, " "))))
            + _AREA_SHARE * (term.area in areas)
            for term in found.terms
        ]
        best = max(scores)
        return (found.terms[scores.index(best)],) if best and scores.count(best) == 1 else found.terms

    def _add(self, name: str, term: Term) -> None:
        keys = [token.key for token in _tokens(name, literally=True)]
        # An alias such as `IT` must not be found in every sentence.
        if not keys or all(key in STOP_WORDS for key in keys):
            return
        node = self._tree
        for key in keys:
            node = node.setdefault(key, {})
        # Under a key that no token has stand the terms that end here.
        node.setdefault("", {}).setdefault(same_name(term.name), term)

    def _matches(self, text: str, tokens: Sequence[_Token], index: int) -> Iterator[tuple[int, int, dict[str, Term]]]:
        node, start = self._tree, tokens[index].start
        for position in range(index, len(tokens)):
            token = tokens[position]
            if position > index and not _JOINT.fullmatch(text, tokens[position - 1].end, token.start):
                return
            node = node.get(token.key)  # type: ignore[assignment]
            if node is None:
                return
            if "" in node:
                yield start, token.end, node[""]


def same_name(name: str) -> str:
    """Return a name as it is compared with others."""
    return " ".join(token.key for token in _tokens(name, literally=True))


def holds_name(text: str, name: str) -> bool:
    """Say whether a text has a name, in any form of its words."""
    return f" {same_name(name)} " in f" {same_name(text)} "


def _tokens(text: str, *, literally: bool = False) -> list[_Token]:
    """Return the words and Chinese characters of a text; those in code and quotes only if ``literally``."""
    if not literally:
        text = _LITERAL.sub(lambda found: "\0" * len(found[0]), text)
    return [_Token(_key(found[0]), *found.span()) for found in _TOKEN.finditer(text)]


def _key(word: str) -> str:
    return stem_of(unicodedata.normalize("NFKC", word).casefold())


def _told_of(term: Term) -> str:
    return " ".join([term.name, *term.synonyms, *term.broader, *term.narrower, term.meaning, term.area])
