"""What became of each note, and when."""

from __future__ import annotations

import sqlite3
import time
from datetime import UTC, datetime
from typing import Literal, NamedTuple

from obsirag.catalogue.catalogue import read_meta, write_meta
from obsirag.catalogue.encoding import decode, encode
from obsirag.records import IndexReport

__all__ = ["LastRun", "NoteState", "last_run", "note_states", "remember_run", "unfinished_business"]

_COUNTED = ("added", "changed", "renamed", "unchanged", "deleted", "failed")


class NoteState(NamedTuple):
    """What became of a note.

    Args:
        path: Vault-relative POSIX path.
        state: ``indexed``; ``skipped`` if it holds nothing to search; ``failed`` if its last version could not be
            indexed: what the index held of it before may still be there.
        chunks: Number of its chunks in the index.
        when: When its version in the index was published or, for a failure, when it was last tried; None if nobody
            noted it.
        code: The code of the reason; empty for an indexed note.
        reason: Why it was skipped or failed.
    """

    path: str
    state: Literal["indexed", "skipped", "failed"]
    chunks: int
    when: datetime | None
    code: str = ""
    reason: str = ""


class LastRun(NamedTuple):
    """What the last run that came to its end did.

    Args:
        at: When it ended.
        counts: How many notes were added, changed and so on, by these words; and how many texts were ``embedded``.
    """

    at: datetime
    counts: dict[str, int]


def remember_run(connection: sqlite3.Connection, report: IndexReport) -> None:
    """Note what a run did, and which notes it could not index, in place of what was noted before."""
    now = int(time.time())
    counts = {name: len(getattr(report, name)) for name in _COUNTED} | {"embedded": report.embedded}
    write_meta(connection, "last_run", encode({"at": now, "counts": counts}))
    connection.execute("DELETE FROM failures")
    connection.executemany(
        "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?)",
        ((each.path, each.line, each.code, each.message, now) for each in report.failed),
    )


def last_run(connection: sqlite3.Connection) -> LastRun | None:
    """Return what the last run did that came to its end, None if none did."""
    noted = read_meta(connection, "last_run")
    if noted is None:
        return None
    values = decode(noted)
    return LastRun(datetime.fromtimestamp(values["at"], UTC), values["counts"])


def note_states(connection: sqlite3.Connection) -> list[NoteState]:
    """Return what became of each note, sorted by path."""
    states = {
        path: _state_of(path, chunks, at)
        for path, chunks, at in connection.execute(
            "SELECT path, (SELECT count(*) FROM chunks WHERE note_id = notes.id), indexed_at FROM notes"
        )
    }
    for path, code, message, at in connection.execute("SELECT path, code, message, failed_at FROM failures"):
        chunks = states[path].chunks if path in states else 0
        states[path] = NoteState(path, "failed", chunks, _time(at), code, message)
    return [states[path] for path in sorted(states)]


def unfinished_business(connection: sqlite3.Connection) -> dict[str, int]:
    """Return what a run that died has left to the next one, by kind, with its number; empty if nothing is left.

    ``stale_notes`` are to be looked at, as a change elsewhere may reach them; ``pending_vectors`` the store may hold in
    vain; an ``unfilled_store`` lacks the vectors of another model; ``staged_vectors`` were embedded for a rebuild.
    """
    counts = {
        "stale_notes": "SELECT count(*) FROM stale",
        "pending_vectors": "SELECT count(*) FROM pending_vectors",
        "unfilled_store": "SELECT count(*) FROM meta WHERE key = 'reset_store'",
        "staged_vectors": "SELECT count(*) FROM embeddings WHERE model GLOB 'staged:*'",
    }
    found = {kind: int(connection.execute(sql).fetchone()[0]) for kind, sql in counts.items()}
    return {kind: count for kind, count in found.items() if count}


def _state_of(path: str, chunks: int, at: int) -> NoteState:
    if chunks:
        return NoteState(path, "indexed", chunks, _time(at))
    return NoteState(path, "skipped", 0, _time(at), "no-text", "the note holds no text to search")


def _time(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds else None
