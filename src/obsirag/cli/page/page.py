"""The page that shows a note's chunks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from langchain_core.documents import Document

from obsirag.cli.page.bars import bar
from obsirag.cli.page.escaping import as_text
from obsirag.cli.page.facts import as_list, shared_fields
from obsirag.cli.page.filling import filled, inline_parts
from obsirag.cli.page.overview import overview
from obsirag.cli.page.painting import Painter
from obsirag.cli.page.placing import PlacedChunk, in_a_row, place_chunks
from obsirag.cli.page.structures import Mark, structures_of
from obsirag.records import RenderedNote
from obsirag.splitters.measuring import Limits, Measure, MeasuredChunk, measured

__all__ = ["chunk_page"]

_NOT_PLACED = "The splitter doesn't say where its chunks stand in the note, so they are shown one below the other."


def chunk_page(
    rendered: RenderedNote,
    documents: Sequence[Document],
    measure: Measure | Callable[[Document], Measure] = Measure(),  # noqa: B008 - it is frozen
) -> str:
    """Return a page of HTML that shows the text of a note as it was cut into chunks.

    The page loads nothing and sends nothing. Every character of the text stands in it once, in order, in the elements
    of class ``text``; what chunks repeat or add stands outside these.

    Args:
        rendered: The note, cleaned as it was when it was cut.
        documents: Its chunks, in order; any splitter's.
        measure: How chunks are measured, or what tells it for each of them.
    """
    placed = place_chunks(rendered.text, documents)
    if placed is None:
        text, chunks = in_a_row(documents)
        edges = [edge for chunk in chunks for edge in (chunk.own_start, chunk.end)]
    else:
        text, chunks = rendered.text, placed
        edges = [edge for each in rendered.embeds if each.is_block for edge in (each.start, each.end)]
    measures = [measure if isinstance(measure, Measure) else measure(document) for document in documents]
    lengths = [
        measured(document, each, index) for index, (document, each) in enumerate(zip(documents, measures, strict=True))
    ]
    limits = [each.limits for each in measures]
    structures, marks = structures_of(text, edges)
    painter = Painter(text, structures, [*marks, *_overlaps(chunks)])
    return filled(
        __package__,
        "page.html",
        language=_language_of(text),
        title=as_text(str(rendered.metadata.get("title") or rendered.path)),
        path=as_text(rendered.path),
        counts=_counts(documents, len(text), limits),
        overview=overview(lengths, limits),
        notices=_notices(rendered, is_placed=placed is not None),
        shared=as_list(shared_fields(documents)),
        chunks=_chunks(painter, chunks, lengths, limits, len(text)),
        **inline_parts(__package__, style="page.css", script="page.js"),
    )


def _overlaps(chunks: Sequence[PlacedChunk]) -> list[Mark]:
    """Return what the chunks repeat of the text before them, where it stands there."""
    return [
        Mark(chunk.start, previous.end, "overlap", f"again in chunk {number}")
        for number, (previous, chunk) in enumerate(pairwise(chunks), 2)
        if chunk.start < previous.end
    ]


def _chunks(
    painter: Painter,
    chunks: Sequence[PlacedChunk],
    lengths: Sequence[MeasuredChunk],
    limits: Sequence[Limits],
    end: int,
) -> str:
    """Return the chunks, and between them what belongs to none."""
    shared = shared_fields([chunk.document for chunk in chunks])
    starts = [chunk.own_start for chunk in chunks]
    parts = [_between(painter, 0, starts[0] if starts else end)]
    for number, (chunk, (_, following)) in enumerate(zip(chunks, pairwise([*starts, end]), strict=True), 1):
        fields = chunk.document.metadata
        facts = as_list(fields, without=shared)
        even = "" if number % 2 else " even"
        parts.append(
            f'<article class="chunk{even}" id="chunk-{number}" tabindex="0" aria-labelledby="number-{number}">'
            f"{bar(number, chunk.document, lengths[number - 1], limits[number - 1])}"
            f'<section class="facts" aria-label="Metadata of chunk {number}">'
            f'<p>Chunk {number} of {len(chunks)}<button type="button" aria-label="Close" tabindex="-1">×</button></p>'
            f"<dl>{facts}</dl></section>"
            f"{_context(fields.get('context_before'))}"
            f'<div class="text" dir="auto">{painter.blocks(chunk.own_start, chunk.end)}</div>'
            f"{_context(fields.get('context_after'))}</article>"
            f"{_between(painter, chunk.end, following)}"
        )
    return "".join(parts)


def _between(painter: Painter, start: int, end: int) -> str:
    if start >= end:
        return ""
    if painter.is_blank(start, end):
        return f'<div class="text gap">{painter.plain(start, end)}</div>'
    return f'<div class="text outside">{painter.blocks(start, end)}</div>'


def _context(context: object) -> str:
    if not context:
        return ""
    title = "Not in the note here: put in because a structure was cut"
    shown = as_text(str(context).strip("\n"))
    return f'<div class="context" title="{title}">{shown}</div>'


def _counts(documents: Sequence[Document], characters: int, limits: Sequence[Limits]) -> str:
    told = [f"{len(documents):,} {'chunk' if len(documents) == 1 else 'chunks'}", f"{characters:,} characters"]
    if len(set(limits)) == 1:
        sizes = (("chunk_size", limits[0].chunk_size), ("max_chunk_size", limits[0].max_chunk_size))
        known = ", ".join(f"{name} {size:,}" for name, size in sizes if size is not None)
        told += [f"{known} {as_text(limits[0].unit)}"] if known else []
    return " · ".join(told)


def _notices(rendered: RenderedNote, *, is_placed: bool) -> str:
    told = [] if is_placed else [_NOT_PLACED]
    told += [str(finding) for finding in rendered.diagnostics]
    entries = "".join(f"<li>{as_text(each)}</li>" for each in told)
    return f'<ul class="notices">{entries}</ul>' if told else ""


def _language_of(text: str) -> str:
    """Return the language by which a browser is to choose the shapes of Han characters."""
    if re.search("[\u3040-\u30ff]", text):
        return "ja"
    if re.search("[\uac00-\ud7a3]", text):
        return "ko"
    return "zh-CN" if re.search("[\u4e00-\u9fff]", text) else "en"
