"""Chunks measured: how long they are, where they stand, and which limit they keep to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from langchain_core.documents import Document

__all__ = ["CHARACTERS", "Limits", "Measure", "MeasuredChunk", "OversizeChunk", "measured"]

CHARACTERS = "characters"


@dataclass(frozen=True, slots=True)
class Limits:
    """What chunks should keep to.

    Args:
        unit: What lengths are counted in.
        chunk_size: What a chunk should not pass; None if that is unknown.
        max_chunk_size: What no chunk should ever pass; None if there is no such limit.
    """

    unit: str = CHARACTERS
    chunk_size: int | None = None
    max_chunk_size: int | None = None


@dataclass(frozen=True, slots=True)
class Measure:
    """How chunks are measured.

    Args:
        limits: What they should keep to.
        length_function: Their length in the unit of the limits.
    """

    limits: Limits = Limits()
    length_function: Callable[[str], int] = len


@dataclass(frozen=True, slots=True)
class MeasuredChunk:
    """One chunk's place and length.

    Args:
        path: The note's path; empty if the chunk doesn't say.
        line: Its first line in the note's file; 0 if the chunk doesn't say.
        headings: The headings above it, outermost first.
        chunk_index: Its number in the note, from 0.
        characters: Its length in characters.
        length: Its length in ``unit``.
        unit: What ``length`` counts.
    """

    path: str
    line: int
    headings: tuple[str, ...]
    chunk_index: int
    characters: int
    length: int
    unit: str

    @property
    def place(self) -> str:
        """Where it stands: ``path:line``."""
        return f"{self.path}:{self.line}" if self.line else self.path


@dataclass(frozen=True, slots=True)
class OversizeChunk:
    """A chunk that passes a limit.

    Args:
        chunk: The chunk.
        limit: The limit that it passes: the greater one, if it passes both.
        limit_name: ``chunk_size`` or ``max_chunk_size``.
        reason: A stable code: a key of ``obsirag.splitters.oversize.REASONS``.
        structures: The kinds of its blocks in order, each run of one kind once.
    """

    chunk: MeasuredChunk
    limit: int
    limit_name: str
    reason: str
    structures: tuple[str, ...]


def measured(document: Document, measure: Measure, index: int) -> MeasuredChunk:
    """Return the place and the length of a chunk.

    Args:
        document: The chunk; any splitter's.
        measure: How it is measured.
        index: Its number in the note, if it doesn't say.
    """
    fields, content = document.metadata, document.page_content
    headings = fields.get("headings")
    return MeasuredChunk(
        path=str(fields.get("source") or ""),
        line=number_in(fields, "start_line"),
        headings=tuple(map(str, headings)) if isinstance(headings, (list, tuple)) else (),
        chunk_index=number_in(fields, "chunk_index", index),
        characters=len(content),
        length=measure.length_function(content),
        unit=measure.limits.unit,
    )


def number_in(fields: dict[str, Any], name: str, default: int = 0) -> int:
    """Return the count that a chunk's metadata hold under ``name``; the default if they hold anything else."""
    value = fields.get(name)
    return value if isinstance(value, int) and value >= 0 else default
