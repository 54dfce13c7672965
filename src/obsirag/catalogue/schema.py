"""The tables of the catalogue, and how an older file becomes a current one."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from obsirag.catalogue.connections import roll_back
from obsirag.errors import CatalogueError

__all__ = ["MIGRATIONS", "SCHEMA_VERSION", "migrate", "schema_version"]

# The index terms come in ready, joined by blanks, so the tokenizer must split at blanks only. "ascii" takes every
# character beyond ASCII as part of a token; the marks of ASCII are named here. The two kinds of quotes are left out: a
# term with one becomes several tokens, in the index and in a query alike.
_TERM_MARKS = "!#$%&()*+,-./:;<=>?@[\\]^_`{|}~"

_FIRST = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    file_hash TEXT NOT NULL,
    render_hash TEXT NOT NULL,
    settings TEXT NOT NULL,
    title TEXT NOT NULL,
    metadata TEXT NOT NULL,
    aliases TEXT NOT NULL,
    access TEXT NOT NULL,
    version INTEGER NOT NULL
);

CREATE TABLE dependencies (
    note_id INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    target TEXT NOT NULL,
    PRIMARY KEY (note_id, target)
) WITHOUT ROWID;
CREATE INDEX dependencies_by_target ON dependencies (target);

CREATE TABLE names (
    note_id INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (note_id, name)
) WITHOUT ROWID;
CREATE INDEX names_by_name ON names (name);

-- Notes that a change elsewhere may reach, from the moment the change is seen until they have been looked at.
CREATE TABLE stale (path TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE links (
    note_id INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    target TEXT NOT NULL,
    subpath TEXT NOT NULL,
    alias TEXT,
    line INTEGER NOT NULL,
    path TEXT,
    embed INTEGER NOT NULL,
    PRIMARY KEY (note_id, position)
) WITHOUT ROWID;
CREATE INDEX links_by_path ON links (path);

CREATE TABLE access (key TEXT PRIMARY KEY, permissions TEXT NOT NULL) WITHOUT ROWID;

-- What is looked at for each hit stands before the long texts: SQLite would have to walk through those to reach it.
CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    vector_id TEXT NOT NULL UNIQUE,
    note_id INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    access TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    chunk_id TEXT NOT NULL,
    parent_id TEXT,
    metadata TEXT NOT NULL,
    content TEXT NOT NULL,
    UNIQUE (note_id, position)
);
CREATE INDEX chunks_by_chunk_id ON chunks (chunk_id);
CREATE INDEX chunks_by_content ON chunks (content_hash);
CREATE INDEX chunks_by_access ON chunks (access);

CREATE TABLE chunk_fields (name TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE parents (
    note_id INTEGER NOT NULL REFERENCES notes (id) ON DELETE CASCADE,
    parent_id TEXT NOT NULL,
    content TEXT NOT NULL,
    metadata TEXT NOT NULL,
    access TEXT NOT NULL,
    PRIMARY KEY (note_id, parent_id)
);
CREATE INDEX parents_by_id ON parents (parent_id);
CREATE INDEX parents_by_access ON parents (access);

CREATE TABLE embeddings (
    model TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model, content_hash)
);

CREATE TABLE pending_vectors (vector_id TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE VIRTUAL TABLE terms USING fts5 (title, headings, body, tokenize = "ascii tokenchars '{_TERM_MARKS}'");
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (terms, row);
"""

_LEDGER = """
-- Seconds since 1970 at which this version of the note was published; 0 where nobody noted it.
ALTER TABLE notes ADD COLUMN indexed_at INTEGER NOT NULL DEFAULT 0;

-- Why the last run could not index notes; the index may hold older versions of them.
CREATE TABLE failures (
    path TEXT PRIMARY KEY,
    line INTEGER NOT NULL,
    code TEXT NOT NULL,
    message TEXT NOT NULL,
    failed_at INTEGER NOT NULL
) WITHOUT ROWID;
"""

MIGRATIONS: tuple[str, ...] = (_FIRST, _LEDGER)
"""Scripts in order: the one at index n brings a file of schema version n to version n + 1. Never change one that has
been released; add another."""

SCHEMA_VERSION = len(MIGRATIONS)


def migrate(connection: sqlite3.Connection, file: Path) -> None:
    """Bring a file to the current schema, in one transaction.

    Args:
        connection: A connection in autocommit mode.
        file: Its file, for messages.

    Raises:
        CatalogueError: If a newer obsirag made the file.
    """
    if schema_version(connection, file) == SCHEMA_VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have migrated it while this one waited for the lock.
        for script in MIGRATIONS[schema_version(connection, file) :]:
            for statement in _statements(script):
                connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        roll_back(connection)
        raise


def schema_version(connection: sqlite3.Connection, file: Path) -> int:
    """Return the schema version of a file, 0 if it has no tables yet.

    Raises:
        CatalogueError: If a newer obsirag made the file.
    """
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA_VERSION:
        raise CatalogueError(
            f"{file} has schema version {version}, this obsirag knows versions up to {SCHEMA_VERSION}: a newer obsirag "
            "made it. Upgrade obsirag, or remove the index folder and index again."
        )
    return version


def _statements(script: str) -> list[str]:
    """Split a script at its semicolons; ``executescript`` would commit the transaction around it."""
    statements: list[str] = []
    begun = ""
    for piece in script.split(";"):
        begun += piece + ";"
        if sqlite3.complete_statement(begun):
            statements.append(begun)
            begun = ""
    return statements
