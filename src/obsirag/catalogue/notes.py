"""Notes in the catalogue: what is known of each, and the one place where a new version becomes visible."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from obsirag.catalogue.catalogue import next_index_version, remember_access
from obsirag.catalogue.chunks import ChunkRecord, ParentRecord, delete_chunks, insert_chunks
from obsirag.catalogue.encoding import decode, encode, shared_fields
from obsirag.records import PUBLIC, Link, Permissions, access_key

__all__ = [
    "FileState",
    "KnownFile",
    "KnownNote",
    "NoteRecord",
    "aliases_of",
    "dependents_of",
    "known_files",
    "known_notes",
    "links_of",
    "mark_stale",
    "note_metadata",
    "notes_naming",
    "publish",
    "set_file_state",
    "stale_notes",
]


class FileState(NamedTuple):
    """What tells, without reading a file, that it is as it was: size in bytes, times in nanoseconds, inode."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


KnownFile = tuple[str, int, int, int, int, str]
"""A note's file as it was when the note was made: path, size, mtime_ns, ctime_ns, inode, and the settings then. All of
them are read in each run, and the garbage collector lets plain tuples alone."""


class KnownNote(NamedTuple):
    """What the catalogue knows of a note's file and of how the note was made."""

    path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int
    file_hash: str
    render_hash: str
    settings: str

    @property
    def state(self) -> FileState:
        """The state of its file."""
        return FileState(self.size, self.mtime_ns, self.ctime_ns, self.inode)


@dataclass(frozen=True, slots=True)
class NoteRecord:
    """A version of a note, ready to be published.

    Args:
        path: Vault-relative POSIX path.
        state: Its file's state before it was read.
        file_hash: Hash of its file's bytes.
        render_hash: Hash of all that its chunks were made of, embeds included.
        settings: Name of the settings that it was made with.
        title: Its title.
        metadata: Its own metadata, used where it has no chunk.
        aliases: Its other names.
        permissions: Who may read the note itself.
        dependencies: Other notes whose content went into it, and targets of embeds that were not found.
        names: Names that its links and embeds use, as `indexing` normalises them.
        links: Its links and embeds.
        chunks: Its chunks in order.
        parents: Its larger sections.
    """

    path: str
    state: FileState
    file_hash: str
    render_hash: str
    settings: str
    title: str = ""
    metadata: Mapping[str, Any] = field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    permissions: Permissions = PUBLIC
    dependencies: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    links: tuple[Link, ...] = ()
    chunks: tuple[ChunkRecord, ...] = ()
    parents: tuple[ParentRecord, ...] = ()


def known_files(connection: sqlite3.Connection) -> dict[str, KnownFile]:
    """Return the file of every note as it was when the note was made, by path: all that an unchanged note needs."""
    rows = connection.execute("SELECT path, size, mtime_ns, ctime_ns, inode, settings FROM notes")
    return {row[0]: row for row in rows}


def known_notes(connection: sqlite3.Connection, paths: Iterable[str]) -> dict[str, KnownNote]:
    """Return what is known of notes, by path; those that the catalogue doesn't hold are missing."""
    rows = connection.execute(
        "SELECT path, size, mtime_ns, ctime_ns, inode, file_hash, render_hash, settings FROM notes"
        " WHERE path IN (SELECT value FROM json_each(?))",
        (encode(sorted(paths)),),
    )
    return {row[0]: KnownNote._make(row) for row in rows}


def note_metadata(connection: sqlite3.Connection) -> dict[str, dict[str, Any]]:
    """Return, by path, the metadata that all chunks of a note share."""
    return {path: decode(text) for path, text in connection.execute("SELECT path, metadata FROM notes")}


def aliases_of(connection: sqlite3.Connection, path: str) -> list[str]:
    """Return the aliases of a note as the catalogue knows them; none for a note that it doesn't know."""
    row = connection.execute("SELECT aliases FROM notes WHERE path = ?", (path,)).fetchone()
    return [] if row is None else list(decode(row[0]))


def links_of(connection: sqlite3.Connection, path: str) -> list[Link]:
    """Return a note's links and embeds in order."""
    rows = connection.execute(
        "SELECT links.target, subpath, alias, line, links.path, embed FROM links JOIN notes ON notes.id = note_id "
        "WHERE notes.path = ? ORDER BY position",
        (path,),
    )
    return [Link(target, subpath, alias, line, to, bool(embed)) for target, subpath, alias, line, to, embed in rows]


def dependents_of(connection: sqlite3.Connection, paths: Iterable[str]) -> set[str]:
    """Return the notes into whose text the content of any of ``paths`` went."""
    return _paths(connection, "dependencies", "target", paths)


