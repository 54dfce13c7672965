"""Chunks and parents in the catalogue."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from langchain_core.documents import Document

from obsirag.catalogue.encoding import decode, encode
from obsirag.records import PUBLIC, Permissions
from obsirag.text.tokens import index_terms

__all__ = [
    "ChunkRecord",
    "ParentRecord",
    "access_keys_of",
    "chunk_documents",
    "chunk_fields",
    "delete_chunks",
    "insert_chunks",
    "living_texts",
    "names_of",
    "origins",
    "origins_of",
    "parent_documents",
    "to_document",
    "vector_ids_of",
]

DOCUMENT_COLUMNS = "chunks.chunk_id, chunks.content, notes.metadata, chunks.metadata"
"""The columns that ``to_document`` takes, of chunks joined with notes."""

# A plus before a column keeps SQLite from searching by it: few access keys stand for very many rows.


@dataclass(frozen=True, slots=True)
class ChunkRecord:
    """A chunk, ready to be stored.

    Args:
        vector_id: The id of its vector in the store; another content, path or access has another one.
        chunk_id: Its own id.
        content: Its text.
        metadata: All its metadata.
        content_hash: Hash of its text, by which its vector is cached.
        access: The access key of ``permissions``.
        permissions: Who may read it.
        parent_id: The larger section it belongs to.
    """

    vector_id: str
    chunk_id: str
    content: str
    metadata: Mapping[str, Any]
    content_hash: str
    access: str = ""
    permissions: Permissions = PUBLIC
    parent_id: str | None = None


@dataclass(frozen=True, slots=True)
class ParentRecord:
    """A larger section to which chunks belong."""

    parent_id: str
    content: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    access: str = ""
    permissions: Permissions = PUBLIC


def insert_chunks(
    connection: sqlite3.Connection,
    note_id: int,
    chunks: Sequence[ChunkRecord],
    parents: Sequence[ParentRecord],
    shared: Mapping[str, Any],
) -> None:
    """Store the chunks and parents of a note, and the chunks' terms for keyword search.

    Args:
        connection: A connection in a transaction.
        note_id: The note's number.
        chunks: Its chunks in order.
        parents: Its larger sections.
        shared: The metadata that all chunks share, stored with the note.
    """
    fields: set[str] = set()
    for position, chunk in enumerate(chunks):
        own = {name: value for name, value in chunk.metadata.items() if name not in shared}
        fields.update(own)
        cursor = connection.execute(
            "INSERT INTO chunks (vector_id, note_id, position, access, content_hash, chunk_id, parent_id, metadata,"
            " content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                chunk.vector_id,
                note_id,
                position,
                chunk.access,
                chunk.content_hash,
                chunk.chunk_id,
                chunk.parent_id,
                encode(own),
                chunk.content,
            ),
        )
        connection.execute(
            "INSERT INTO terms (rowid, title, headings, body) VALUES (?, ?, ?, ?)", (cursor.lastrowid, *_terms(chunk))
        )
    connection.executemany("INSERT OR IGNORE INTO chunk_fields VALUES (?)", ((name,) for name in fields))
    connection.executemany(
        "INSERT INTO parents (note_id, parent_id, content, metadata, access) VALUES (?, ?, ?, ?, ?)",
        ((note_id, each.parent_id, each.content, encode(each.metadata), each.access) for each in parents),
    )


def delete_chunks(connection: sqlite3.Connection, note_id: int) -> None:
    """Remove the chunks of a note; their vectors become pending."""
    rows = [row[0] for row in connection.execute("SELECT id FROM chunks WHERE note_id = ?", (note_id,))]
    connection.execute(
        "INSERT OR IGNORE INTO pending_vectors SELECT vector_id FROM chunks WHERE note_id = ?", (note_id,)
    )
    connection.executemany("DELETE FROM terms WHERE rowid = ?", ((row,) for row in rows))
    connection.execute("DELETE FROM chunks WHERE note_id = ?", (note_id,))


def chunk_fields(connection: sqlite3.Connection) -> set[str]:
    """Return the metadata fields that may differ between the chunks of a note."""
    return {row[0] for row in connection.execute("SELECT name FROM chunk_fields")}


def access_keys_of(connection: sqlite3.Connection, path: str) -> list[str]:
    """Return the access keys of a note's chunks in order."""
    rows = connection.execute(
        "SELECT chunks.access FROM chunks JOIN notes ON notes.id = note_id WHERE path = ? ORDER BY position", (path,)
    )
    return [row[0] for row in rows]


