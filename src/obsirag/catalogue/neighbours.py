"""Which notes a note links to, and which link to it."""

from __future__ import annotations

import sqlite3

__all__ = ["neighbours_of"]


def neighbours_of(connection: sqlite3.Connection, path: str, *, limit: int) -> list[str]:
    """Return the files that a note links to, in order, then the notes that link to it, by path; each once.

    Embeds don't count: embedded text is found in the note that embeds it.

    Args:
        connection: A connection.
        path: The note's path.
        limit: How many to return of either kind.
    """
    linked = connection.execute(
        "SELECT links.path FROM links JOIN notes ON notes.id = note_id"
        " WHERE notes.path = ? AND links.path IS NOT NULL AND links.path != notes.path AND NOT embed"
        " GROUP BY links.path ORDER BY min(position) LIMIT ?",
        (path, limit),
    )
    linking = connection.execute(
        "SELECT DISTINCT notes.path FROM links JOIN notes ON notes.id = note_id"
        " WHERE links.path = ? AND notes.path != links.path AND NOT embed ORDER BY notes.path LIMIT ?",
        (path, limit),
    )
    return list(dict.fromkeys([*(row[0] for row in linked), *(row[0] for row in linking)]))
