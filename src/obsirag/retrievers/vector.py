"""Search by meaning."""

# ruff: noqa: A002 - callers write filter={...}, as with every LangChain store

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import InMemoryVectorStore, VectorStore

from obsirag.catalogue import (
    CachedEmbeddings,
    Catalogue,
    Vector,
    chunk_documents,
    embedding_model_id,
    is_persistent,
    project,
    vectors_of_chunks,
)
from obsirag.errors import CatalogueError, ObsiragError
from obsirag.retrievers.failures import SearchError
from obsirag.retrievers.filters import Filter, matches
from obsirag.retrievers.scope import Scope, ScopeReader

__all__ = ["VectorSearch"]


class VectorSearch:
    """Finds chunks whose vectors lie near the query's.

    The store says which vectors are near; the catalogue says which of them are alive, what they hold, and how near they
    are exactly. So the score means the same with every store.

    Args:
        catalogue: The catalogue.
        embeddings: The model that the index was made with.
        open_store: Opens the vector store with the embeddings it is to use; called again when the index has changed,
            since an open store may not see what another process writes.

    Raises:
        CatalogueError: If the index was made with another model.
    """

    def __init__(
        self, catalogue: Catalogue, embeddings: Embeddings, open_store: Callable[[Embeddings], VectorStore]
    ) -> None:
        self._catalogue = catalogue
        self._embeddings = embeddings
        self._model_id = embedding_model_id(embeddings)
        self._open_store = open_store
        self._scopes = ScopeReader(catalogue)
        self._lock = threading.Lock()
        self._store: tuple[int, VectorStore] | None = None
        catalogue.check_model(self._model_id)

    def search(
        self, query: str, *, labels: Collection[str] = (), filter: Filter | None = None, limit: int = 50
    ) -> list[Document]:
        """Return the chunks nearest to the query, the nearest first.

        Args:
            query: Any text.
            labels: The caller's labels; without any, nothing restricted is found.
            filter: What to search; None for everything.
            limit: Most chunks.

        Returns:
            Chunks with ``metadata["score"]`` and ``metadata["vector_score"]``, the cosine of the two vectors: from -1
            to 1, the higher the better.

        Raises:
            ConfigError: If the filter cannot be read.
            CatalogueError: If the index was made with another model.
            SearchError: If the model or the store fails.
        """
        scope = self._scope(query, labels, filter, limit)
        if scope is None:
            return []
        try:
            vector = self._embeddings.embed_query(query)
        except Exception as error:
            raise SearchError("embeddings", error) from error
        return self._near(vector, scope, limit)

    async def asearch(
        self, query: str, *, labels: Collection[str] = (), filter: Filter | None = None, limit: int = 50
    ) -> list[Document]:
        """Do what :meth:`search` does, without holding up the event loop."""
        scope = await asyncio.to_thread(self._scope, query, labels, filter, limit)
        if scope is None:
            return []
        try:
            vector = await self._embeddings.aembed_query(query)
        except Exception as error:
            raise SearchError("embeddings", error) from error
        return await asyncio.to_thread(self._near, vector, scope, limit)

    def _scope(self, query: str, labels: Collection[str], filter: Filter | None, limit: int) -> Scope | None:
        """Return the bounds of the search, None if nothing can be found."""
        self._catalogue.check_model(self._model_id)
        scope = self._scopes.read(labels, filter)
        return None if scope.is_empty or limit < 1 or not query.strip() else scope

    def _near(self, query_vector: Sequence[float], scope: Scope, limit: int) -> list[Document]:
        vector = np.asarray(query_vector, dtype=np.float32)
        self._check_length(vector)
        wanted = limit
        while True:
            ids = self._nearest_ids(vector, wanted, scope)
            found = self._living(ids, vector, scope)
            # Fewer than asked for means that the store has no more; a dead or filtered hit means that it may have.
            if len(found) >= limit or len(ids) < wanted:
                return found[:limit]
            wanted *= 2

    def _nearest_ids(self, vector: Vector, wanted: int, scope: Scope) -> list[str]:
        try:
            store = self._opened()
            hits = store.similarity_search_by_vector(vector.tolist(), k=wanted, **_filter_for(store, scope))
        except ObsiragError:
            raise
        except Exception as error:
            raise SearchError("vector_store", error) from error
        return [hit.id for hit in hits if hit.id is not None]

    def _living(self, ids: Sequence[str], vector: Vector, scope: Scope) -> list[Document]:
        with self._catalogue.reading() as connection:
            documents = chunk_documents(connection, ids, scope.access)
            vectors = vectors_of_chunks(connection, self._model_id, documents)
        scored: list[tuple[float, str, Document]] = []
        allowed = None if scope.sources is None else set(scope.sources)
        for vector_id, document in documents.items():
            # The store was asked for these notes only; one that didn't listen is not believed.
            if (allowed is None or document.metadata["source"] in allowed) and scope.admits(document):
                scored.append((_cosine(vector, vectors.get(vector_id)), vector_id, document))
        scored.sort(key=lambda each: (-each[0], each[2].metadata["source"], each[1]))
        for score, _, document in scored:
            document.metadata["score"] = document.metadata["vector_score"] = score
        return [document for _, _, document in scored]

    def _opened(self) -> VectorStore:
        """Return the store as it was opened for the present index version."""
        version = self._catalogue.index_version
        with self._lock:
            if self._store is None or self._store[0] != version:
                store = self._open_store(CachedEmbeddings(self._embeddings, self._catalogue))
                if not is_persistent(store):
                    project(self._catalogue, store, self._model_id)
                self._store = (version, store)
            return self._store[1]

    def _check_length(self, vector: Vector) -> None:
        known = self._catalogue.meta("dimensions")
        if known is not None and int(known) != len(vector):
            raise CatalogueError(
                f"The index {self._catalogue.folder} holds vectors of {known} numbers, the embedding model "
                f"{self._model_id!r} now gives {len(vector)}. Go back to the former model, or rebuild the index with "
                "full=True (`obsirag index --full`)."
            )


def _filter_for(store: VectorStore, scope: Scope) -> dict[str, Any]:
    """Return the scope as the search argument of a store."""
    bounds = scope.store_filter()
    if bounds is None:
        return {}
    if isinstance(store, InMemoryVectorStore):  # LangChain's own takes a function
        return {"filter": lambda document: matches(bounds, document.metadata)}
    return {"filter": bounds}


def _cosine(one: Vector, other: Vector | None) -> float:
    if other is None or len(one) != len(other):
        return -1.0
    lengths = float(np.linalg.norm(one)) * float(np.linalg.norm(other))
    return float(np.dot(one, other)) / lengths if lengths else 0.0
