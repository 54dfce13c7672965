"""Search by words."""

# ruff: noqa: A002 - callers write filter={...}, as with every LangChain store

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence

from langchain_core.documents import Document

from obsirag.catalogue import MOST_MATCHES, Catalogue, TermCounts, keyword_hits, living_texts
from obsirag.retrievers.failures import SearchError
from obsirag.retrievers.filters import Filter
from obsirag.retrievers.scope import ScopeReader, check_query

__all__ = ["KeywordSearch"]

COLUMN_WEIGHTS = (1.0, 2.0, 1.0)
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
        self._counts = TermCounts(MOST_MATCHES)

    @property
    def index_state(self) -> tuple[int, int]:
        """What changes with every change of the index that a search can see."""
        return self._catalogue.index_state

    def living(self, rankings: Sequence[Sequence[Document]]) -> list[list[Document]]:
        """Return rankings without the chunks that their notes, in one state of the index, no longer have."""
        paths = {str(each.metadata["source"]) for ranking in rankings for each in ranking}
        with self._catalogue.reading() as connection:
            texts = living_texts(connection, paths)
        return [[each for each in ranking if (each.id, each.page_content) in texts] for ranking in rankings]

    def search(
        self, query: str, *, labels: Collection[str] | None = (), filter: Filter | None = None, limit: int = 50
    ) -> list[Document]:
        """Return the chunks that hold a word of the query, the best first.

        Args:
            query: Any text.
            labels: The caller's labels, or one as a string; without any, nothing restricted is found.
            filter: What to search; None for everything.
            limit: Most chunks.

        Returns:
            Chunks with ``metadata["score"]`` and ``metadata["keyword_score"]``, their BM25 score: above 0, the higher
            the better.

        Raises:
            ConfigError: If the query, the labels or the filter cannot be read.
            CatalogueError: If the index cannot be read.
            SearchError: If the search itself fails.
        """
        check_query(query)
        scope = self._scopes.read(labels, filter)
        if scope.is_empty or limit < 1:
            return []
        with self._catalogue.reading() as connection:
            try:
                found = keyword_hits(
                    connection,
                    query,
                    counts=self._counts,
                    access=scope.access,
                    everything=scope.everything,
                    weights=self._weights,
                    limit=limit,
                    sources=scope.sources,
                    admits=scope.chunk_test(),
                )
            except sqlite3.DatabaseError as error:  # its tables are apart: search by meaning does without them
                raise SearchError("keyword_search", error) from error
        for document, score in found:
            document.metadata["score"] = document.metadata["keyword_score"] = score
        return [document for document, _ in found]
