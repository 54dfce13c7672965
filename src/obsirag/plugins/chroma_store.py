"""LangChain's Chroma store, with what an index asks of it beside."""

# ruff: noqa: A002 - the names are LangChain's

from __future__ import annotations

import secrets
import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import chromadb
import numpy as np
from chromadb.api import ClientAPI
from chromadb.api.collection_configuration import CreateCollectionConfiguration
from chromadb.config import Settings
from langchain_chroma import Chroma
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

__all__ = ["ChromaStore", "open_chroma", "to_where"]


class ChromaStore(Chroma):
    """A collection that can list its ids, takes vectors, and takes batches of any size."""

    persistent = True

    def ids(self) -> list[str]:
        """Return all ids."""
        return list(self._collection.get(include=[])["ids"])

    def add_vectors(
        self,
        ids: Sequence[str],
        texts: Sequence[str],
        vectors: NDArray[np.float32],
        metadatas: Sequence[Mapping[str, Any]],
    ) -> None:
        """Add texts whose vectors are known; one of the same id is replaced."""
        for start, end in self._steps(len(ids)):
            self._collection.upsert(
                ids=list(ids[start:end]),
                embeddings=vectors[start:end],
                documents=list(texts[start:end]),
                metadatas=[dict(metadata) for metadata in metadatas[start:end]],
            )

    def add_texts(
        self,
        texts: Iterable[str],
        metadatas: list[dict[str, Any]] | None = None,
        ids: list[str] | None = None,
        **kwargs: Any,
    ) -> list[str]:
        """Embed and add texts; one of the same id is replaced, its metadata too, which Chroma itself would merge."""
        listed = list(texts)
        if ids is not None:
            self.delete([each for each in ids if each is not None])
        added: list[str] = []
        for start, end in self._steps(len(listed)):
            some = ids[start:end] if ids is not None else None
            added += super().add_texts(listed[start:end], metadatas[start:end] if metadatas else None, some, **kwargs)
        return added

    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> None:
        """Delete ids; unknown ones are passed over, and no ids mean nothing, not everything."""
        for start, end in self._steps(len(ids or ())):
            super().delete(ids[start:end] if ids else None, **kwargs)

    def get_by_ids(self, ids: Sequence[str], /) -> list[Document]:
        """Return what is stored under ids; for none nothing, which Chroma takes for a mistake."""
        return super().get_by_ids(ids) if ids else []

    def reset(self) -> None:
        """Remove everything, the length of the vectors included."""
        self.reset_collection()

    def similarity_search_by_vector(
        self,
        embedding: list[float],
        k: int = 4,
        filter: Mapping[str, Any] | None = None,
        where_document: dict[str, str] | None = None,
        **kwargs: Any,
    ) -> list[Document]:
        """Return the ``k`` documents nearest to a vector."""
        where = to_where(filter)
        if where is NOTHING or k < 1:
            return []
        return super().similarity_search_by_vector(embedding, k, where, where_document, **kwargs)

    def _steps(self, count: int) -> list[tuple[int, int]]:
        size = self._client.get_max_batch_size()
        return [(start, min(count, start + size)) for start in range(0, count, size)]


NOTHING: dict[str, Any] = {"$nothing": True}
"""The condition that nothing meets; Chroma has no way to write it."""


def to_where(filter: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Return a filter in Chroma's own form: one field or operator in each mapping, and no empty lists.

    Returns:
        None if everything matches, ``NOTHING`` if nothing can.
    """
    parts = [part for name, condition in (filter or {}).items() for part in _conditions(name, condition)]
    return _joined("$and", parts)


def _conditions(name: str, condition: Any) -> list[dict[str, Any] | None]:
    if name in ("$and", "$or"):
        return [_joined(name, [to_where(part) for part in condition])]
    if not isinstance(condition, Mapping):
        return [{name: {"$eq": condition}}]
    parts: list[dict[str, Any] | None] = []
    for sign, wanted in condition.items():
        if sign in ("$in", "$nin"):
            values = list(wanted)
            parts.append({name: {sign: values}} if values else NOTHING if sign == "$in" else None)
        else:
            parts.append({name: {sign: wanted}})
    return parts


def _joined(sign: str, parts: Sequence[dict[str, Any] | None]) -> dict[str, Any] | None:
    """Join conditions; None stands for the one that everything meets."""
    decided, neutral = (NOTHING, None) if sign == "$and" else (None, NOTHING)
    if any(part is decided for part in parts):
        return decided
    kept = [part for part in parts if part is not neutral and part is not None]
    if not kept:
        return neutral
    return kept[0] if len(kept) == 1 else {sign: kept}


def open_chroma(folder: Path, collection: str, embeddings: Embeddings, hnsw: Mapping[str, int]) -> ChromaStore:
    """Open a collection anew, so that it shows what other processes have written.

    Args:
        folder: Chroma's folder.
        collection: The collection's name; it is made if it is missing.
        embeddings: Embeds texts that come without vectors.
        hnsw: Parameters of Chroma's HNSW index, beside the space, which is the cosine.
    """
    folder.mkdir(parents=True, exist_ok=True)
    client = chromadb.PersistentClient(path=_private(folder), settings=Settings(anonymized_telemetry=False))
    try:
        store = ChromaStore(
            collection,
            embedding_function=embeddings,
            client=client,
            collection_configuration=cast(CreateCollectionConfiguration, {"hnsw": {"space": "cosine", **hnsw}}),
        )
    except BaseException:
        _close(client)
        raise
    weakref.finalize(store, _close, client)
    return store


def _close(client: ClientAPI) -> None:
    close = getattr(client, "close", None)
    if callable(close):  # older versions of Chroma close nothing before the process ends
        close()


def _private(folder: Path) -> str:
    """Return a way to write a folder's path that no other client in this process uses.

    Chroma shares one open database among all clients with the same path, however they were made, and that one never
    sees what another process adds to its vectors. A path that says nothing else but looks different has its own.
    """
    bits = secrets.randbits(48)
    return str(folder) + "".join("/." if bits >> bit & 1 else "//" for bit in range(48))
