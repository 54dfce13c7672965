"""What a splitter made of a note or a vault."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self

from langchain_core.documents import Document

from obsirag.records import Diagnostic
from obsirag.splitters.distribution import LengthDistribution
from obsirag.splitters.measuring import CHARACTERS, Limits, Measure, MeasuredChunk, OversizeChunk, measured
from obsirag.splitters.oversize import oversize
from obsirag.splitters.report_lines import report_lines

__all__ = ["SHORT", "SplitReport"]

SHORT = 100
"""A chunk of fewer characters than these is short: it says too little to be found by its meaning."""


@dataclass(frozen=True, slots=True)
class SplitReport:
    """How notes were cut; ``print`` shows it, and ``dataclasses.asdict`` gives plain data that JSON knows.

    Args:
        notes: How many notes were cut.
        chunks: How many chunks they gave.
        limits: The limits that the chunks were held to; several where notes are cut by different settings.
        lengths: The distribution of the lengths in characters and, where chunks are measured otherwise, one more for
            each unit, of the chunks measured so. Empty if there is no chunk.
        longest: The chunk of the most characters, the first of several; None if there is no chunk.
        oversize: Every chunk that passes a limit, in order.
        short_chunks: How many chunks have fewer than 100 characters.
        short_share: Their share of all chunks, 0–1.
        partial_chunks: How many chunks begin or end inside a structure that had to be cut.
        notes_without_chunks: The notes that gave no chunk, in order.
        warnings: What was noticed, in order: findings of rendering, notes that cannot be read, and the like.
    """

    notes: int
    chunks: int
    limits: tuple[Limits, ...]
    lengths: tuple[LengthDistribution, ...]
    longest: MeasuredChunk | None
    oversize: tuple[OversizeChunk, ...]
    short_chunks: int
    short_share: float
    partial_chunks: int
    notes_without_chunks: tuple[str, ...]
    warnings: tuple[Diagnostic, ...]

    @classmethod
    def from_documents(
        cls,
        documents: Iterable[Document],
        measure: Measure | Callable[[Document], Measure] = Measure(),  # noqa: B008 - it is frozen
        *,
        notes: Iterable[str] | None = None,
        warnings: Iterable[Diagnostic] = (),
    ) -> Self:
        """Return the report of a splitter's documents; any LangChain splitter's will do.

        Args:
            documents: The chunks, those of one note in a row; ``source`` in their metadata is the note.
            measure: How they are measured, or what tells it for each of them.
            notes: The paths of all notes that were cut; if None, those that the documents name.
            warnings: What else was noticed.
        """
        found: list[MeasuredChunk] = []
        passing: list[OversizeChunk] = []
        counts: dict[str, int] = {}
        limits: dict[Limits, None] = {}
        partial = 0
        for document in documents:
            used = measure if isinstance(measure, Measure) else measure(document)
            source = str(document.metadata.get("source") or "")
            chunk = measured(document, used, counts.get(source, 0))
            counts[source] = counts.get(source, 0) + 1
            limits[used.limits] = None
            found.append(chunk)
            partial += bool(document.metadata.get("is_partial"))
            if (fault := oversize(document, chunk, used.limits)) is not None:
                passing.append(fault)
        paths = list(dict.fromkeys(counts if notes is None else notes))
        short = sum(chunk.characters < SHORT for chunk in found)
        return cls(
            notes=len(paths),
            chunks=len(found),
            limits=tuple(limits) if found or not isinstance(measure, Measure) else (measure.limits,),
            lengths=_distributions(found),
            longest=max(found, key=lambda chunk: chunk.characters, default=None),
            oversize=tuple(passing),
            short_chunks=short,
            short_share=short / len(found) if found else 0.0,
            partial_chunks=partial,
            notes_without_chunks=tuple(path for path in paths if path not in counts),
            warnings=tuple(warnings),
        )

    def __str__(self) -> str:
        return "\n".join(line for line, _ in report_lines(self))


def _distributions(chunks: list[MeasuredChunk]) -> tuple[LengthDistribution, ...]:
    if not chunks:
        return ()
    lengths = {CHARACTERS: [chunk.characters for chunk in chunks]}
    for chunk in chunks:
        if chunk.unit != CHARACTERS:
            lengths.setdefault(chunk.unit, []).append(chunk.length)
    return tuple(LengthDistribution.of(each, unit) for unit, each in lengths.items())
