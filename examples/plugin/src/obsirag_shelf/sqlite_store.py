"""The plugin ``sqlite``: vectors in one SQLite file, compared one by one."""

# ruff: noqa: A002, ARG002 - the names and signatures are LangChain's

from __future__ import annotations

import json
import sqlite3
import uuid
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore
from pydantic import Field

from obsirag import hookimpl
from obsirag.config import ConfigModel
from obsirag.retrievers import matcher

__all__ = ["API_VERSION", "SqliteStore", "vector_store"]

API_VERSION = 1

_TABLE = "CREATE TABLE IF NOT EXISTS vectors (id TEXT PRIMARY KEY, text TEXT, metadata TEXT, vector BLOB)"


class SqliteOptions(ConfigModel):
    """What can be set for ``sqlite``."""

    file: str = Field(
        default="shelf.sqlite", pattern=r"^\w[\w.-]*$", description="The file's name in the index's folder."
    )


@hookimpl
def vector_store(options: dict[str, Any], embeddings: Embeddings, folder: Path) -> SqliteStore:
    """Open the file of an index."""
    checked = SqliteOptions.parse(options, place="vector_store (sqlite)")
    return SqliteStore(folder / checked.file, embeddings)


class SqliteStore(VectorStore):
    """Vectors in a file; each call opens it anew, so that any thread and any process may use it.

    Args:
        file: The file; made if missing.
        embedding: Makes vectors of texts.
    """

    persistent = True

    def __init__(self, file: Path, embedding: Embeddings) -> None:
        self._file = file
        self._embedding = embedding
        with self._open() as connection:
            connection.execute(_TABLE)

    def ids(self) -> list[str]:
        """Return all ids."""
        with self._open() as connection:
            return [name for (name,) in connection.execute("SELECT id FROM vectors")]

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
        names = list(ids) if ids else [str(uuid.uuid4()) for _ in listed]
        vectors = [np.asarray(each, dtype=np.float32).tobytes() for each in self._embedding.embed_documents(listed)]
        notes = [json.dumps(each, ensure_ascii=False) for each in metadatas or [{}] * len(listed)]
        with self._open() as connection:
            rows = zip(names, listed, notes, vectors, strict=True)
            connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)
        return names

    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> bool:
        """Delete ids; no ids mean nothing, not everything."""
        with self._open() as connection:
            connection.executemany("DELETE FROM vectors WHERE id = ?", [(each,) for each in ids or ()])
        return True

    def similarity_search(
        self, query: str, k: int = 4, *, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """Return the ``k`` documents nearest to a text."""
        return self.similarity_search_by_vector(self._embedding.embed_query(query), k, filter=filter)

    def similarity_search_by_vector(
        self, embedding: list[float], k: int = 4, *, filter: Mapping[str, Any] | None = None, **kwargs: Any
    ) -> list[Document]:
        """Return the ``k`` documents nearest to a vector, among those that the filter admits."""
        admits = matcher(filter) if filter else (lambda _: True)
        with self._open() as connection:
            rows = connection.execute("SELECT id, text, metadata, vector FROM vectors ORDER BY id").fetchall()
        # First who may be found, then who is found: a filter afterwards would leave fewer than k.
        admitted = [(*row, metadata) for row in rows if admits(metadata := json.loads(row[2]))]
        if not admitted or k < 1:
            return []
        vectors = np.stack([np.frombuffer(row[3], dtype=np.float32) for row in admitted])
        scores = _cosines(vectors, np.asarray(embedding, dtype=np.float32))
        best = np.argsort(-scores, kind="stable")[:k]
        return [Document(admitted[at][1], id=admitted[at][0], metadata=admitted[at][4]) for at in best]

    @classmethod
    def from_texts(
        cls, texts: list[str], embedding: Embeddings, metadatas: list[dict[str, Any]] | None = None, **kwargs: Any
    ) -> Self:
        """Make a store of texts, in the file that ``file`` names."""
        store = cls(Path(kwargs.pop("file", "shelf.sqlite")), embedding)
        store.add_texts(texts, metadatas, **kwargs)
        return store

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        connection = sqlite3.connect(self._file, timeout=30)
        try:
            with connection:  # commits, or rolls back
                yield connection
        finally:
            connection.close()


def _cosines(vectors: np.ndarray, query: np.ndarray) -> np.ndarray:
    lengths = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
    cosines: np.ndarray = (vectors @ query) / np.where(lengths == 0, 1, lengths)
    return cosines
