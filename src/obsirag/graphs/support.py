"""Whether what was found can answer the question.

What decides is how much of the question's weight one passage covers, and whether the names in the question occur at
all. Scores of a vector search decide nothing here: the cosines of one embedding model lie so close together, for
questions with and without an answer, that neither the best score nor its distance to the others told them apart.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from obsirag.graphs.terms import STOP_WORDS, Words, cut_asking_words, stem_of
from obsirag.text.tokens import index_terms

__all__ = ["MIN_COVERAGE", "Atom", "atoms_of", "coverage", "has_names", "is_supported", "weigh"]

# Tried on four vaults' questions, and on each vault with the questions of the others: under .2 a third of the strange
# questions found "answers", over .3 one in five of the own ones was turned away.
MIN_COVERAGE = 0.25
# A name says more of what a question is about than a word; without any text that has it, there is no answer.
NAME_SHARE = 2.0

_RUN = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]+|[^\s\u3000-\u303f\u3400-\u9fff\uf900-\uffef]+")
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff]")
_QUOTES = ("`", '"', "“")
_EDGES = "`\"'.,;:!?()[]{}<>“”‘’*"
# A digit and a letter in one word, an underscore, a dot or a capital inside, all capitals: nobody writes words so.
_NAME = re.compile(r"(?=\w*\d)(?=\w*[A-Za-z])\w+|(?=\w+[_.]\w)[\w.]+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*|[A-Z]{2}\w*")
# Written with a capital in English, but notes in another language have another word for them.
_CALENDAR_WORDS = """
monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
october november december
"""
_CALENDAR = frozenset(_CALENDAR_WORDS.split())


class Atom(NamedTuple):
    """A word of a question, or one character of a Chinese word.

    Args:
        whole: The terms of which each alone covers it.
        parts: The terms which together cover it.
        is_name: Whether it names something, so that without it there is no answer.
        share: How many words it counts as.
    """

    whole: tuple[str, ...]
    parts: tuple[str, ...]
    is_name: bool
    share: float

    def is_in(self, words: Words) -> bool:
        """Say whether a text covers it."""
        return any(term in words.terms for term in self.whole) or (
            bool(self.parts) and all(term in words.terms for term in self.parts)
        )


def atoms_of(question: str) -> list[Atom]:
    """Return what a question is about, word by word; words that only ask are left out."""
    is_chinese = bool(_CJK.search(question))
    atoms: list[Atom] = []
    starts_sentence = True
    for match in _RUN.finditer(cut_asking_words(question)):
        run = match[0]
        if _CJK.match(run):
            atoms += _characters(run)
        else:
            atoms += _word(run, is_chinese=is_chinese, starts_sentence=starts_sentence)
            starts_sentence = run[-1] in ".!?:"
    return list(dict.fromkeys(atoms))


def weigh(atoms: Sequence[Atom], texts: Iterable[Words]) -> list[float]:
    """Return the weight of each atom: the fewer of the found texts hold it, the more it tells."""
    found = list(texts)
    return [atom.share * math.log(1 + (len(found) + 0.5) / (sum(map(atom.is_in, found)) + 0.5)) for atom in atoms]


def coverage(atoms: Sequence[Atom], weights: Sequence[float], words: Words) -> float:
    """Return the share of the question's weight that a text covers, 0 to 1."""
    whole = sum(weights)
    return (
        sum(weight for atom, weight in zip(atoms, weights, strict=True) if atom.is_in(words)) / whole if whole else 0.0
    )


def is_supported(question: str, evidence: Sequence[Words], hits: Sequence[Words]) -> bool:
    """Say whether the passages can be taken to answer a question.

    Args:
        question: The question.
        evidence: The words of the passages.
        hits: The words of everything that the searches found, which shows what is rare.
    """
    atoms = atoms_of(question)
    weights = weigh(atoms, hits)
    best = max((coverage(atoms, weights, words) for words in evidence), default=0.0)
    return best >= MIN_COVERAGE and has_names(atoms, evidence)


def has_names(atoms: Sequence[Atom], texts: Sequence[Words]) -> bool:
    """Say whether every name in the question occurs in one of the texts."""
    return all(any(map(atom.is_in, texts)) for atom in atoms if atom.is_name)


def _characters(run: str) -> list[Atom]:
    """Return an atom a character, covered with one of its neighbours: where words begin and end isn't known."""
    if len(run) == 1:
        return []
    pairs = [run[index : index + 2] for index in range(len(run) - 1)]
    return [Atom(tuple(pairs[max(0, index - 1) : index + 1]), (), False, 0.5) for index in range(len(run))]


def _word(run: str, *, is_chinese: bool, starts_sentence: bool) -> list[Atom]:
    bare = run.strip(_EDGES)
    terms = [stem_of(term) for term in index_terms(bare)]
    if not terms or bare.lower() in STOP_WORDS or (len(bare) == 1 and not bare.isdigit()):
        return []
    is_name = (
        run.startswith(_QUOTES)
        or bool(_NAME.fullmatch(bare))
        # A Latin word in a Chinese sentence is most often a name, a capital inside an English one too.
        or (is_chinese and bare.isascii() and not bare.isdigit())
        or (bare[0].isupper() and not starts_sentence and bare.lower() not in _CALENDAR)
    )
    return [Atom((terms[0],), tuple(dict.fromkeys(terms[1:])), is_name, NAME_SHARE if is_name else 1.0)]