def notes_naming(connection: sqlite3.Connection, names: Iterable[str]) -> set[str]:
    """Return the notes with a link or an embed that uses any of ``names``."""
    return _paths(connection, "names", "name", names)


def _paths(connection: sqlite3.Connection, table: str, column: str, values: Iterable[str]) -> set[str]:
    query = f"SELECT notes.path FROM {table} JOIN notes ON notes.id = note_id WHERE {column} = ?"  # noqa: S608 - own names only
    return {row[0] for value in values for row in connection.execute(query, (value,))}


def stale_notes(connection: sqlite3.Connection) -> set[str]:
    """Return the notes that are to be looked at although their own files may be as they were."""
    return {row[0] for row in connection.execute("SELECT path FROM stale")}


def mark_stale(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Remember notes that a change elsewhere may reach, so that a run that dies leaves a trace of them."""
    connection.executemany("INSERT OR IGNORE INTO stale VALUES (?)", ((path,) for path in paths))


def set_file_state(connection: sqlite3.Connection, path: str, state: FileState, file_hash: str) -> None:
    """Remember the state of a file whose note was looked at and needs no new version."""
    _settle(connection, path)
    connection.execute(
        "UPDATE notes SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, file_hash = ? WHERE path = ?",
        (*state, file_hash, path),
    )


def publish(connection: sqlite3.Connection, records: Sequence[NoteRecord], removed: Collection[str]) -> None:
    """Make new versions of notes visible and remove others, within the caller's transaction.

    Vector ids that are no longer used are added to the pending ones; those that now are used leave them.

    Args:
        connection: A connection in a transaction.
        records: The new versions; a note of the same path is replaced.
        removed: Paths of the notes to remove.
    """
    if not records and not removed:
        return
    version = next_index_version(connection)
    for path in [*removed, *(record.path for record in records)]:
        _remove(connection, path)
    for record in records:
        _insert(connection, record, version)
    connection.execute(
        "DELETE FROM pending_vectors WHERE EXISTS"
        " (SELECT 1 FROM chunks WHERE chunks.vector_id = pending_vectors.vector_id)"
    )
    connection.execute(
        "DELETE FROM access WHERE NOT EXISTS (SELECT 1 FROM chunks WHERE chunks.access = access.key)"
        " AND NOT EXISTS (SELECT 1 FROM parents WHERE parents.access = access.key)"
    )


def _settle(connection: sqlite3.Connection, path: str) -> None:
    """Forget what earlier runs left to do for a note, and that they failed: its version is the right one now."""
    connection.execute("DELETE FROM stale WHERE path = ?", (path,))
    connection.execute("DELETE FROM failures WHERE path = ?", (path,))


def _remove(connection: sqlite3.Connection, path: str) -> None:
    _settle(connection, path)
    row = connection.execute("SELECT id FROM notes WHERE path = ?", (path,)).fetchone()
    if row is None:
        return
    delete_chunks(connection, row[0])
    connection.execute("DELETE FROM notes WHERE id = ?", row)


def _insert(connection: sqlite3.Connection, record: NoteRecord, version: int) -> None:
    shared = shared_fields([chunk.metadata for chunk in record.chunks])
    cursor = connection.execute(
        "INSERT INTO notes (path, size, mtime_ns, ctime_ns, inode, file_hash, render_hash, settings, title, metadata,"
        " aliases, access, version, indexed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            record.path,
            *record.state,
            record.file_hash,
            record.render_hash,
            record.settings,
            record.title,
            encode(shared if record.chunks else record.metadata),
            encode(record.aliases),
            access_key(record.permissions),
            version,
            int(time.time()),
        ),
    )
    note_id = cursor.lastrowid
    assert note_id is not None  # noqa: S101 - an insert always has one
    connection.executemany(
        "INSERT INTO dependencies VALUES (?, ?)", ((note_id, target) for target in record.dependencies)
    )
    connection.executemany("INSERT INTO names VALUES (?, ?)", ((note_id, name) for name in record.names))
    connection.executemany(
        "INSERT INTO links (note_id, position, target, subpath, alias, line, path, embed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (note_id, position, link.target, link.subpath, link.alias, link.line, link.path, link.embed)
            for position, link in enumerate(record.links)
        ),
    )
    remember_access(connection, {(chunk.access, chunk.permissions) for chunk in record.chunks})
    remember_access(connection, {(parent.access, parent.permissions) for parent in record.parents})
    insert_chunks(connection, note_id, record.chunks, record.parents, shared)
