"""Milvus as a vector store."""

# ruff: noqa: A002, ARG002, ARG003 - the names and signatures are LangChain's

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore
from numpy.typing import NDArray
from pymilvus import CollectionSchema, DataType, MilvusClient
from pymilvus.milvus_client.index import IndexParams

from obsirag.errors import ServiceError
from obsirag.plugins.milvus_collection import MilvusCollection, base_schema, fitted
from obsirag.plugins.milvus_connection import MilvusConnection
from obsirag.plugins.milvus_expressions import COLUMNS, NOTHING, to_expression
from obsirag.plugins.milvus_options import MilvusOptions

__all__ = ["MilvusStore"]

_M, _EF_CONSTRUCTION, _EF = 16, 100, 64


class MilvusStore(VectorStore):
    """A collection of vectors, compared by cosine. Safe to be used from several threads.

    Args:
        connection: The way to Milvus.
        options: The collection's name and the parameters of its index.
        embedding: Embeds texts that come without vectors.
    """

    persistent = True

    def __init__(self, connection: MilvusConnection, options: MilvusOptions, embedding: Embeddings) -> None:
        self._collection = MilvusCollection(connection, options.collection, options.timeout, "vector")
        self._options = options
        self._embedding = embedding

    @property
    def embeddings(self) -> Embeddings:
        """The model that embeds texts that come without vectors."""
        return self._embedding

    def ids(self) -> list[str]:
        """Return all ids."""
        return self._collection.ids()

    def add_vectors(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        metadatas: Sequence[Mapping[str, Any]],
    ) -> None:
        """Add texts whose vectors are known; one of the same id is replaced."""
        if not len(ids):
            return
        matrix = np.asarray(vectors, dtype=np.float32)
        self._check_length(matrix.shape[1])
        rows = [
            {
                "id": fitted(each),
                "vector": vector,
                "text": fitted(text),
                "metadata": _plain(metadata),
                **{name: _column(metadata, name) for name in COLUMNS},
            }
            for each, text, vector, metadata in zip(ids, texts, matrix, metadatas, strict=True)
        ]
        self._collection.upsert(rows, lambda: self._plan(matrix.shape[1]))

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
        self._collection.delete(ids or ())
        return True

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Return those of the documents that are here."""
        return [_document(row) for row in self._collection.get(ids, ["text", "metadata"])]

    def reset(self) -> None:
        """Remove everything, the length of the vectors included."""
        self._collection.reset()

    def release(self) -> None:
        """Write down what is held in memory, and let other processes have the files."""
        self._collection.release()

    def similarity_search(
        self, query: str, k: int = 4, *, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """Return the ``k`` documents nearest to a text."""
        return self.similarity_search_by_vector(self._embedding.embed_query(query), k, filter=filter)

    def similarity_search_by_vector(
        self, embedding: list[float], k: int = 4, *, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """Return the ``k`` documents nearest to a vector."""
        return [document for document, _ in self._search(embedding, k, filter)]

    def similarity_search_with_score(
        self, query: str, k: int = 4, *, filter: Mapping[str, Any] | None = None, **kwargs: Any
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
        connection: MilvusConnection | None = None,
        options: MilvusOptions | None = None,
        **kwargs: Any,
    ) -> Self:
        """Make a store of texts, over a connection."""
        if connection is None or options is None:
            raise TypeError("MilvusStore.from_texts needs a connection and options")
        store = cls(connection, options, embedding)
        store.add_texts(texts, metadatas, ids=ids)
        return store

    def _search(
        self, embedding: Sequence[float], k: int, filter: Mapping[str, Any] | None
    ) -> list[tuple[Document, float]]:
        expression = to_expression(filter)
        if expression == NOTHING or k < 1:
            return []
        self._check_length(len(embedding))
        query = np.asarray(embedding, dtype=np.float32)
        # No search looks at fewer candidates than it is to find.
        params = {"metric_type": "COSINE", "params": {"ef": max(k, self._options.ef or _EF)}}
        hits = self._collection.search(query, k, expression, params, ["text", "metadata"])
        return [(_document(hit["entity"]), float(hit["distance"])) for hit in hits]

    def _check_length(self, length: int) -> None:
        with self._collection.opened() as known:
            held = known[1] if known is not None else length
        if held != length:
            raise ServiceError(
                f"The collection {self._collection.name!r} of {self._collection.connection.name} holds vectors of "
                f"{held} numbers, and these have {length}. Rebuild the index (`obsirag rebuild`), go back to the "
                "former embedding model, or choose another `collection`."
            )

    def _plan(self, length: int) -> tuple[CollectionSchema, IndexParams]:
        schema = base_schema()
        schema.add_field("vector", DataType.FLOAT_VECTOR, dim=length)
        schema.add_field("text", DataType.VARCHAR, max_length=65_535)
        schema.add_field("metadata", DataType.JSON)
        index = MilvusClient.prepare_index_params()
        hnsw = {"M": self._options.m or _M, "efConstruction": self._options.ef_construction or _EF_CONSTRUCTION}
        index.add_index("vector", index_type="HNSW", metric_type="COSINE", params=hnsw)
        return schema, index


def _plain(metadata: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps(dict(metadata), ensure_ascii=False, default=str).encode("utf-8", "replace"))


def _column(metadata: Mapping[str, Any], name: str) -> str:
    value = metadata.get(name)
    return fitted(value) if isinstance(value, str) else ""


def _document(row: Mapping[str, Any]) -> Document:
    return Document(id=str(row["id"]), page_content=str(row["text"]), metadata=dict(row["metadata"]))
