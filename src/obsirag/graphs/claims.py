"""Whether a passage states a claim, by rule.

It does under four conditions:

1. **Numbers.** Every number of the claim stands in the passage, digit for digit: ``0.7`` is neither ``0.75`` nor ``7``.
2. **Names.** So does every identifier (a word with a capital, digit, dot or underscore inside) and every other name: a
   capital inside an English sentence, a Latin word in a Chinese one, what is quoted.
3. **Words.** Of all that the claim says, identifiers counted twice, ``LEAST_COVERAGE`` stands there: English by stemmed
   content words, Chinese by characters, each with one of its neighbours.
4. **No contradiction.** What the claim denies is denied there, and what it affirms is not only denied.

What the rule cannot see: other words for the same ("before 17:00" for "not after 17:00"), numbers in words, another
language, who does what to whom, a right number at the wrong thing, a denial of a denial.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cached_property

from obsirag.graphs.citation_marks import keep_marks
from obsirag.graphs.negation import Clause, clauses_of
from obsirag.graphs.support import Atom, atoms_of
from obsirag.graphs.terms import Words, words_of
from obsirag.text.characters import CJK

__all__ = [
    "Claim",
    "Passage",
    "contradicts",
    "has_facts",
    "has_names_and_numbers",
    "is_backed",
    "is_stated",
    "numbers_in",
    "plain_text",
]

LEAST_COVERAGE = 0.6
# Of statements that people wrote of a passage 3 in 66 are under it, of those about something else 684 in 806.
LEAST_BACKING = 0.4
_LEAST_IN_DENIALS = 0.5
_IDENTIFIER_SHARE = 2.0

_CJK = re.compile(f"[{CJK}]")
_NUMBER = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|(?<![\w.])[-+]?\d+(?:[.:/]\d+)*|\d+(?:[.:/]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_LATIN_ABBREVIATION = re.compile(r"\b(?:e\.g|i\.e)\.?", re.IGNORECASE)
_JOINED_WORDS = re.compile(r"[^\W\d_]+(?:[-/][^\W\d_]+)+")
_POSSESSIVE = re.compile(r"(?<=[A-Za-z0-9])'s\b")
_QUOTE_MARK = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_EMPHASIS = re.compile(r"\*\*|__|==|~~|(?<!\w)_(?=[^\W_])|(?<=[^\W_])_(?!\w)")


class Passage:
    """A text in which claims are looked for.

    Args:
        text: The text, as ``plain_text`` gives it.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def words(self) -> Words:
        """Its words."""
        return words_of(self.text)

    @cached_property
    def numbers(self) -> set[str]:
        """Its numbers."""
        return numbers_in(self.text)

    @cached_property
    def _clauses(self) -> list[Clause]:
        return [*clauses_of(self.text)]

    @cached_property
    def stated(self) -> Words:
        """The words that nothing denies."""
        return words_of("\n".join(clause.stated for clause in self._clauses))

    @cached_property
    def in_denials(self) -> Words:
        """The words of the clauses that deny something."""
        return words_of("\n".join(clause.text for clause in self._clauses if clause.denies))

    @cached_property
    def denied_first(self) -> Words:
        """The first word after each that denies: what it denies most likely."""
        return words_of("\n".join(_head(clause.denied) for clause in self._clauses if clause.denies))

    @cached_property
    def is_chinese(self) -> bool:
        """Whether Chinese characters stand in it."""
        return bool(_CJK.search(self.text))


