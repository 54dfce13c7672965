"""Where chunks stand in the text that was cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from langchain_core.documents import Document

__all__ = ["PlacedChunk", "in_a_row", "place_chunks"]


class PlacedChunk(NamedTuple):
    """A chunk and its place.

    Args:
        document: The chunk.
        start: Offset of its first character, what it repeats of the text before included.
        own_start: Offset of its own first character.
        end: Offset after its last; the next chunk's own text begins there or later.
    """

    document: Document
    start: int
    own_start: int
    end: int


def place_chunks(text: str, documents: Sequence[Document]) -> list[PlacedChunk] | None:
    """Return the chunks with their places in ``text``; None if their metadata doesn't tell these, or not truly.

    Args:
        text: The text that was cut.
        documents: Its chunks in order.
    """
    placed: list[PlacedChunk] = []
    position = 0
    for document in documents:
        fields = document.metadata
        before, after = str(fields.get("context_before") or ""), str(fields.get("context_after") or "")
        length = len(document.page_content) - len(before) - len(after)
        start = fields.get("start_index")
        # Other splitters tell the start only.
        end = fields.get("end_index", start + length if isinstance(start, int) else None)
        if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start <= end <= len(text):
            return None
        if f"{before}{text[start:end]}{after}" != document.page_content or (placed and start < placed[-1].start):
            return None
        repeated = fields.get("overlap")
        own_start = start + repeated if isinstance(repeated, int) and 0 <= repeated <= end - start else start
        end = max(end, position)
        placed.append(PlacedChunk(document, start, max(own_start, position), end))
        position = end
    return placed


def in_a_row(documents: Sequence[Document]) -> tuple[str, list[PlacedChunk]]:
    """Return the chunks' texts in a row, blank lines between them, and the chunks with their places in that."""
    parts: list[str] = []
    placed: list[PlacedChunk] = []
    position = 0
    for document in documents:
        end = position + len(document.page_content)
        placed.append(PlacedChunk(document, position, position, end))
        parts.append(document.page_content)
        position = end + 2
    return "\n\n".join(parts), placed
