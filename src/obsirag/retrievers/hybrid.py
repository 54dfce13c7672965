"""Vectors and keywords side by side, fused by document."""

# ruff: noqa: A002, ARG002 - the names and signatures are LangChain's

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import NamedTuple

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from obsirag.retrievers.failures import SearchError
from obsirag.retrievers.filters import Filter
from obsirag.retrievers.fusion import fuse_by_document
from obsirag.retrievers.keyword import KeywordSearch
from obsirag.retrievers.vector import VectorSearch

__all__ = ["HybridRetriever", "SearchResult"]

_log = logging.getLogger(__name__)
_SCORES = ("vector_score", "keyword_score")


class SearchResult(NamedTuple):
    """What a search found.

    Args:
        documents: Chunks, the best document's first.
        degraded: Which parts failed, so that less may have been found: ``embeddings``, ``vector_store``,
            ``keyword_search``.
    """

    documents: list[Document]
    degraded: tuple[str, ...] = ()


class HybridRetriever(BaseRetriever):
    """Searches by meaning and by words, and fuses both by document.

    If one of the two fails, the other answers alone: :meth:`search` says so in ``degraded``, and ``invoke`` in
    ``metadata["degraded"]`` of each document.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    keywords: KeywordSearch
    """The search by words."""
    vectors: VectorSearch | None = None
    """The search by meaning; None for words only."""
    limit: int = Field(default=5, ge=1)
    """Most documents."""
    candidates: int = Field(default=50, ge=1)
    """Chunks of each of the two rankings."""
    chunks_per_document: int = Field(default=3, ge=1)
    """Most chunks of one document."""
    rrf_k: float = Field(default=60, ge=0)
    """Dampens the difference between the first ranks."""
    weights: tuple[float, float] = (1.0, 1.0)
    """How much vectors and keywords count."""

    def search(self, query: str, *, labels: Collection[str] = (), filter: Filter | None = None) -> SearchResult:
        """Return what is found, and whether something failed.

        Args:
            query: Any text.
            labels: The caller's labels; without any, nothing restricted is found.
            filter: What to search; None for everything.

        Raises:
            ConfigError: If the filter cannot be read.
            CatalogueError: If the index doesn't fit the embedding model.
            ServiceError: If both searches fail.
        """
        request = _Request(query, labels, filter, self.candidates)
        vectors = _attempt(self.vectors.search, request) if self.vectors else None
        return self._fused(vectors, _attempt(self.keywords.search, request))

    async def asearch(self, query: str, *, labels: Collection[str] = (), filter: Filter | None = None) -> SearchResult:
        """Do what :meth:`search` does, both searches at the same time and without holding up the event loop."""
        request = _Request(query, labels, filter, self.candidates)
        by_words = asyncio.to_thread(_attempt, self.keywords.search, request)
        if self.vectors is None:
            return self._fused(None, await by_words)
        vectors, keywords = await asyncio.gather(_aattempt(self.vectors.asearch, request), by_words)
        return self._fused(vectors, keywords)

    def _fused(self, vectors: _Outcome | None, keywords: _Outcome) -> SearchResult:
        outcomes = [keywords] if vectors is None else [vectors, keywords]
        failures = [outcome for outcome in outcomes if isinstance(outcome, SearchError)]
        if len(failures) == len(outcomes):
            raise failures[0]
        for failure in failures:
            _log.warning("%s", failure)
        rankings = [[] if isinstance(outcome, SearchError) else outcome for outcome in (vectors or [], keywords)]
        documents = fuse_by_document(
            rankings,
            weights=self.weights,
            k=self.rrf_k,
            chunks_per_document=self.chunks_per_document,
            limit=self.limit,
        )
        scores = _scores(rankings)
        for document in documents:
            document.metadata |= scores[str(document.metadata["chunk_id"])]
            document.metadata["score"] = document.metadata["fusion_score"]
        return SearchResult(documents, tuple(failure.part for failure in failures))

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        labels: Collection[str] = (),
        filter: Filter | None = None,
    ) -> list[Document]:
        return _marked(self.search(query, labels=labels, filter=filter))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        labels: Collection[str] = (),
        filter: Filter | None = None,
    ) -> list[Document]:
        return _marked(await self.asearch(query, labels=labels, filter=filter))


class _Request(NamedTuple):
    query: str
    labels: Collection[str]
    filter: Filter | None
    limit: int


_Outcome = list[Document] | SearchError


def _attempt(search: Callable[..., list[Document]], request: _Request) -> _Outcome:
    try:
        return search(request.query, labels=request.labels, filter=request.filter, limit=request.limit)
    except SearchError as error:
        return error


async def _aattempt(search: Callable[..., Awaitable[list[Document]]], request: _Request) -> _Outcome:
    try:
        return await search(request.query, labels=request.labels, filter=request.filter, limit=request.limit)
    except SearchError as error:
        return error


def _scores(rankings: Sequence[Sequence[Document]]) -> dict[str, dict[str, float]]:
    """Return the scores of each chunk in the rankings that hold it, by chunk id."""
    scores: dict[str, dict[str, float]] = {}
    for ranking in rankings:
        for document in ranking:
            found = {name: document.metadata[name] for name in _SCORES if name in document.metadata}
            scores.setdefault(str(document.metadata["chunk_id"]), {}).update(found)
    return scores


def _marked(result: SearchResult) -> list[Document]:
    if result.degraded:
        for document in result.documents:
            document.metadata["degraded"] = list(result.degraded)
    return result.documents
