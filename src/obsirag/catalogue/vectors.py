"""The vectors of contents, cached by embedding model and content, and what the stores are to hold, or may in vain."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from obsirag.catalogue.chunks import names_of
from obsirag.catalogue.encoding import decode, encode

__all__ = [
    "LiveText",
    "LiveVector",
    "Vector",
    "add_pending",
    "cached_hashes",
    "cached_vectors",
    "disown_missing_vectors",
    "drop_pending",
    "drop_unused_vectors",
    "live_texts",
    "live_vector_ids",
    "live_vectors",
    "pending_vector_ids",
    "probe_vector_ids",
    "remember_vectors",
    "staged_name",
    "take_over_staged",
    "vectors_of_chunks",
]

Vector = NDArray[np.float32]

_DISOWNED = "none:"
"""Before the vector id of a chunk that waits for its vector."""


class LiveVector(NamedTuple):
    """A vector as the store is to hold it.

    Args:
        vector_id: Its id in the store.
        content: The text that it stands for.
        vector: Its numbers.
        access: The access key of the chunk.
        source: The chunk's note.
    """

    vector_id: str
    content: str
    vector: Vector
    access: str
    source: str


class LiveText(NamedTuple):
    """A text as a keyword index is to hold it.

    Args:
        vector_id: Its id there, which is that of its vector.
        text: The names of the note, the headings above the chunk, and its text.
        access: The access key of the chunk.
        source: The chunk's note.
    """

    vector_id: str
    text: str
    access: str
    source: str

    @classmethod
    def of_chunk(cls, vector_id: str, content: str, metadata: Mapping[str, Any], access: str, source: str) -> Self:
        """Return the text of a chunk with that metadata."""
        return cls(vector_id, "\n".join([*names_of(metadata), content]), access, source)


def remember_vectors(connection: sqlite3.Connection, model: str, vectors: Mapping[str, Vector]) -> None:
    """Cache vectors by content hash."""
    connection.executemany(
        "INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?)",
        ((model, content_hash, vector.astype("<f4").tobytes()) for content_hash, vector in vectors.items()),
    )


def cached_vectors(connection: sqlite3.Connection, model: str, content_hashes: Iterable[str]) -> dict[str, Vector]:
    """Return the cached vectors of contents, by content hash; what was never embedded is missing."""
    rows = connection.execute(
        "SELECT content_hash, vector FROM embeddings"
        " WHERE model = ? AND content_hash IN (SELECT value FROM json_each(?))",
        (model, encode(sorted(set(content_hashes)))),
    )
    return {content_hash: _vector(blob) for content_hash, blob in rows}


def cached_hashes(connection: sqlite3.Connection, model: str, content_hashes: Iterable[str]) -> set[str]:
    """Return those of the content hashes whose vectors are cached."""
    rows = connection.execute(
        "SELECT content_hash FROM embeddings WHERE model = ? AND content_hash IN (SELECT value FROM json_each(?))",
        (model, encode(sorted(set(content_hashes)))),
    )
    return {row[0] for row in rows}


def vectors_of_chunks(connection: sqlite3.Connection, model: str, vector_ids: Iterable[str]) -> dict[str, Vector]:
    """Return the cached vectors of living chunks, by vector id."""
    rows = connection.execute(
        # CROSS keeps SQLite from starting with all embeddings of the model.
        "SELECT chunks.vector_id, embeddings.vector FROM chunks CROSS JOIN embeddings"
        " ON embeddings.content_hash = chunks.content_hash AND embeddings.model = ?"
        " WHERE chunks.vector_id IN (SELECT value FROM json_each(?))",
        (model, encode(list(vector_ids))),
    )
    return {vector_id: _vector(blob) for vector_id, blob in rows}


def live_vector_ids(connection: sqlite3.Connection, among: Collection[str] | None = None) -> set[str]:
    """Return the ids of the vectors of all chunks, or those of them that are ``among`` the given ones."""
    if among is None:
        return {row[0] for row in connection.execute("SELECT vector_id FROM chunks")}
    rows = connection.execute(
        "SELECT vector_id FROM chunks WHERE vector_id IN (SELECT value FROM json_each(?))", (encode(list(among)),)
    )
    return {row[0] for row in rows}


def probe_vector_ids(connection: sqlite3.Connection) -> set[str]:
    """Return the ids of the oldest and the newest chunk's vectors, of those that the store is to hold."""
    return {
        row[0]
        for order in ("ASC", "DESC")
        for row in connection.execute(
            f"SELECT vector_id FROM chunks WHERE vector_id NOT GLOB '{_DISOWNED}*' ORDER BY id {order} LIMIT 1"  # noqa: S608 - own text only
        )
    }


