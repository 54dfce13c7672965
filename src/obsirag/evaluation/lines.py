"""How much of the retrieved text is gold, and how much of the gold was retrieved, counted in lines of the notes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

from langchain_core.documents import Document

from obsirag.evaluation.hits import LineSpan, own_span, source_spans, spans_of
from obsirag.evaluation.questions import GoldSpan, Question
from obsirag.records import places_from_json

__all__ = ["LineScores", "score_lines"]

_Line = tuple[str, int]
"""A line of a note: vault-relative path, 1-based number."""

_NOWHERE: _Line = ("", 0)


class LineScores(NamedTuple):
    """Precision and recall of the lines; both lie in 0–1.

    Args:
        precision: The share of the chunks' characters that lie in gold lines.
        recall: The share of the gold lines that the chunks hold.
    """

    precision: float
    recall: float


def score_lines(question: Question, documents: Sequence[Document]) -> LineScores:
    """Return how much of the chunks' text is gold, and how much of the gold they hold.

    **Precision** counts the characters that are not blank. A character is gold if its line is one of a gold span or of
    an alternative. What lies in two chunks, their overlap, counts once: by its offset (``source``, ``start_index``),
    or for chunks without one if their texts are equal. Repeated contexts (``context_before``, ``context_after``) don't
    count. The line of a character is told by the chunk's ``places``, for embedded text in the note it came from.
    Without them, the chunk's lines are taken to be those of its ``source_spans``, else those from ``start_line`` on,
    one after the other. Without chunks it is 0.

    **Recall** of a span is the share of its lines that a chunk holds; with alternatives, of the one held best. If the
    question needs ``any`` of the spans, the one held best counts, if ``all``, their mean. A blank line between two
    chunks is held by neither.

    Args:
        question: A question with gold.
        documents: The chunks that are counted, best first.
    """
    return LineScores(_precision(question, documents), _recall(question, documents))


def _precision(question: Question, documents: Sequence[Document]) -> float:
    gold = [each for span in question.gold for each in (span, *span.alt)]
    is_gold: dict[Hashable, bool] = {}
    known: dict[_Line, bool] = {}
    for document in documents:
        for character, line in _characters(document):
            if line not in known:
                known[line] = any(span.path == line[0] and span.start_line <= line[1] <= span.end_line for span in gold)
            is_gold.setdefault(character, known[line])
    return sum(is_gold.values()) / len(is_gold) if is_gold else 0.0


def _characters(document: Document) -> Iterator[tuple[Hashable, _Line]]:
    """Yield each character of a chunk's own text that is not blank: what tells it from others, and its line."""
    text, metadata = document.page_content, document.metadata
    start, stop = _own_text(document)
    origin: tuple[Hashable, ...] = (str(metadata.get("source")), text)
    first = 0
    if isinstance(metadata.get("start_index"), int):
        origin, first = origin[:1], metadata["start_index"] - start
    for offset, line in enumerate(_line_of_each(document, start)):
        if start <= offset < stop and not text[offset].isspace():
            yield (*origin, first + offset), line


def _own_text(document: Document) -> tuple[int, int]:
    """Return where the text between the contexts begins and ends."""
    text = document.page_content
    before, after = (str(document.metadata.get(name) or "") for name in ("context_before", "context_after"))
    start = len(before) if text.startswith(before) else 0
    stop = len(text) - len(after) if text.endswith(after) else len(text)
    return start, max(start, stop)


def _line_of_each(document: Document, start: int) -> Iterator[_Line]:
    """Yield the line of each character of the text; ``start`` is where the chunk's own text begins."""
    text = document.page_content
    places = {each.offset: (each.path, each.line) for each in places_from_json(document.metadata.get("places"))}
    stated = _lines_stated(document)
    line = _NOWHERE if places else next(stated, _NOWHERE)
    for offset, character in enumerate(text):
        line = places.get(offset, line)
        yield line
        if character == "\n" or (character == "\r" and text[offset + 1 : offset + 2] != "\n"):
            if places:
                line = line[0], line[1] + 1
            elif offset >= start:
                line = next(stated, line)


def _lines_stated(document: Document) -> Iterator[_Line]:
    for span in [*source_spans(document)] or own_span(document):
        for number in range(span.start_line, span.end_line + 1):
            yield span.path, number


def _recall(question: Question, documents: Sequence[Document]) -> float:
    places = [place for document in documents for place in spans_of(document)]
    shares = [max(_share_held(each, places) for each in (span, *span.alt)) for span in question.gold]
    if not shares:
        return 0.0
    return max(shares) if question.needs == "any" else sum(shares) / len(shares)


def _share_held(span: GoldSpan, places: Sequence[LineSpan]) -> float:
    held, reached = 0, span.start_line - 1
    # Not line by line: a span may state very many.
    for start, end in sorted((place.start_line, place.end_line) for place in places if place.path == span.path):
        first, last = max(start, reached + 1), min(end, span.end_line)
        if first <= last:
            held += last - first + 1
            reached = last
    return held / (span.end_line - span.start_line + 1)
