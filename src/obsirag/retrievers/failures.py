"""Parts of a search that failed."""

from __future__ import annotations

from collections.abc import Iterable

from langchain_core.documents import Document

from obsirag.errors import ObsiragError, ServiceError

__all__ = ["SearchError", "mark_degraded", "take_degraded"]


class SearchError(ServiceError):
    """A part of a search failed; another part may still answer.

    Args:
        part: What failed: ``embeddings``, ``vector_store``, ``keyword_search``, ``web_search`` or ``web_pages``.
        error: How.
    """

    def __init__(self, part: str, error: Exception) -> None:
        # The message of a stranger's error may quote the texts it was given: only its kind is told.
        reason = str(error) if isinstance(error, ObsiragError) else f"{type(error).__name__}."
        super().__init__(f"The search by {part} failed: {reason}")
        self.part = part


def mark_degraded(documents: list[Document], part: str) -> list[Document]:
    """Let documents say which part failed, so that another one had to find them."""
    for document in documents:
        document.metadata["degraded"] = [part]
    return documents


def take_degraded(documents: Iterable[Document]) -> tuple[str, ...]:
    """Return which parts failed, as documents say, and let them say it no longer."""
    marks = [document.metadata.pop("degraded", None) for document in documents]
    return tuple(sorted({part for mark in marks if isinstance(mark, list) for part in mark if isinstance(part, str)}))
