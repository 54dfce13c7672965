"""Citations: which words of a passage support a statement, and where they stand."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import PurePosixPath

from langchain_core.documents import Document

from obsirag.graphs.citation_marks import Mark, find_marks
from obsirag.graphs.links import link_to
from obsirag.graphs.terms import Words, content_terms, credit, term_weights, words_of
from obsirag.graphs.units import Unit, units_of
from obsirag.records import Citation
from obsirag.records.part_places import part_at
from obsirag.records.places import locate_quote
from obsirag.text.sentences import sentence_ends

__all__ = ["cite", "cite_marks", "statements_of"]

# Statements with the same number may lean on different places of a passage; up to this far apart they are one quote.
LONGEST_QUOTE = 600
# Of a longer sentence without an end, what is next to the mark.
LONGEST_STATEMENT = 600
# Of what an answer says with one number, the first: its quote is one place, which no more statements make better.
MOST_STATEMENTS = 20

_LINE_OPENING = " \t-*>#.0123456789"


def cite(number: int, document: Document, start: int, end: int, *, vault: str) -> Citation:
    """Return the citation of ``document.page_content[start:end]``.

    Args:
        number: Its number in the answer.
        document: The passage.
        start: Offset of the quote's first character.
        end: Offset after its last.
        vault: The vault's name, for the link.
    """
    metadata = document.metadata
    # What was put around a part of something larger (a reopened fence, a repeated header) stands in no line of a note.
    first = len(str(metadata.get("context_before") or ""))
    last = len(document.page_content) - len(str(metadata.get("context_after") or ""))
    if start < last and end > first:
        start, end = max(start, first), min(end, last)
    place = locate_quote(document, start, end)
    own = place.path == str(metadata.get("source", ""))
    # The headings above embedded text may be those of the note around it, which the embedded note doesn't have.
    target = place.headings if own else ()
    part = part_at(metadata.get("file_parts"), place.start_line) if own else ""
    citation = Citation(
        number=number,
        source=place.path,
        title=str(metadata.get("title") or "") if own else PurePosixPath(place.path).stem,
        headings=list(place.headings),
        start_line=place.start_line,
        end_line=place.end_line,
        quote=document.page_content[start:end].strip(),
        link=link_to(place.path, vault=vault, headings=target, part=part),
    )
    if part:
        citation["part"] = part
    return citation


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
    statements: dict[int, dict[str, None]] = {}
    for line, marks in _marked_lines(text):
        for mark, statement in zip(marks, _statements_of_line(line, marks), strict=True):
            for number in mark.numbers:
                said = statements.setdefault(number, {})
                if len(said) < MOST_STATEMENTS:
                    said[statement.strip()] = None
    return {number: list(each) for number, each in statements.items()}


def _marked_lines(text: str) -> Iterator[tuple[str, list[Mark]]]:
    """Yield each line that has marks, with them, their offsets counted from the line's start."""
    marks = find_marks(text)
    index = 0
    while index < len(marks):
        start = text.rfind("\n", 0, marks[index].start) + 1
        end = text.find("\n", marks[index].end)
        end = len(text) if end < 0 else end
        on_line = []
        while index < len(marks) and marks[index].start < end:
            mark = marks[index]
            on_line.append(mark._replace(start=mark.start - start, end=mark.end - start))
            index += 1
        yield text[start:end], on_line


def _statements_of_line(line: str, marks: Sequence[Mark]) -> list[str]:
    edges = [0, *(edge for mark in marks for edge in (mark.start, mark.end)), len(line)]
    pieces = [line[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]
    plain = " ".join(pieces)
    # Where in `plain` each mark stood: a blank is there now.
    offsets = [end - 1 for end in accumulate(len(piece) + 1 for piece in pieces[:-1])]
    words_start = len(plain) - len(plain.lstrip(_LINE_OPENING))
    opening = sum(offset <= words_start for offset in offsets)
    after = plain[offsets[opening - 1] + 1 :][:LONGEST_STATEMENT] if opening else ""
    ends = sentence_ends(plain)
    statements = [after] * opening
    for offset in offsets[opening:]:
        start = max(0, offset - LONGEST_STATEMENT)
        before = plain[start:offset].rstrip()
        last = bisect_left(ends, start + len(before)) - 1
        sentence = max(start, ends[last] if last >= 0 else 0)
        statements.append(plain[sentence : start + len(before)])
    return statements


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
