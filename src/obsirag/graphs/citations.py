"""Citations: which words of a passage support a statement, and where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from langchain_core.documents import Document

from obsirag.graphs.citation_marks import Mark, find_marks
from obsirag.graphs.links import link_to
from obsirag.graphs.terms import Words, content_terms, credit, term_weights, words_of
from obsirag.graphs.units import Unit, units_of
from obsirag.records import Citation
from obsirag.records.places import locate_quote
from obsirag.text.sentences import sentence_ends

__all__ = ["cite", "cite_marks", "statements_of"]

# Statements with the same number may lean on different places of a passage; up to this far apart they are one quote.
LONGEST_QUOTE = 600


def cite(number: int, document: Document, start: int, end: int, *, vault: str) -> Citation:
    """Return the citation of ``document.page_content[start:end]``.

    Args:
        number: Its number in the answer.
        document: The passage.
        start: Offset of the quote's first character.
        end: Offset after its last.
        vault: The vault's name, for the link.
    """
    place = locate_quote(document, start, end)
    metadata = document.metadata
    own = place.path == str(metadata.get("source", ""))
    # The headings above embedded text may be those of the note around it, which the embedded note doesn't have.
    target = place.headings if own else ()
    return Citation(
        number=number,
        source=place.path,
        title=str(metadata.get("title") or "") if own else PurePosixPath(place.path).stem,
        headings=list(place.headings),
        start_line=place.start_line,
        end_line=place.end_line,
        quote=document.page_content[start:end].strip(),
        link=link_to(place.path, vault=vault, headings=target),
    )


def cite_marks(text: str, evidence: Sequence[Document], question: str, *, vault: str) -> list[Citation]:
    """Return the citations of an answer's marks, by number; numbers that don't exist are passed over.

    Args:
        text: The answer.
        evidence: The passages, the first with number 1.
        question: What was asked: it helps where an answer is in another language than its passage.
        vault: The vault's name.
    """
    citations = []
    for number, statements in sorted(statements_of(text).items()):
        if 1 <= number <= len(evidence):
            document = evidence[number - 1]
            start, end = _supporting_words(document, statements, question)
            citations.append(cite(number, document, start, end, vault=vault))
    return citations


def statements_of(text: str) -> dict[int, list[str]]:
    """Return what an answer says with each number: the sentence before its mark, or after a mark that opens a line."""
    statements: dict[int, list[str]] = {}
    marks = find_marks(text)
    for index, mark in enumerate(marks):
        statement = _statement(text, marks, index)
        for number in mark.numbers:
            statements.setdefault(number, []).append(statement)
    return statements


def _statement(text: str, marks: Sequence[Mark], index: int) -> str:
    mark = marks[index]
    line_start = text.rfind("\n", 0, mark.start) + 1
    before = _without_marks(text, line_start, mark.start, marks[:index])
    if not before.strip(" \t-*>#.0123456789"):
        line_end = text.find("\n", mark.end)
        return _without_marks(text, mark.end, len(text) if line_end < 0 else line_end, marks[index + 1 :])
    before = before.rstrip()
    ends = [end for end in sentence_ends(before) if end < len(before)]
    return before[ends[-1] :] if ends else before


def _without_marks(text: str, start: int, end: int, marks: Sequence[Mark]) -> str:
    pieces = []
    for mark in marks:
        if start <= mark.start and mark.end <= end:
            pieces.append(text[start : mark.start])
            start = mark.end
    return " ".join([*pieces, text[start:end]])


def _supporting_words(document: Document, statements: Sequence[str], question: str) -> tuple[int, int]:
    units = units_of(document)
    if not units:
        return 0, len(document.page_content)
    texts = [words_of(document.page_content[unit.start : unit.end]) for unit in units]
    best = [_best_unit(units, texts, statement, question) for statement in statements]
    start = min(unit.start for unit in best)
    end = max(unit.end for unit in best)
    return (start, end) if end - start <= LONGEST_QUOTE else (best[0].start, best[0].end)


def _best_unit(units: Sequence[Unit], texts: Sequence[Words], statement: str, question: str) -> Unit:
    said = content_terms(statement)
    asked = [term for term in content_terms(question) if term not in said]
    weights = term_weights([*said, *asked], texts)

    def support(index: int) -> tuple[float, float]:
        words = texts[index]
        return (
            sum(weights[term] * credit(term, words) for term in said),
            sum(weights[term] * credit(term, words) for term in asked),
        )

    return units[max(range(len(units)), key=lambda index: (*support(index), -index))]
