"""Search by words."""

# ruff: noqa: A002 - callers write filter={...}, as with every LangChain store

from __future__ import annotations

from collections.abc import Collection, Sequence

from langchain_core.documents import Document

from obsirag.catalogue import Catalogue, keyword_hits
from obsirag.retrievers.filters import Filter
from obsirag.retrievers.scope import ScopeReader

__all__ = ["KeywordSearch"]

COLUMN_WEIGHTS = (1.0, 1.0, 1.0)
"""How much a word counts in the title, the headings above a chunk, and its text."""


class KeywordSearch:
    """Finds chunks by the words they hold: identifiers whole and in parts, Chinese by pairs of characters (BM25).

    Args:
        catalogue: The catalogue.
        weights: How much a word counts in the title, the headings above a chunk, and its text.
    """

    def __init__(self, catalogue: Catalogue, *, weights: Sequence[float] = COLUMN_WEIGHTS) -> None:
        if len(weights) != len(COLUMN_WEIGHTS):
            raise ValueError(f"{len(weights)} weights were given; there are three: for title, headings and text")
        self._catalogue = catalogue
        self._weights = weights
        self._scopes = ScopeReader(catalogue)

    def search(
        self, query: str, *, labels: Collection[str] = (), filter: Filter | None = None, limit: int = 50
    ) -> list[Document]:
        """Return the chunks that hold a word of the query, the best first.

        Args:
            query: Any text.
            labels: The caller's labels; without any, nothing restricted is found.
            filter: What to search; None for everything.
            limit: Most chunks.

        Returns:
            Chunks with ``metadata["score"]`` and ``metadata["keyword_score"]``, their BM25 score: above 0, the higher
            the better.

        Raises:
            ConfigError: If the filter cannot be read.
        """
        scope = self._scopes.read(labels, filter)
        if scope.is_empty or limit < 1:
            return []
        with self._catalogue.reading() as connection:
            found = keyword_hits(
                connection,
                query,
                access=scope.access,
                everything=scope.everything,
                weights=self._weights,
                limit=limit,
                sources=scope.sources,
                admits=scope.admits if scope.chunk_filter else None,
            )
        for document, score in found:
            document.metadata["score"] = document.metadata["keyword_score"] = score
        return [document for document, _ in found]