def origins(chunks: Iterable[tuple[str, Mapping[str, Any]]]) -> set[tuple[str, str]]:
    """Return whose text chunks hold, as pairs of a note's path and the access key under which it is held.

    Args:
        chunks: Access key and metadata of each.
    """
    return {
        (str(span).rpartition("#L")[0], access)
        for access, metadata in chunks
        for span in metadata.get("source_spans") or [f"{metadata.get('source')}#L"]
    }


def origins_of(connection: sqlite3.Connection, path: str) -> set[tuple[str, str]]:
    """Return the ``origins`` of a note's chunks."""
    rows = connection.execute(
        "SELECT chunks.access, notes.metadata, chunks.metadata FROM chunks JOIN notes ON notes.id = note_id"
        " WHERE path = ?",
        (path,),
    )
    return origins((access, {**decode(shared), **decode(own)}) for access, shared, own in rows)


def vector_ids_of(connection: sqlite3.Connection, path: str) -> list[str]:
    """Return the vector ids of a note's chunks in order."""
    rows = connection.execute(
        "SELECT vector_id FROM chunks JOIN notes ON notes.id = note_id WHERE path = ? ORDER BY position", (path,)
    )
    return [row[0] for row in rows]


def chunk_documents(
    connection: sqlite3.Connection, vector_ids: Iterable[str], access: Collection[str]
) -> dict[str, Document]:
    """Return the chunks of vectors, by vector id: those that are alive and have one of the ``access`` keys."""
    rows = connection.execute(
        f"SELECT chunks.vector_id, {DOCUMENT_COLUMNS} FROM chunks JOIN notes ON notes.id = chunks.note_id"  # noqa: S608 - own names only
        " WHERE chunks.vector_id IN (SELECT value FROM json_each(?))"
        " AND +chunks.access IN (SELECT value FROM json_each(?))",
        (encode(list(vector_ids)), encode(list(access))),
    )
    return {row[0]: to_document(*row[1:]) for row in rows}


def living_texts(connection: sqlite3.Connection, paths: Iterable[str]) -> set[tuple[str, str]]:
    """Return the ids and texts of the chunks that notes have now."""
    rows = connection.execute(
        "SELECT chunk_id, content FROM chunks JOIN notes ON notes.id = chunks.note_id"
        " WHERE notes.path IN (SELECT value FROM json_each(?))",
        (encode(sorted(set(paths))),),
    )
    return set(rows)


def parent_documents(
    connection: sqlite3.Connection, parent_ids: Iterable[str], access: Collection[str]
) -> dict[str, Document]:
    """Return larger sections by their id: those with one of the ``access`` keys."""
    rows = connection.execute(
        "SELECT parent_id, content, metadata FROM parents WHERE parent_id IN (SELECT value FROM json_each(?))"
        " AND +access IN (SELECT value FROM json_each(?))",
        (encode(list(parent_ids)), encode(list(access))),
    )
    return {row[0]: Document(id=row[0], page_content=row[1], metadata=decode(row[2])) for row in rows}


def to_document(chunk_id: str, content: str, note_metadata: str, chunk_metadata: str) -> Document:
    """Return a chunk as a document, from the columns ``DOCUMENT_COLUMNS``."""
    return Document(id=chunk_id, page_content=content, metadata={**decode(note_metadata), **decode(chunk_metadata)})


def names_of(metadata: Mapping[str, Any]) -> tuple[str, str]:
    """Return what a chunk's text goes by: the names of its note, and the headings above it, one a line."""
    file_name = PurePosixPath(str(metadata.get("source") or "")).stem
    # People ask for a note by any of its names.
    names = dict.fromkeys([str(metadata.get("title") or ""), file_name, *_texts(metadata, "aliases")])
    return "\n".join(names), "\n".join(_texts(metadata, "headings"))


def _terms(chunk: ChunkRecord) -> tuple[str, str, str]:
    """Return the terms of a chunk's columns: the note's names, headings, body."""
    title, over, body = (" ".join(index_terms(text)) for text in (*names_of(chunk.metadata), chunk.content))
    return title, over, body


def _texts(metadata: Mapping[str, Any], field: str) -> list[str]:
    """Return the texts of a field that holds one or several."""
    value = metadata.get(field) or ()
    return [value] if isinstance(value, str) else list(map(str, value))
