"""Whether a text says what several answers say, and nothing else; by rule."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from langchain_core.documents import Document

from obsirag.graphs.citation_marks import find_marks
from obsirag.graphs.claims import Claim, Passage, contradicts, is_backed, is_stated, plain_text
from obsirag.graphs.link_filter import drop_unknown_links
from obsirag.graphs.statements import Statement, find_statements

__all__ = ["Answered", "joins"]

# More than a passage needs: who puts answers together has their words, and needs no others.
LEAST_COVERAGE = 0.75

# What joins two statements to one. A clause of fewer words ("and mobile") could be found anywhere.
_CLAUSE_END = re.compile(r"[;；，]|,(?=\s)|\b(?:and|while|whereas|but)\b|并且|而且|同时|(?<!从)而")
FEWEST_WORDS = 2.0

_WORD = re.compile(r"[^\W_]")
_ALL_BUT_WORDS = re.compile(r"[\W_]+")


class Answered(NamedTuple):
    """One of the answers.

    Args:
        question: What it answers.
        text: The answer, its marks numbered once over all answers.
    """

    question: str
    text: str


class _Piece:
    """What is said with one mark, or with several that follow each other.

    Args:
        text: The words.
        numbers: The numbers of its marks.
        question: What it answers; names of that may be put in the place of "it".
    """

    def __init__(self, text: str, numbers: Iterable[int], question: str = "") -> None:
        self.plain = plain_text(text)
        self.numbers = frozenset(numbers)
        self._question = question

    @cached_property
    def claim(self) -> Claim:
        return Claim(self.plain)

    @cached_property
    def passage(self) -> Passage:
        return Passage(self.plain)

    @cached_property
    def words(self) -> str:
        return _ALL_BUT_WORDS.sub(" ", self.plain).strip().casefold()

    @cached_property
    def _with_names(self) -> Passage:
        return Passage("\n".join([self.plain, *Claim(plain_text(self._question)).names]))

    def states(self, other: _Piece) -> bool:
        """Say whether this piece of an answer says what a piece of the joined text says, with one of its marks."""
        if not (other.numbers & self.numbers if other.numbers else not self.numbers):
            return False
        if other.words == self.words:
            return True
        return (
            other.claim.has_content
            and is_stated(other.claim, self._with_names, least=LEAST_COVERAGE)
            and not contradicts(self.passage, other.claim)  # which a name of the question may hide
            and not self._denies(other.claim)
        )

    def _denies(self, claim: Claim) -> bool:
        """Say whether the claim affirms a word that stands here behind one that denies, and nowhere else."""
        denied, stated = self.passage.in_denials, self.passage.stated
        return any(atom.is_in(denied) and not atom.is_in(stated) for atom in claim.affirmed)


def joins(text: str, answers: Sequence[Answered]) -> bool:
    """Say whether a text is made of these answers, and of nothing else.

    It is if each piece of it, or each clause of that, is stated by one piece of an answer that has one of the same
    marks, or none as well; if headings, rows of tables, code and addresses are those of the answers; if it has all
    their marks; and if of each piece of an answer with a mark it has the numbers, the identifiers and words enough,
    with that mark.

    Args:
        text: The text.
        answers: The answers.
    """
    said = [piece for each in answers for piece in _pieces(each.text, each.question)]
    lines = {line.strip() for each in answers for line in each.text.splitlines()}
    sources = [Document(page_content=each.text) for each in answers]
    if (
        _numbers_in(text) != set(chain.from_iterable(_numbers_in(each.text) for each in answers))
        or not all(line in lines for line in _lines_without_statements(text))
        or drop_unknown_links(text, sources) != text
    ):
        return False
    pieces = [*_pieces(text)]
    asked = Passage(plain_text("\n".join(each.question for each in answers)))
    return all(_is_stated(piece, said) for piece in pieces) and all(
        _is_kept(each, pieces, asked) for each in said if each.numbers
    )


def _is_stated(piece: _Piece, said: Sequence[_Piece]) -> bool:
    if any(each.states(piece) for each in said):
        return True
    clauses = [_Piece(text, piece.numbers) for text in _CLAUSE_END.split(piece.plain) if _WORD.search(text)]
    return len(clauses) > 1 and all(
        clause.claim.size >= FEWEST_WORDS and any(each.states(clause) for each in said) for clause in clauses
    )


def _is_kept(piece: _Piece, pieces: Sequence[_Piece], asked: Passage) -> bool:
    """Say whether what a piece of an answer says is still there."""
    same = [each for each in pieces if each.numbers & piece.numbers]
    if not piece.claim.has_content:
        return any(each.words == piece.words for each in same)
    return is_backed(piece.claim, Passage("\n".join(each.plain for each in same)), asked)


def _pieces(text: str, question: str = "") -> Iterator[_Piece]:
    """Yield the pieces of all statements: a statement ends a piece, and so do marks behind words."""
    before = 0
    for statement in find_statements(text):
        start = max(before, text.rfind("\n", 0, statement.end) + 1)
        for words, numbers in _of_statement(text, start, statement):
            yield _Piece(words, numbers, question)
        before = max([statement.end, *(mark.end for mark in statement.marks)])


def _of_statement(text: str, start: int, statement: Statement) -> list[tuple[str, list[int]]]:
    pieces: list[tuple[str, list[int]]] = []
    leading: list[int] = []
    position = start
    for mark in statement.marks:
        words = text[position : mark.start]
        if _WORD.search(words):
            pieces.append((words, [*mark.numbers]))
        else:
            (pieces[-1][1] if pieces else leading).extend(mark.numbers)
        position = mark.end
    rest = text[position : statement.end]
    if _WORD.search(rest):
        pieces.append((rest, [number for _, numbers in pieces for number in numbers]))
    if pieces:
        pieces[0][1].extend(leading)
    return pieces


def _lines_without_statements(text: str) -> Iterator[str]:
    """Yield the lines with words in which there is no statement, such as headings, rows of tables, code."""
    ends = [statement.end for statement in find_statements(text)]
    start = 0
    for line in text.splitlines(keepends=True):
        stop = start + len(line)
        if _WORD.search(line) and not any(start < end <= stop for end in ends):
            yield line.strip()
        start = stop


def _numbers_in(text: str) -> set[int]:
    return {number for mark in find_marks(text) for number in mark.numbers}
