"""An embedding model behind a cache on disk, so that comparing pipelines embeds every text once, ever."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

import numpy as np
from langchain_core.embeddings import Embeddings

__all__ = ["CachedEmbeddings", "default_cache_folder"]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL, role TEXT NOT NULL, digest BLOB NOT NULL, vector BLOB NOT NULL,
    PRIMARY KEY (model, role, digest)
) WITHOUT ROWID
"""


def default_cache_folder() -> Path:
    """Return the user's cache folder for vectors."""
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(home) if home else Path.home() / ".cache") / "obsirag" / "benchmarks"


class CachedEmbeddings(Embeddings):
    """Embeddings that ask ``inner`` only for texts that no earlier run has seen.

    What is known is found by model, role (a query's vector is not a passage's) and the text's sha256. Vectors are
    written batch by batch: a run that is stopped loses one batch at most, and several processes may share a cache.

    Args:
        inner: The model. Its attributes that describe it (``input_limit`` …) are this object's as well.
        model_id: The name under which its vectors are kept.
        folder: Where the cache file is kept; made if missing.
        batch_size: Number of texts embedded, then written, at a time.
        progress: Called with (done, all) of the texts to be embedded, where these are more than one batch.
    """

    def __init__(
        self,
        inner: Embeddings,
        *,
        model_id: str,
        folder: Path,
        batch_size: int = 16,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self.model_id = model_id
        self._path = folder / "vectors.sqlite"
        self._batch_size = batch_size
        self._progress = progress
        with self._connect() as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.execute(_SCHEMA)

    def __getattr__(self, name: str) -> object:
        # Only what describes the model goes through: its limits and thresholds belong to it, cached or not.
        if name in {"input_limit", "input_length", "duplicate_threshold"}:
            return getattr(self._inner, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return the vectors of passages."""
        return self._embed("passage", texts, self._inner.embed_documents)

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query."""
        return self._embed("query", [text], lambda texts: [self._inner.embed_query(each) for each in texts])[0]

    def _embed(
        self, role: str, texts: Sequence[str], embed: Callable[[list[str]], list[list[float]]]
    ) -> list[list[float]]:
        digests = [sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        known = self._read(role, set(digests))
        missing = [*{digest: text for digest, text in zip(digests, texts, strict=True) if digest not in known}.items()]
        for start in range(0, len(missing), self._batch_size):
            batch = missing[start : start + self._batch_size]
            vectors = embed([text for _, text in batch])
            fresh = {
                digest: np.asarray(vector, dtype=np.float32).tobytes()
                for (digest, _), vector in zip(batch, vectors, strict=True)
            }
            self._write(role, fresh)
            known |= fresh
            if self._progress and len(missing) > self._batch_size:  # a query or two is not worth a word
                self._progress(min(start + self._batch_size, len(missing)), len(missing))
        return [np.frombuffer(known[digest], dtype=np.float32).tolist() for digest in digests]

    def _read(self, role: str, digests: set[bytes]) -> dict[bytes, bytes]:
        query = "SELECT vector FROM vectors WHERE model = ? AND role = ? AND digest = ?"
        with self._connect() as database:
            rows = ((digest, database.execute(query, (self.model_id, role, digest)).fetchone()) for digest in digests)
            return {digest: row[0] for digest, row in rows if row is not None}

    def _write(self, role: str, vectors: dict[bytes, bytes]) -> None:
        rows = [(self.model_id, role, digest, vector) for digest, vector in vectors.items()]
        with self._connect() as database:
            database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)", rows)

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        # A connection a call: a retriever may ask from any thread.
        with closing(sqlite3.connect(self._path, timeout=60)) as database, database:
            yield database
