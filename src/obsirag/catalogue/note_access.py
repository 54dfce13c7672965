"""Which notes there are, and of which a caller may read something."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from obsirag.catalogue.encoding import encode

__all__ = ["known_paths", "readable_paths"]


def known_paths(connection: sqlite3.Connection, paths: Iterable[str]) -> set[str]:
    """Return those of ``paths`` that are notes of the index."""
    rows = connection.execute(
        "SELECT path FROM notes WHERE path IN (SELECT value FROM json_each(?))", (encode(sorted(paths)),)
    )
    return {row[0] for row in rows}


def readable_paths(connection: sqlite3.Connection, paths: Iterable[str], access: Iterable[str]) -> set[str]:
    """Return those of ``paths`` that are notes with text under one of the access keys.

    Args:
        connection: A connection.
        paths: Paths of notes.
        access: What the caller may read.
    """
    rows = connection.execute(
        "SELECT DISTINCT notes.path FROM notes JOIN chunks ON chunks.note_id = notes.id"
        " WHERE notes.path IN (SELECT value FROM json_each(?)) AND chunks.access IN (SELECT value FROM json_each(?))",
        (encode(sorted(paths)), encode(sorted(access))),
    )
    return {row[0] for row in rows}
