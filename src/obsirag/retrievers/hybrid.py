"""Vectors and keywords side by side, fused by document."""

# ruff: noqa: A002, ARG002 - the names and signatures are LangChain's

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from itertools import chain
from typing import NamedTuple

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from obsirag.catalogue import Vector
from obsirag.retrievers.deadlines import in_thread
from obsirag.retrievers.failures import SearchError, degraded_of
from obsirag.retrievers.filters import Filter
from obsirag.retrievers.fusing import Fusion, fuse
from obsirag.retrievers.keyword import KeywordSearch
from obsirag.retrievers.request import SearchRequest
from obsirag.retrievers.vector import ATTEMPTS, VectorSearch

__all__ = ["Embedded", "HybridRetriever", "SearchResult", "marked"]

_log = logging.getLogger(__name__)
_SCORES = ("vector_score", "keyword_score")

Embedded = Vector | SearchError | None
"""The vector of a query, why there is none, or None where none is needed."""


class SearchResult(NamedTuple):
    """What a search found.

    Args:
        documents: Chunks, the best document's first.
        degraded: Which parts failed, so that less may have been found: ``embeddings``, ``vector_store``,
            ``keyword_search``, ``keyword_index``, ``reranker``.
    """

    documents: list[Document]
    degraded: tuple[str, ...] = ()


class HybridRetriever(BaseRetriever):
    """Searches by meaning and by words, and fuses both by document.

    If one of the two fails, the other answers alone: ``search`` says so in ``degraded``, and ``invoke`` in
    ``metadata["degraded"]`` of each document.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    keywords: KeywordSearch
    """The search by words."""
    vectors: VectorSearch | None = None
    """The search by meaning; None for words only."""
    limit: int = Field(default=5, ge=1)
    """Most documents."""
    candidates: int = Field(default=100, ge=1)
    """Chunks of each of the two rankings."""
    chunks_per_document: int = Field(default=3, ge=1)
    """Most chunks of one document."""
    fusion: Fusion = "scores"
    """Whether the two are fused by their scores or by reciprocal ranks."""
    rrf_k: float = Field(default=60, ge=0)
    """For fusion by ranks: dampens the difference between the first ones."""
    weights: tuple[float, float] = (1.0, 1.0)
    """How much vectors and keywords count."""

    def search(self, query: str, *, labels: Collection[str] | None = (), filter: Filter | None = None) -> SearchResult:
        """Return what is found, and whether something failed.

        Args:
            query: Any text.
            labels: The caller's labels, or one as a string; without any, nothing restricted is found.
            filter: What to search; None for everything.

        Raises:
            ConfigError: If the query, the labels or the filter cannot be read.
            CatalogueError: If the index doesn't fit the embedding model.
            ServiceError: If both searches fail.
        """
        request = SearchRequest.from_caller(query, labels, filter)
        return self.search_embedded(request, self.embed(request))

    async def asearch(
        self, query: str, *, labels: Collection[str] | None = (), filter: Filter | None = None
    ) -> SearchResult:
        """Do what ``search`` does, without holding up the event loop."""
        request = SearchRequest.from_caller(query, labels, filter)
        return await in_thread(self.search_embedded, request, await self.aembed(request))

    def embed(self, request: SearchRequest) -> Embedded:
        """Return the vector of a query, why there is none, or None where none is needed."""
        if self.vectors is None or not self.vectors.can_find(request.query, labels=request.labels):
            return None
        try:
            return self.vectors.embed(request.query)
        except SearchError as error:
            return error

    async def aembed(self, request: SearchRequest) -> Embedded:
        """Do what ``embed`` does, without holding up the event loop."""
        if self.vectors is None or not await in_thread(self.vectors.can_find, request.query, labels=request.labels):
            return None
        try:
            return await self.vectors.aembed(request.query)
        except SearchError as error:
            return error

    def search_embedded(self, request: SearchRequest, vector: Embedded) -> SearchResult:
        """Search in both ways in one state of the index, if a writer lets that happen in a few attempts.

        Two rankings of different states would join the old text of a note with its new text; so if no attempt was
        left alone, what is old by now goes.
        """
        for _ in range(ATTEMPTS):
            before = self.keywords.index_state
            by_meaning = self._by_meaning(request, vector)
            by_words = self._by_words(request)
            outcomes = [by_words] if self.vectors is None else [by_meaning, by_words]
            if self.keywords.index_state == before:
                return self._fused(outcomes)
        living = self.keywords.living([each for each in outcomes if not isinstance(each, SearchError)])
        if not any(living) and not isinstance(by_words, SearchError):
            # All of it was replaced meanwhile. "Nothing found" would be wrong, and one ranking is of one state.
            living[-1] = by_words
        rankings = iter(living)
        return self._fused([each if isinstance(each, SearchError) else next(rankings) for each in outcomes])

    def _by_meaning(self, request: SearchRequest, vector: Embedded) -> _Outcome:
        if self.vectors is None or vector is None:
            return []
        if isinstance(vector, SearchError):
            return vector
        try:
            return self.vectors.search_by_vector(
                vector, labels=request.labels, filter=request.filter, limit=self.candidates
            )
        except SearchError as error:
            return error

    def _by_words(self, request: SearchRequest) -> _Outcome:
        try:
            return self.keywords.search(
                request.query, labels=request.labels, filter=request.filter, limit=self.candidates
            )
        except SearchError as error:
            return error

    def _fused(self, outcomes: Sequence[_Outcome]) -> SearchResult:
        """Fuse the outcomes by meaning, if there is such a search, and by words."""
        failures = [outcome for outcome in outcomes if isinstance(outcome, SearchError)]
        if len(failures) == len(outcomes):
            raise failures[0]
        for failure in failures:
            _log.warning("%s", failure)
        rankings = [[] if isinstance(outcome, SearchError) else outcome for outcome in outcomes]
        degraded = (*(failure.part for failure in failures), *chain.from_iterable(map(degraded_of, rankings)))
        documents = fuse(
            rankings,
            by=self.fusion,
            weights=self.weights[-len(rankings) :],
            rrf_k=self.rrf_k,
            chunks_per_document=self.chunks_per_document,
            limit=self.limit,
        )
        scores = _scores(rankings)
        for document in documents:
            document.metadata |= scores[str(document.metadata["chunk_id"])]
            document.metadata["score"] = document.metadata["fusion_score"]
        return SearchResult(documents, degraded)

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,
        labels: Collection[str] | None = (),
        filter: Filter | None = None,
    ) -> list[Document]:
        return marked(self.search(query, labels=labels, filter=filter))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: AsyncCallbackManagerForRetrieverRun,
        labels: Collection[str] | None = (),
        filter: Filter | None = None,
    ) -> list[Document]:
        return marked(await self.asearch(query, labels=labels, filter=filter))


_Outcome = list[Document] | SearchError


def _scores(rankings: Sequence[Sequence[Document]]) -> dict[str, dict[str, float]]:
    """Return the scores of each chunk in the rankings that hold it, by chunk id."""
    scores: dict[str, dict[str, float]] = {}
    for ranking in rankings:
        for document in ranking:
            found = {name: document.metadata[name] for name in _SCORES if name in document.metadata}
            scores.setdefault(str(document.metadata["chunk_id"]), {}).update(found)
    return scores


def marked(result: SearchResult) -> list[Document]:
    """Return the documents of a result; where something failed, each says so in ``metadata["degraded"]``."""
    if result.degraded:
        for document in result.documents:
            document.metadata["degraded"] = list(result.degraded)
    return result.documents