def live_vectors(connection: sqlite3.Connection, model: str, vector_ids: Collection[str]) -> Iterator[LiveVector]:
    """Yield the given vectors of living chunks that are cached."""
    rows = connection.execute(
        "SELECT chunks.vector_id, chunks.content, embeddings.vector, chunks.access, notes.path"
        " FROM chunks CROSS JOIN notes ON notes.id = chunks.note_id"
        " CROSS JOIN embeddings ON embeddings.content_hash = chunks.content_hash AND embeddings.model = ?"
        " WHERE chunks.vector_id IN (SELECT value FROM json_each(?)) ORDER BY chunks.id",
        (model, encode(list(vector_ids))),
    )
    for vector_id, content, blob, access, source in rows:
        yield LiveVector(vector_id, content, _vector(blob), access, source)


def live_texts(connection: sqlite3.Connection, vector_ids: Collection[str]) -> Iterator[LiveText]:
    """Yield the texts of living chunks as a keyword index is to hold them."""
    rows = connection.execute(
        "SELECT chunks.vector_id, chunks.content, notes.metadata, chunks.metadata, chunks.access, notes.path"
        " FROM chunks JOIN notes ON notes.id = chunks.note_id"
        " WHERE chunks.vector_id IN (SELECT value FROM json_each(?)) ORDER BY chunks.id",
        (encode(list(vector_ids)),),
    )
    for vector_id, content, shared, own, access, source in rows:
        yield LiveText.of_chunk(vector_id, content, {**decode(shared), **decode(own)}, access, source)


def drop_unused_vectors(connection: sqlite3.Connection, model: str) -> None:
    """Remove from the cache what another model made and what no chunk holds any longer."""
    connection.execute(
        "DELETE FROM embeddings WHERE model != ?"
        " OR NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.content_hash = embeddings.content_hash)",
        (model,),
    )


def staged_name(model: str) -> str:
    """Return the name under which a model's vectors wait until they take the place of those in use."""
    return f"staged:{model}"


def take_over_staged(connection: sqlite3.Connection, model: str) -> int | None:
    """Let the vectors that wait under a model's name take the place of all that are in use.

    Returns:
        The length of the vectors, None if none waited.
    """
    connection.execute("DELETE FROM embeddings WHERE model != ?", (staged_name(model),))
    connection.execute("UPDATE embeddings SET model = ?", (model,))
    row = connection.execute("SELECT length(vector) FROM embeddings LIMIT 1").fetchone()
    return None if row is None else int(row[0]) // 4


def disown_missing_vectors(connection: sqlite3.Connection, model: str) -> None:
    """Let chunks whose contents have no cached vector wait for one, and have the next run make their notes anew.

    They keep no claim to an id in the store, so that the run writes them there as it does with new ones.
    """
    lacking = "NOT EXISTS (SELECT 1 FROM embeddings WHERE model = ? AND embeddings.content_hash = chunks.content_hash)"
    connection.execute(
        f"UPDATE notes SET settings = '' WHERE id IN (SELECT note_id FROM chunks WHERE {lacking})",  # noqa: S608 - own text only
        (model,),
    )
    connection.execute(
        f"INSERT OR IGNORE INTO pending_vectors SELECT vector_id FROM chunks WHERE {lacking}",  # noqa: S608 - own text only
        (model,),
    )
    connection.execute(f"UPDATE chunks SET vector_id = '{_DISOWNED}' || vector_id WHERE {lacking}", (model,))  # noqa: S608 - own text only


def pending_vector_ids(connection: sqlite3.Connection) -> list[str]:
    """Return the ids that the store may hold although no chunk needs them."""
    return [row[0] for row in connection.execute("SELECT vector_id FROM pending_vectors ORDER BY vector_id")]


def add_pending(connection: sqlite3.Connection, vector_ids: Iterable[str]) -> None:
    """Remember ids that are about to be written, so that a run that dies leaves a trace of them."""
    connection.executemany("INSERT OR IGNORE INTO pending_vectors VALUES (?)", ((each,) for each in vector_ids))


def drop_pending(connection: sqlite3.Connection, vector_ids: Iterable[str]) -> None:
    """Forget ids that the store no longer holds."""
    connection.executemany("DELETE FROM pending_vectors WHERE vector_id = ?", ((each,) for each in vector_ids))


def _vector(blob: bytes) -> Vector:
    return np.frombuffer(blob, dtype="<f4")