class Claim:
    """What is looked for in passages.

    Args:
        text: What is claimed, as ``plain_text`` gives it.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def size(self) -> float:
        """How many words it has that say something, numbers among them, names counted twice."""
        return sum(atom.share for atom in self._all_atoms)

    @cached_property
    def atoms(self) -> list[Atom]:
        """What it says without its numbers."""
        return _weighed(self._all_atoms)

    @cached_property
    def numbers(self) -> set[str]:
        """Its numbers."""
        return numbers_in(self.text)

    @cached_property
    def names(self) -> set[str]:
        """Its names, identifiers among them."""
        return {atom.whole[0] for atom in self.atoms if atom.is_name}

    @cached_property
    def identifiers(self) -> set[str]:
        """Its identifiers."""
        return {atom.whole[0] for atom in self.atoms if atom.is_name and atom.share == _IDENTIFIER_SHARE}

    @cached_property
    def is_chinese(self) -> bool:
        """Whether Chinese characters stand in it."""
        return bool(_CJK.search(self.text))

    @cached_property
    def affirmed(self) -> list[Atom]:
        """What it affirms."""
        return [atom for clause in self._clauses for atom in _atoms(clause.stated)]

    @cached_property
    def denied(self) -> list[list[Atom]]:
        """What it says in each clause that denies something."""
        return [_atoms(clause.text) for clause in self._clauses if clause.denies]

    @cached_property
    def _all_atoms(self) -> list[Atom]:
        return _all_atoms(self.text)

    @cached_property
    def _clauses(self) -> list[Clause]:
        return [*clauses_of(self.text)]

    @property
    def has_content(self) -> bool:
        """Whether there is anything in it that could be looked for."""
        return bool(self.size or self.numbers)


def is_stated(claim: Claim, passage: Passage, *, least: float = LEAST_COVERAGE) -> bool:
    """Say whether a passage states a claim; the module tells the rule.

    Args:
        claim: The claim.
        passage: The passage.
        least: Which share of its words has to stand there.
    """
    return (
        has_names_and_numbers(claim, passage)
        and _share_in(claim.atoms, passage.words) >= least
        and not contradicts(passage, claim)
    )


def is_backed(claim: Claim, passage: Passage, known: Passage) -> bool:
    """Say whether a claim may come from a passage: a person who reads it would not wonder where it is from.

    That is less than to be stated: the numbers and the identifiers, which may be those of the question too, and
    ``LEAST_BACKING`` of the words, by which models that put things in their own words are seldom wronged; and nothing
    affirmed that is only denied there. Between Chinese and a language in Latin letters words cannot be compared, but
    all names can.

    Args:
        claim: The claim.
        passage: The passage.
        known: What was asked.
    """
    if not has_facts(claim, passage, known):
        return False
    if claim.is_chinese != passage.is_chinese:
        return claim.names <= passage.words.terms | known.words.terms
    return _share_in(claim.atoms, passage.words) >= LEAST_BACKING and not affirms_what_is_denied(passage, claim)


def has_facts(claim: Claim, passage: Passage, known: Passage) -> bool:
    """Say whether the numbers and the identifiers of a claim stand in a passage, or are known.

    Args:
        claim: The claim.
        passage: The passage.
        known: What was asked.
    """
    return (
        claim.numbers <= passage.numbers | known.numbers
        and claim.identifiers <= passage.words.terms | known.words.terms
    )


def has_names_and_numbers(claim: Claim, passage: Passage) -> bool:
    """Say whether a passage has every name and every number of a claim."""
    return claim.numbers <= passage.numbers and claim.names <= passage.words.terms


def numbers_in(text: str) -> set[str]:
    """Return the numbers of a text, dates and times among them, as they are written."""
    return set(_NUMBER.findall(text))


def plain_text(text: str) -> str:
    """Return a text without citation marks and Markdown's marks, in Unicode form NFKC, numbers without separators."""
    folded = unicodedata.normalize("NFKC", keep_marks(text, ())[0]).replace("’", "'")
    folded = _POSSESSIVE.sub("", folded)
    return _THOUSANDS.sub("", _EMPHASIS.sub("", _QUOTE_MARK.sub("", folded))).strip()


def contradicts(passage: Passage, claim: Claim) -> bool:
    """Say whether what a claim denies is not denied, or what it affirms is only denied."""
    if claim.denied and not passage.in_denials.terms:
        return True
    if any(_share_in(atoms, passage.in_denials) < _LEAST_IN_DENIALS for atoms in claim.denied):
        return True
    return affirms_what_is_denied(passage, claim)


def affirms_what_is_denied(passage: Passage, claim: Claim) -> bool:
    """Say whether a claim affirms what is only denied."""
    if not passage.denied_first.terms:
        return False
    return any(atom.is_in(passage.denied_first) and not atom.is_in(passage.stated) for atom in claim.affirmed)


def _head(denied: str) -> str:
    first = next(iter(atoms_of(denied)), None)
    return first.whole[0] if first else ""


def _share_in(atoms: Sequence[Atom], words: Words) -> float:
    whole = sum(atom.share for atom in atoms)
    return sum(atom.share for atom in atoms if atom.is_in(words)) / whole if whole else 1.0


def _atoms(text: str) -> list[Atom]:
    return _weighed(_all_atoms(text))


def _all_atoms(text: str) -> list[Atom]:
    return atoms_of(_LATIN_ABBREVIATION.sub(" ", text))


def _weighed(atoms: Sequence[Atom]) -> list[Atom]:
    """Return what a text says without its numbers; identifiers are names, and count twice."""
    return [_as_claimed(atom) for atom in atoms if not _NUMBER.fullmatch(atom.whole[0])]


def _as_claimed(atom: Atom) -> Atom:
    if atom.parts and not _JOINED_WORDS.fullmatch(atom.whole[0]):
        return Atom(atom.whole, (), is_name=True, share=_IDENTIFIER_SHARE)
    # A capital alone makes a name, but of a product most often: "restart Obsidian" says little by its second word.
    return atom._replace(share=min(atom.share, 1.0))
