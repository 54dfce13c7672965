"""Search by meaning."""

# ruff: noqa: A002 - callers write filter={...}, as with every LangChain store

from __future__ import annotations

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
from obsirag.errors import CatalogueError, ConfigError, MissingExtraError, ServiceError
from obsirag.records import labels_of
from obsirag.retrievers.cosine import cosine
from obsirag.retrievers.deadlines import in_thread
from obsirag.retrievers.failures import SearchError
from obsirag.retrievers.filters import Filter, check_filter, matcher
from obsirag.retrievers.living import gather_living
from obsirag.retrievers.scope import Scope, ScopeReader, check_query

__all__ = ["ATTEMPTS", "VectorSearch"]

ATTEMPTS = 3
"""How often a search is done at most until no writer changes the index meanwhile."""


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
        self._store: tuple[tuple[int, int], VectorStore] | None = None
        catalogue.check_model(self._model_id)

    def search(
        self, query: str, *, labels: Collection[str] | None = (), filter: Filter | None = None, limit: int = 50
    ) -> list[Document]:
        """Return the chunks nearest to the query, the nearest first.

        Args:
            query: Any text.
            labels: The caller's labels, or one as a string; without any, nothing restricted is found.
            filter: What to search; None for everything.
            limit: Most chunks.

        Returns:
            Chunks with ``metadata["score"]`` and ``metadata["vector_score"]``, the cosine of the two vectors: from -1
            to 1, the higher the better.

        Raises:
            ConfigError: If the query, the labels or the filter cannot be read.
            CatalogueError: If the index was made with another model.
            SearchError: If the model or the store fails.
        """
        held = labels_of(labels)
        check_filter(filter)
        if limit < 1 or not self.can_find(query, labels=held):
            return []
        return self.search_by_vector(self.embed(query), labels=held, filter=filter, limit=limit)

    async def asearch(
        self, query: str, *, labels: Collection[str] | None = (), filter: Filter | None = None, limit: int = 50
    ) -> list[Document]:
        """Do what ``search`` does, without holding up the event loop."""
        held = labels_of(labels)
        check_filter(filter)
        if limit < 1 or not await in_thread(self.can_find, query, labels=held):
            return []
        vector = await self.aembed(query)
        return await in_thread(self.search_by_vector, vector, labels=held, filter=filter, limit=limit)

    def can_find(self, query: str, *, labels: Collection[str] | None = ()) -> bool:
        """Say whether it is worth to embed a query: it says something, and there is something to read.

        Raises:
            ConfigError: If the query or the labels cannot be read.
            CatalogueError: If the index was made with another model.
        """
        check_query(query)
        self._catalogue.check_model(self._model_id)
        return bool(query.strip()) and not self._scopes.read(labels, None).is_empty

    def embed(self, query: str) -> Vector:
        """Return the vector of a query.

        Raises:
            SearchError: If the model fails, or gives what is no vector of this index.
        """
        try:
            return self._checked(self._embeddings.embed_query(query))
        except CatalogueError:
            raise
        except Exception as error:
            raise SearchError("embeddings", error) from error

    async def aembed(self, query: str) -> Vector:
        """Do what ``embed`` does, without holding up the event loop."""
        try:
            return self._checked(await self._embeddings.aembed_query(query))
        except CatalogueError:
            raise
        except Exception as error:
            raise SearchError("embeddings", error) from error

    def search_by_vector(
        self, vector: Vector, *, labels: Collection[str] | None = (), filter: Filter | None = None, limit: int = 50
    ) -> list[Document]:
        """Return the chunks nearest to a vector that ``embed`` made, the nearest first, as ``search`` does.

        What the store says belongs to the state of the index in which it was opened. If a writer publishes meanwhile,
        it is asked again, a bounded number of times: after that a note may be found by fewer of its chunks.
        """
        held = labels_of(labels)
        found: list[Document] = []
        for _ in range(ATTEMPTS):
            scope = self._scopes.read(held, filter)
            if scope.is_empty or limit < 1:
                return []
            found = self._near(vector, scope, limit)
            if self._catalogue.index_state == scope.state:
                break
        return found

    def _near(self, vector: Vector, scope: Scope, limit: int) -> list[Document]:
        return gather_living(
            lambda wanted: self._nearest_ids(vector, wanted, scope),
            lambda ids: self._living(ids, vector, scope),
            limit,
            self._catalogue.chunk_count(),
        )

    def _nearest_ids(self, vector: Vector, wanted: int, scope: Scope) -> list[str]:
        try:
            store = self._opened()
            hits = store.similarity_search_by_vector(vector.tolist(), k=wanted, **_filter_for(store, scope))
            return [_id_of(hit) for hit in hits]
        except (CatalogueError, ConfigError, MissingExtraError):  # not the store's fault, or one that stays
            raise
        except Exception as error:
            with self._lock:
                self._store = None  # it may be gone: a rebuild makes it anew
            raise SearchError("vector_store", error) from error

    def _living(self, ids: Sequence[str], vector: Vector, scope: Scope) -> list[Document]:
        with self._catalogue.reading() as connection:
            documents = chunk_documents(connection, ids, scope.access)
            vectors = vectors_of_chunks(connection, self._model_id, documents)
        scored: list[tuple[float, str, Document]] = []
        allowed = None if scope.sources is None else set(scope.sources)
        admits = scope.chunk_test()
        for vector_id, document in documents.items():
            # The store may have been asked for these notes only; one that didn't listen is not believed.
            if (allowed is None or document.metadata["source"] in allowed) and (admits is None or admits(document)):
                scored.append((cosine(vector, vectors.get(vector_id)), vector_id, document))
        scored.sort(key=lambda each: (-each[0], each[2].metadata["source"], each[1]))
        for score, _, document in scored:
            document.metadata["score"] = document.metadata["vector_score"] = score
        return [document for _, _, document in scored]

    def _opened(self) -> VectorStore:
        """Return the store as it was opened for the present state of the index."""
        state = self._catalogue.index_state
        with self._lock:
            if self._store is None or self._store[0] != state:
                store = self._open_store(CachedEmbeddings(self._embeddings, self._catalogue))
                if not is_persistent(store):
                    project(self._catalogue, store, self._model_id)
                self._store = (state, store)
            return self._store[1]

    def _checked(self, made: Any) -> Vector:
        """Return what a model made as a vector, if it is one, and one of this index."""
        vector = np.asarray(made, dtype=np.float32)
        if vector.ndim != 1 or not np.isfinite(vector).all():
            raise ServiceError(
                f"The embedding model {self._model_id!r} gave something else than a list of finite numbers."
            )
        known = self._catalogue.meta("dimensions")
        if known is not None and int(known) != len(vector):
            raise ServiceError(
                f"The index {self._catalogue.folder} holds vectors of {known} numbers, the embedding model "
                f"{self._model_id!r} now gives {len(vector)}. Go back to the former model, or rebuild the index with "
                "full=True (`obsirag rebuild`)."
            )
        return vector


def _id_of(hit: Any) -> str:
    if not isinstance(hit, Document) or not isinstance(hit.id, str):
        raise ServiceError("The vector store gave something else than documents with ids.")
    hit.id.encode()  # half a surrogate pair is no id, and SQLite takes none
    return hit.id


def _filter_for(store: VectorStore, scope: Scope) -> dict[str, Any]:
    """Return the scope as the search argument of a store."""
    bounds = scope.store_filter()
    if bounds is None:
        return {}
    if isinstance(store, InMemoryVectorStore):  # LangChain's own takes a function
        is_match = matcher(bounds)
        return {"filter": lambda document: is_match(document.metadata)}
    return {"filter": bounds}
