"""What is done with the fused hits, stage by stage."""

# ruff: noqa: A002, ARG002 - the names and signatures are LangChain's

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict, Field

from obsirag.retrievers.deadlines import in_thread
from obsirag.retrievers.derived import below_originals
from obsirag.retrievers.failures import SearchError
from obsirag.retrievers.filters import Filter
from obsirag.retrievers.grouping import source_of, sources_of
from obsirag.retrievers.hybrid import Embedded, HybridRetriever, SearchResult, marked
from obsirag.retrievers.keyword import KeywordSearch
from obsirag.retrievers.linked_notes import LinkedNotes
from obsirag.retrievers.merging import DuplicateMerging
from obsirag.retrievers.parents import ParentExpansion
from obsirag.retrievers.preferring import Preferring
from obsirag.retrievers.query_cache import CacheKey, QueryCache
from obsirag.retrievers.request import SearchRequest
from obsirag.retrievers.reranking import Reranking
from obsirag.retrievers.vector import VectorSearch

__all__ = ["StagedRetriever"]


class StagedRetriever(BaseRetriever):
    """Searches by meaning and by words, then goes on with what was found; each stage may be left out.

    Hits → moved by people's marks → linked notes behind them → the order of a reranker → near-duplicates merged → the
    best ``limit`` documents → chunks replaced by their sections. A cache spares all of it for a query that was asked
    before.

    A stage that fails costs what it would have given: ``search`` says so in ``degraded``, and ``invoke`` in
    ``metadata["degraded"]`` of each document.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    hybrid: HybridRetriever
    """The search. Its ``limit`` is the number of documents that the stages choose from."""
    limit: int = Field(default=5, ge=1)
    """Most documents. Linked notes come in addition to them."""
    preferring: Preferring | None = None
    """Moves documents up or down, as people's marks say."""
    linking: LinkedNotes | None = None
    """Offers linked notes."""
    reranking: Reranking | None = None
    """Finds a better order."""
    merging: DuplicateMerging | None = None
    """Merges near-duplicates."""
    expansion: ParentExpansion | None = None
    """Replaces chunks by their sections."""
    cache: QueryCache | None = None
    """Keeps the hits of former queries."""

    @property
    def vectors(self) -> VectorSearch | None:
        """The search by meaning."""
        return self.hybrid.vectors

    @property
    def keywords(self) -> KeywordSearch:
        """The search by words."""
        return self.hybrid.keywords

    def search(self, query: str, *, labels: Collection[str] | None = (), filter: Filter | None = None) -> SearchResult:
        """Return what is found, and whether something failed.

        Args:
            query: Any text.
            labels: The caller's labels, or one as a string; without any, nothing restricted is found.
            filter: What to search; None for everything.

        Raises:
            ConfigError: If the query, the labels or the filter cannot be read, or a stage cannot work as configured.
            CatalogueError: If the index doesn't fit the embedding model.
            ServiceError: If both searches fail.
        """
        request = SearchRequest.from_caller(query, labels, filter)
        key = self._key(request)
        known = self._recalled(key)
        if known is None:
            embedded = self.hybrid.embed(request)
            known = self._recalled_similar(key, request, embedded)
        if known is not None:
            return known
        found = self._found(request, embedded)
        if self.reranking is not None:
            found = self.reranking.rerank(query, found)
        return self._finished(key, request, embedded, found)

    async def asearch(
        self, query: str, *, labels: Collection[str] | None = (), filter: Filter | None = None
    ) -> SearchResult:
        """Do what ``search`` does, without holding up the event loop."""
        request = SearchRequest.from_caller(query, labels, filter)
        key = await in_thread(self._key, request)
        known = self._recalled(key)
        if known is None:
            embedded = await self.hybrid.aembed(request)
            known = self._recalled_similar(key, request, embedded)
        if known is not None:
            return known
        found = await in_thread(self._found, request, embedded)
        if self.reranking is not None:
            found = await self.reranking.arerank(query, found)
        return await in_thread(self._finished, key, request, embedded, found)

    def _found(self, request: SearchRequest, embedded: Embedded) -> SearchResult:
        limit = self.hybrid.limit
        if self.preferring is None:
            found = self.hybrid.search_embedded(request, embedded)
        else:
            wider = self.hybrid.model_copy(update={"limit": limit + self.preferring.max_shift})
            found = wider.search_embedded(request, embedded)
            found = self.preferring.prefer(request.query, found, labels=request.labels, limit=limit)
        if self.linking is not None:
            found = self.linking.add(self.hybrid, request, embedded, found, hits=self.limit)
        return found

    def _finished(
        self, key: CacheKey | None, request: SearchRequest, embedded: Embedded, found: SearchResult
    ) -> SearchResult:
        chunks = self.select(found.documents, labels=request.labels)
        if self.cache is not None and key is not None and not found.degraded:
            vector = None if isinstance(embedded, SearchError) else embedded
            self.cache.remember(key, request.query, vector, chunks)
        return found._replace(documents=chunks)

    def select(self, chunks: list[Document], *, labels: Collection[str]) -> list[Document]:
        """Return what remains of hits in their final order.

        Saved answers come below their originals; near-duplicates are merged; the best documents stay; sections take the
        place of chunks.

        Args:
            chunks: What was found for the caller, best first.
            labels: The caller's labels.
        """
        chunks = below_originals(chunks)
        if self.merging is not None:
            chunks = self.merging.merge(chunks)
        chunks = self._best(chunks)
        return self.expansion.expand(chunks, labels=labels) if self.expansion is not None else chunks

    def _best(self, chunks: list[Document]) -> list[Document]:
        """Return the chunks of the first documents, and those of linked notes, in their order."""
        best = set(sources_of(chunk for chunk in chunks if "linked_from" not in chunk.metadata)[: self.limit])
        return [chunk for chunk in chunks if "linked_from" in chunk.metadata or source_of(chunk) in best]

    def _key(self, request: SearchRequest) -> CacheKey | None:
        if self.cache is None:
            return None
        marks = self.preferring.state() if self.preferring is not None else ()
        return self.cache.key(request, (*_settings(self.hybrid), *_settings(self), marks))

    def _recalled(self, key: CacheKey | None) -> SearchResult | None:
        documents = self.cache.recall(key) if self.cache is not None and key is not None else None
        return None if documents is None else SearchResult(documents)

    def _recalled_similar(
        self, key: CacheKey | None, request: SearchRequest, embedded: Embedded
    ) -> SearchResult | None:
        if self.cache is None or key is None or embedded is None or isinstance(embedded, SearchError):
            return None
        documents = self.cache.recall_similar(key, request.query, embedded)
        return None if documents is None else SearchResult(documents)

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


class _Part:
    """A part of a retriever, equal to itself only."""

    def __init__(self, part: object) -> None:
        self._part = part  # kept, so that no other comes to stand where it stood

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Part) and self._part is other._part

    def __hash__(self) -> int:
        return id(self._part)


def _settings(retriever: BaseRetriever) -> list[Hashable]:
    """Return what a retriever is set to: its numbers and words as they are, its parts by identity."""
    values: dict[str, Any] = {name: getattr(retriever, name) for name in type(retriever).model_fields}
    return [
        (name, value if isinstance(value, int | float | str | tuple) else _Part(value))
        for name, value in values.items()
    ]
