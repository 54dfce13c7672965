"""A part of a search that failed."""

from __future__ import annotations

from obsirag.errors import ObsiragError, ServiceError

__all__ = ["SearchError"]


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
