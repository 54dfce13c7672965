"""A vector store in this process's memory: exact, and filled from the catalogue whenever it is opened."""

# ruff: noqa: A002, ARG001, ARG002, ARG003 - the names and signatures are those of LangChain and of the hooks

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore
from numpy.typing import NDArray

from obsirag.config import ConfigModel
from obsirag.plugins.markers import hookimpl
from obsirag.retrievers import Filter, check_filter, matcher

__all__ = ["MemoryVectorStore", "vector_store"]


class MemoryOptions(ConfigModel):
    """What can be set for ``memory``: nothing so far."""


_MOST_FILTERS = 32


class _Entry(NamedTuple):
    text: str
    metadata: Mapping[str, Any]
    vector: NDArray[np.float32]


class _Matrix(NamedTuple):
    """All vectors, at length 1, row by row; and for rows of the same metadata, that metadata once."""

    ids: list[str]
    entries: list[_Entry]
    vectors: NDArray[np.float32]
    kinds: list[Mapping[str, Any]]
    kind_of: NDArray[np.intp]
    admitted: dict[str, NDArray[np.intp]]
    """The rows of filters that were asked before; most searches ask the same ones."""


class MemoryVectorStore(VectorStore):
    """Compares a query with every vector, by cosine. Safe to be used from several threads.

    Args:
        embedding: Embeds texts that come without vectors.
    """

    persistent = False

    def __init__(self, embedding: Embeddings) -> None:
        self._embedding = embedding
        self._entries: dict[str, _Entry] = {}
        self._matrix: _Matrix | None = None
        self._lock = threading.Lock()

    @property
    def embeddings(self) -> Embeddings:
        """The model that embeds texts that come without vectors."""
        return self._embedding

    def ids(self) -> list[str]:
        """Return all ids."""
        with self._lock:
            return list(self._entries)

    def add_vectors(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        metadatas: Sequence[Mapping[str, Any]],
    ) -> None:
        """Add texts whose vectors are known; one of the same id is replaced."""
        new = {
            each: _Entry(text, dict(metadata), np.asarray(vector, dtype=np.float32))
            for each, text, vector, metadata in zip(ids, texts, vectors, metadatas, strict=True)
        }
        with self._lock:
            self._entries |= new
            self._matrix = None

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """Embed and add texts; one of the same id is replaced."""
        listed = list(texts)
        names = [each or str(uuid.uuid4()) for each in ids or [""] * len(listed)]
        if listed:
            vectors = np.asarray(self._embedding.embed_documents(listed), dtype=np.float32)
            self.add_vectors(names, listed, vectors, metadatas or [{}] * len(listed))
        return names

    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> bool:
        """Delete ids; unknown ones are passed over, and no ids mean nothing, not everything."""
        with self._lock:
            for each in ids or ():
                self._entries.pop(each, None)
            self._matrix = None
        return True

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Return those of the documents that are here."""
        with self._lock:
            found = [(each, self._entries[each]) for each in ids if each in self._entries]
        return [_document(each, entry) for each, entry in found]

    def similarity_search(
        self, query: str, k: int = 4, *, filter: Filter | None = None, **kwargs: Any
    ) -> list[Document]:
        """Return the ``k`` documents nearest to a text."""
        return self.similarity_search_by_vector(self._embedding.embed_query(query), k, filter=filter)

    def similarity_search_by_vector(
        self, embedding: list[float], k: int = 4, *, filter: Filter | None = None, **kwargs: Any
    ) -> list[Document]:
        """Return the ``k`` documents nearest to a vector."""
        return [document for document, _ in self._search(embedding, k, filter)]

    def similarity_search_with_score(
        self, query: str, k: int = 4, *, filter: Filter | None = None, **kwargs: Any
    ) -> list[tuple[Document, float]]:
        """Return the ``k`` documents nearest to a text with their cosine: the higher, the nearer."""
        return self._search(self._embedding.embed_query(query), k, filter)

    @classmethod
    def from_texts(
        cls,
        texts: list[str],
        embedding: Embeddings,
        metadatas: list[dict[str, Any]] | None = None,
        *,
        ids: list[str] | None = None,
        **kwargs: Any,
    ) -> Self:
        """Make a store of texts."""
        store = cls(embedding)
        store.add_texts(texts, metadatas, ids=ids)
        return store

    def _search(self, embedding: Sequence[float], k: int, filter: Filter | None) -> list[tuple[Document, float]]:
        check_filter(filter)
        with self._lock:
            matrix = self._ready()
        if matrix is None or k < 1:
            return []
        rows = _admitted(matrix, filter)
        query = np.asarray(embedding, dtype=np.float64)
        vectors = matrix.vectors if len(rows) == len(matrix.ids) else matrix.vectors[rows]
        scores = vectors @ (query / (np.linalg.norm(query) or 1.0)).astype(np.float32)
        if k < len(scores):
            least = np.partition(scores, len(scores) - k)[len(scores) - k]
            best = np.flatnonzero(scores >= least)
            rows, scores = rows[best], scores[best]
        # Sorting by the row too makes the order of equal scores the same every time.
        order = np.lexsort((rows, -scores))[:k]
        return [
            (_document(matrix.ids[row], matrix.entries[row]), float(score))
            for row, score in zip(rows[order], scores[order], strict=True)
        ]

    def _ready(self) -> _Matrix | None:
        if self._matrix is None and self._entries:
            kinds: dict[str, int] = {}
            first: list[Mapping[str, Any]] = []
            kind_of: list[int] = []
            for entry in self._entries.values():
                key = json.dumps(entry.metadata, sort_keys=True, default=str)
                if key not in kinds:
                    kinds[key] = len(first)
                    first.append(entry.metadata)
                kind_of.append(kinds[key])
            vectors = np.stack([entry.vector for entry in self._entries.values()])
            # Squares may be beyond float32.
            lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64))
            lengths[lengths == 0] = 1.0
            np.divide(vectors, lengths[:, None], out=vectors, casting="same_kind")
            self._matrix = _Matrix(
                list(self._entries),
                list(self._entries.values()),
                vectors,
                first,
                np.asarray(kind_of, dtype=np.intp),
                {},
            )
        return self._matrix


def _admitted(matrix: _Matrix, filter: Filter | None) -> NDArray[np.intp]:
    """Return the rows that a filter admits."""
    if not filter:
        return np.arange(len(matrix.ids))
    key = repr(filter)
    rows = matrix.admitted.get(key)
    if rows is None:
        is_match = matcher(filter)
        kinds = np.fromiter((is_match(kind) for kind in matrix.kinds), dtype=bool, count=len(matrix.kinds))
        rows = np.flatnonzero(kinds[matrix.kind_of])
        if len(matrix.admitted) >= _MOST_FILTERS:
            matrix.admitted.clear()
        matrix.admitted[key] = rows
    return rows


def _document(name: str, entry: _Entry) -> Document:
    return Document(id=name, page_content=entry.text, metadata=dict(entry.metadata))


@hookimpl
def vector_store(options: dict[str, Any], embeddings: Embeddings, folder: Path) -> MemoryVectorStore:
    """Make an empty store; whoever opens it fills it from the catalogue."""
    MemoryOptions.parse(options, place="vector_store (memory)")
    return MemoryVectorStore(embeddings)
