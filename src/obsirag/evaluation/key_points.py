"""Which key points an answer states, by rule.

A key point is stated by a paragraph of the answer, or by two that follow each other, under four conditions:

1. **Numbers.** Every number of the point stands there, digit for digit: ``0.7`` is neither ``0.75`` nor ``.7``.
2. **Names.** So does every name: a word with a capital, digit, dot or underscore inside, a Latin word in a Chinese
   sentence, what is quoted.
3. **Words.** Of all that the point says, names counted twice, at least ``LEAST_COVERAGE`` stands there: English by
   stemmed content words, Chinese by characters, each with one of its neighbours.
4. **No contradiction.** What the point denies is not only affirmed there, and what it affirms is not only denied.

A point without content, such as "no" or "不会", is stated by an answer that has it word for word.

What the rule cannot see: other words for the same ("before 17:00" for "not after 17:00"), numbers in words, another
language, who does what to whom, a right number at the wrong thing, a denial in two steps. It is made for comparing
two configurations on the same questions; for a verdict on a single answer, read it, or let a judge read it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from obsirag.evaluation.negation import Clause, clauses_of
from obsirag.evaluation.questions import Question
from obsirag.graphs.citation_marks import keep_marks
from obsirag.graphs.support import Atom, atoms_of
from obsirag.graphs.terms import Words, words_of
from obsirag.text import sentence_ends

__all__ = ["Judge", "judge_by_rule", "states"]

Judge = Callable[[Question, str], Sequence[float]]
"""Says for each key point of a question how far an answer states it, 0 to 1."""

LEAST_COVERAGE = 0.6
_LEAST_IN_DENIALS = 0.5
_IDENTIFIER_SHARE = 2.0

_NUMBER = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|(?<![\w.])[-+]?\d+(?:[.:/]\d+)*|\d+(?:[.:/]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_YES_OR_NO = r"(?:yes|no|not|是的?|不是|不?会|不?可以|不?能|不行|不用)"
_OPENING = re.compile(rf"{_YES_OR_NO}\s*[,，:：;；。.]\s*", re.IGNORECASE)
_ONLY_YES_OR_NO = re.compile(rf"{_YES_OR_NO}\W*", re.IGNORECASE)
_LATIN_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e)\.?", re.IGNORECASE)
_JOINED_WORDS = re.compile(r"[^\W\d_]+(?:[-/][^\W\d_]+)+")
_PARAGRAPH_END = re.compile(r"\n[>\s]*\n")
_QUOTE_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_EMPHASIS = re.compile(r"\*\*|__|==|~~|(?<!\w)_(?=[^\W_])|(?<=[^\W_])_(?!\w)")


def judge_by_rule(question: Question, answer: str) -> list[float]:
    """Return for each key point whether the answer states it."""
    return [float(states(answer, point)) for point in question.key_points]


def states(answer: str, point: str) -> bool:
    """Say whether an answer states a key point; the module tells the rule."""
    said, claim = _plain(answer), _plain(point)
    if _ONLY_YES_OR_NO.fullmatch(claim):
        return _has_literally(_first_sentence(said), claim)
    if opening := _OPENING.match(claim):
        claim = claim[opening.end() :]
    if not atoms_of(claim) and not _numbers(claim):
        return _has_literally(said, claim)
    return any(_window_states(window, claim) for window in _windows(said))


def _windows(answer: str) -> Iterator[str]:
    """Yield each paragraph together with the one after it."""
    paragraphs = [each for each in _PARAGRAPH_END.split(answer) if each.strip()]
    yield from map("\n".join, pairwise([*paragraphs, ""]))


def _window_states(window: str, claim: str) -> bool:
    if not _numbers(claim) <= _numbers(window):
        return False
    found = words_of(window)
    atoms = _atoms(claim)
    if not all(atom.whole[0] in found.terms for atom in atoms if atom.is_name):
        return False
    return _share_in(atoms, found) >= LEAST_COVERAGE and not _contradicts([*clauses_of(window)], claim)


def _contradicts(said: Sequence[Clause], claim: str) -> bool:
    """Say whether what the point denies is not denied, or what it affirms is only denied."""
    stated = words_of("\n".join(clause.stated for clause in said))
    in_denials = words_of("\n".join(clause.text for clause in said if clause.denies))
    heads = words_of("\n".join(_head(clause.denied) for clause in said if clause.denies))
    for clause in clauses_of(claim):
        if clause.denies and (not in_denials.terms or _share_in(_atoms(clause.text), in_denials) < _LEAST_IN_DENIALS):
            return True
        if any(atom.is_in(heads) and not atom.is_in(stated) for atom in _atoms(clause.stated)):
            return True
    return False


def _head(denied: str) -> str:
    """Return the first term after a word that denies: what it denies most likely."""
    first = next((atom for atom in atoms_of(denied)), None)
    return first.whole[0] if first else ""


def _share_in(atoms: Sequence[Atom], words: Words) -> float:
    whole = sum(atom.share for atom in atoms)
    return sum(atom.share for atom in atoms if atom.is_in(words)) / whole if whole else 1.0


def _atoms(text: str) -> list[Atom]:
    """Return what a point says without its numbers; identifiers are names, and count twice."""
    atoms = [atom for atom in atoms_of(_LATIN_ABBREVIATION.sub(" ", text)) if not _NUMBER.fullmatch(atom.whole[0])]
    return [_weighed(atom) for atom in atoms]


def _weighed(atom: Atom) -> Atom:
    if atom.parts and not _JOINED_WORDS.fullmatch(atom.whole[0]):
        return Atom(atom.whole, (), is_name=True, share=_IDENTIFIER_SHARE)
    # A capital alone makes a name, but of a product most often: "restart Obsidian" says little by its second word.
    return atom._replace(share=min(atom.share, 1.0))


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))


def _first_sentence(text: str) -> str:
    return text[: next(iter(sentence_ends(text)), len(text))]


def _has_literally(answer: str, claim: str) -> bool:
    return bool(re.search(rf"(?<![A-Za-z0-9]){re.escape(claim.strip())}(?![A-Za-z0-9])", answer, re.IGNORECASE))


def _plain(text: str) -> str:
    """Return a text without citation marks and Markdown's marks, numbers in one form."""
    folded = unicodedata.normalize("NFKC", keep_marks(text, ())[0])
    return _THOUSANDS.sub("", _EMPHASIS.sub("", _QUOTE_MARK.sub("", folded))).strip()
