"""Notes as a caller may read them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from typing import NamedTuple

from langchain_core.documents import Document

from obsirag.catalogue.chunks import DOCUMENT_COLUMNS, to_document
from obsirag.catalogue.encoding import decode, encode

__all__ = ["NoteNames", "readable_chunks", "readable_notes"]


class NoteNames(NamedTuple):
    """What a note is called: its path, its title, and its other names."""

    path: str
    title: str
    aliases: tuple[str, ...]


def readable_notes(connection: sqlite3.Connection, access: Collection[str]) -> list[NoteNames]:
    """Return the notes that have a chunk with one of the ``access`` keys, by path; there is nothing else to read."""
    rows = connection.execute(
        "SELECT path, title, aliases FROM notes WHERE EXISTS (SELECT 1 FROM chunks WHERE note_id = notes.id"
        " AND +chunks.access IN (SELECT value FROM json_each(?))) ORDER BY path",
        (encode(sorted(access)),),
    )
    return [NoteNames(path, title, tuple(map(str, decode(aliases)))) for path, title, aliases in rows]


def readable_chunks(connection: sqlite3.Connection, path: str, access: Collection[str]) -> list[Document]:
    """Return the chunks of a note that have one of the ``access`` keys, in order."""
    rows = connection.execute(
        f"SELECT {DOCUMENT_COLUMNS} FROM chunks JOIN notes ON notes.id = chunks.note_id"  # noqa: S608 - own names only
        " WHERE notes.path = ? AND +chunks.access IN (SELECT value FROM json_each(?)) ORDER BY position",
        (path, encode(sorted(access))),
    )
    return [to_document(*row) for row in rows]
