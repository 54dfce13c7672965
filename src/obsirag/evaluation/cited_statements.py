"""Whether the passages that an answer cites hold what it says of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from obsirag.evaluation.citation_checks import is_web
from obsirag.evaluation.note_files import NoteFiles
from obsirag.graphs.citations import statements_of
from obsirag.graphs.claims import Claim, Passage, has_names_and_numbers, is_stated, plain_text
from obsirag.records import Citation

__all__ = ["support"]

_LATIN_NAME = re.compile(r"[A-Za-z]")


def support(answer: str, citations: Sequence[Citation], notes: NoteFiles) -> float | None:
    """Return the share of an answer's cited statements that the passages cited for them state.

    A statement is what stands before a mark ``[n]``, up to the end of the sentence before it; with two marks it counts
    for both. Its passage is the quote with its title and headings, and the lines of the note that it stands in. The
    rule is that of ``obsirag.graphs.claims``. Between Chinese and a language in Latin letters only names and
    numbers can be compared; a statement that has none is left out, and so is one without content.

    Statements without a mark are not looked at: ``cited`` tells whether there are citations at all.

    Args:
        answer: The answer, with marks.
        citations: Its citations.
        notes: The notes as the vault has them.
    """
    passages = {citation["number"]: _passage(citation, notes) for citation in citations}
    judged = [
        _is_supported(plain_text(statement), passages.get(number, Passage("")))
        for number, statements in statements_of(answer).items()
        for statement in statements
    ]
    known = [each for each in judged if each is not None]
    return sum(known) / len(known) if known else None


def _passage(citation: Citation, notes: NoteFiles) -> Passage:
    parts = [citation["title"], *citation["headings"], citation["quote"]]
    if not is_web(citation):
        parts += notes.lines(citation["source"], citation["start_line"], citation["end_line"]) or []
    return Passage(plain_text("\n".join(parts)))


def _is_supported(statement: str, passage: Passage) -> bool | None:
    claim = Claim(statement)
    if not claim.has_content:
        return None
    if claim.is_chinese == passage.is_chinese:
        return is_stated(claim, passage)
    if claim.numbers or (claim.is_chinese and _LATIN_NAME.search(statement)):
        return has_names_and_numbers(claim, passage)
    return None
