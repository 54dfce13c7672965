"""Whether an answer's marks lead to passages that hold what is said: marks added, put right, or found wanting.

Models forget marks, and small ones put them anywhere. Which passage states a sentence can be found by rule, without
asking them again; see ``obsirag.graphs.claims``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from langchain_core.documents import Document

from obsirag.graphs.citation_marks import Mark, find_marks, keep_marks
from obsirag.graphs.claims import Claim, Passage, has_facts, is_backed, is_stated, plain_text
from obsirag.graphs.statements import Statement, find_statements
from obsirag.graphs.units import units_of

__all__ = ["CitationCheck", "Faults"]

# A sentence of fewer words would be found in passages that have nothing to do with it ("30 fps"): it is looked for
# together with the question, nearly all of whose words have to be there.
FEW_WORDS = 3.0
NEARLY_ALL = 0.75
# Fewer still say nothing that a passage could hold, but for numbers and identifiers.
VERY_FEW_WORDS = 2.0
# How many sentences or items that follow each other may state something together.
NEIGHBOURS = 3

_ACCORDING = re.compile(
    r"\A(?:(?:according to|based on|as stated in) (?:the |your |these )?(?:notes?|passages?|documents?)|"
    r"(?:根据|按照|依据)(?:以上|上面的?|给出的|提供的|这些|你的)?(?:笔记|片段|资料|文档|内容)(?:[里中])?"
    r"(?:的(?:内容|记录|说明))?)[ ,:，：]*",
    re.IGNORECASE,
)


class Faults(NamedTuple):
    """What is wrong with an answer's citations.

    Args:
        unknown: Numbers that no passage has.
        unbacked: Statements that their passages don't hold, or whose numbers or identifiers no passage holds.
        marks: The marks of these.
    """

    unknown: list[int]
    unbacked: list[str]
    marks: list[Mark]


class CitationCheck:
    """Checks the marks of an answer against the passages that it was made from.

    Args:
        passages: The passages, the first with number 1.
        question: The question, as it can be understood alone.
        said: What it refers to; the names and numbers of both may be repeated.
        by_content: Whether what is said is looked for in the passages; else only whether the numbers exist.
    """

    def __init__(self, passages: Sequence[Document], question: str, said: str = "", *, by_content: bool = True) -> None:
        self._documents = passages
        self._question = question
        self._said = said
        self._by_content = by_content
        self._statements: dict[str, list[Statement]] = {}
        self._claims: dict[str, Claim] = {}
        self._texts: dict[tuple[int, ...], Passage] = {}
        self._parts: dict[int, list[Passage]] = {}
        self._backed: dict[tuple[str, tuple[int, ...]], bool] = {}

    @property
    def known(self) -> range:
        """The numbers that exist."""
        return range(1, len(self._documents) + 1)

    def put_right(self, text: str) -> str:
        """Return an answer in which statements without a mark, or with a wrong one, have that of their passage.

        Only where a passage states what they say; the others stay as they are.
        """
        if not self._by_content:
            return text
        for statement in reversed(self._statements_of(text)):
            if self._numbers_of(statement) and self._is_backed(statement):
                continue
            number = self._number_of(statement)
            if number is None:
                continue
            marked = f"{text[: statement.end]} [{number}]{_without(text, statement.marks, statement.end)}"
            marked = f"{_without(marked, statement.marks, 0, statement.end)}{marked[statement.end :]}"
            if len(find_marks(marked)) == len(find_marks(text)) + 1 - len(statement.marks):
                text = marked
        return text

    def faults(self, text: str) -> Faults:
        """Return what is wrong with the citations of an answer."""
        cited = dict.fromkeys(number for mark in find_marks(text) for number in mark.numbers)
        unbacked = [statement for statement in self._statements_of(text) if not self._is_backed(statement)]
        return Faults(
            unknown=sorted(number for number in cited if number not in self.known),
            unbacked=[statement.text for statement in unbacked],
            marks=[mark for statement in unbacked for mark in statement.marks],
        )

    def keep_good(self, text: str) -> tuple[str, list[int]]:
        """Return an answer with its good marks, in one form, and the numbers of those that had to go."""
        text, removed = keep_marks(text, self.known)
        while marks := self.faults(text).marks:
            text = _without(text, marks)
            removed += sorted(number for mark in marks for number in mark.numbers)
        return text, list(dict.fromkeys(removed))

    def _statements_of(self, text: str) -> list[Statement]:
        if text not in self._statements:
            self._statements[text] = find_statements(text)
        return self._statements[text]

    def _is_backed(self, statement: Statement) -> bool:
        """Say whether the passages that a statement cites hold it; if it cites none, whether they hold its facts."""
        numbers = self._numbers_of(statement)
        if not self._by_content or (statement.marks and not numbers):
            return True  # what is wrong is the number
        key = (statement.text, numbers)
        if key not in self._backed:
            self._backed[key] = self._are_backed(self._claim(statement), numbers)
        return self._backed[key]

    def _are_backed(self, claim: Claim, numbers: tuple[int, ...]) -> bool:
        if not claim.has_content:
            return True
        if not numbers or claim.size < VERY_FEW_WORDS:
            # Words that lead on ("see also") need no passage, numbers and identifiers do.
            return has_facts(claim, self._passage(numbers or tuple(self.known)), self._asked)
        return is_backed(claim, self._passage(numbers), self._asked)

    def _numbers_of(self, statement: Statement) -> tuple[int, ...]:
        """Return the numbers that a statement cites, those that exist."""
        return tuple(number for mark in statement.marks for number in mark.numbers if number in self.known)

    def _number_of(self, statement: Statement) -> int | None:
        """Return the number of the first passage that states a statement."""
        claim = self._claim(statement)
        if not claim.has_content or claim.text.endswith(":"):
            return None
        asked = Claim(f"{plain_text(self._question)} {claim.text}") if claim.size < FEW_WORDS else None
        for number in self.known:
            for place in self._places(number):
                if is_stated(claim, place) and (asked is None or is_stated(asked, place, least=NEARLY_ALL)):
                    return number
        return None

    def _claim(self, statement: Statement) -> Claim:
        """Return what a statement says, without a reference to where it is from."""
        if statement.text not in self._claims:
            self._claims[statement.text] = Claim(_ACCORDING.sub("", plain_text(statement.text)))
        return self._claims[statement.text]

    def _places(self, number: int) -> list[Passage]:
        """Return the places of a passage at which something can be stated; two rows of a table say nothing together."""
        if number not in self._parts:
            document = self._documents[number - 1]
            above = "\n".join(_above(document))
            self._parts[number] = [Passage(plain_text(f"{above}\n{text}")) for text in _places(document)]
        return self._parts[number]

    def _passage(self, numbers: tuple[int, ...]) -> Passage:
        """Return the passages of these numbers as one, with what stands above them."""
        if numbers not in self._texts:
            documents = [self._documents[number - 1] for number in numbers]
            lines = [line for each in documents for line in (*_above(each), each.page_content)]
            self._texts[numbers] = Passage(plain_text("\n".join(lines)))
        return self._texts[numbers]

    @cached_property
    def _asked(self) -> Passage:
        return Passage(plain_text(f"{self._question}\n{self._said}"))


def _above(document: Document) -> list[str]:
    metadata = document.metadata
    return [str(metadata.get("title") or ""), *map(str, metadata.get("headings") or ())]


def _places(document: Document) -> Iterator[str]:
    """Yield each short block of a passage, each row with its table's header, and a few sentences of what is longer."""
    text = document.page_content
    units = units_of(document)
    for index, unit in enumerate(units):
        if unit.header:
            yield f"{unit.heading}\n{unit.header}\n{text[unit.start : unit.end]}"
            continue
        following = [unit]
        for each in units[index + 1 : index + NEIGHBOURS]:
            if each.header or each.heading != unit.heading or each.is_code != unit.is_code:
                break
            following.append(each)
        start, end = min(unit.start, unit.block_start), max(unit.end, unit.block_end, following[-1].end)
        yield f"{unit.heading}\n{text[start:end]}"


def _without(text: str, marks: Sequence[Mark], start: int = 0, end: int | None = None) -> str:
    """Return a part of a text without these marks, and without the blank before each that leads to nothing then."""
    end = len(text) if end is None else end
    pieces = []
    for mark in marks:
        if start <= mark.start and mark.end <= end:
            before, after = text[start : mark.start], text[mark.end : mark.end + 1]
            pieces.append(before if after.isalnum() else before.rstrip(" "))
            start = mark.end
    return "".join([*pieces, text[start:end]])
