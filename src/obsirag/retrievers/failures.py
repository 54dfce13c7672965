"""Parts of a search that failed."""

from __future__ import annotations

from collections.abc import Iterable

from langchain_core.documents import Document

from obsirag.errors import ObsiragError, ServiceError

__all__ = ["Found", "SearchError", "degraded_of"]


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


class Found(list[Document]):
    """What a search found, and the parts that failed on the way, so that others had to find it.

    Args:
        documents: What was found.
        degraded: The names of the parts.
    """

    def __init__(self, documents: Iterable[Document], degraded: Iterable[str] = ()) -> None:
        super().__init__(documents)
        self.degraded = tuple(degraded)


def degraded_of(found: object) -> tuple[str, ...]:
    """Return which parts failed on the way to what a search found, if it says so."""
    return found.degraded if isinstance(found, Found) else ()
