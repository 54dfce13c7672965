"""When a retrieved chunk counts as having found a gold span."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from langchain_core.documents import Document

from obsirag.evaluation.questions import GoldSpan

__all__ = ["LineSpan", "is_hit", "overlap", "own_span", "source_spans", "spans_of"]

# Greedy: a file's own name may hold "#L3" too.
_SOURCE_SPAN = re.compile(r"(?P<path>.+)#L(?P<start>\d+)(?:-L?(?P<end>\d+))?", re.DOTALL)


class LineSpan(NamedTuple):
    """Lines of a file: vault-relative path, 1-based first and last line."""

    path: str
    start_line: int
    end_line: int


def spans_of(document: Document) -> Iterator[LineSpan]:
    """Yield every place that a chunk's text stands in or came from.

    These are its ``source`` with ``start_line`` and ``end_line``, which for embedded text is the place of the embed,
    and its ``source_spans``, where embedded text counts at its source. A chunk with neither has no place.
    """
    yield from own_span(document)
    yield from source_spans(document)


def own_span(document: Document) -> Iterator[LineSpan]:
    """Yield the lines of its own note in which a chunk stands, if it knows them."""
    metadata = document.metadata
    with suppress(KeyError, TypeError, ValueError):  # a stranger's chunk may state anything there
        yield LineSpan(str(metadata["source"]), int(metadata["start_line"]), int(metadata["end_line"]))


def source_spans(document: Document) -> Iterator[LineSpan]:
    """Yield the lines that a chunk's text came from, in the order of the text, if it knows them."""
    for span in document.metadata.get("source_spans") or ():
        if match := _SOURCE_SPAN.fullmatch(str(span)):
            start = int(match["start"])
            yield LineSpan(match["path"], start, int(match["end"] or start))


def is_hit(document: Document, span: GoldSpan) -> bool:
    """Say whether a chunk holds at least one line of a gold span, or of one of its alternatives."""
    places = list(spans_of(document))
    return any(overlap(place, gold) for gold in (span, *span.alt) for place in places)


def overlap(place: LineSpan, gold: GoldSpan) -> bool:
    """Say whether a place has a line of a gold span."""
    return place.path == gold.path and place.start_line <= gold.end_line and gold.start_line <= place.end_line
