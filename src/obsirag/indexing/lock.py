"""One indexer at a time."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from obsirag.catalogue import uri_of
from obsirag.errors import CatalogueError

__all__ = ["LOCK_NAME", "is_being_written", "writer_lock"]

LOCK_NAME = "writer.lock"


@contextmanager
def writer_lock(folder: Path, wait: float) -> Iterator[None]:
    """Hold the right to write to an index.

    The lock is SQLite's own on an empty file: it works on every system, and a process that dies gives it back.

    Args:
        folder: The index folder.
        wait: Seconds to wait for another run to end.

    Raises:
        CatalogueError: If another run is still at work then.
    """
    with closing(_locked(folder, wait)):
        yield


def is_being_written(folder: Path) -> bool:
    """Say whether a run holds the right to write to an index; nothing is written or locked for that."""
    file = folder / LOCK_NAME
    if not file.is_file():
        return False
    try:
        with closing(sqlite3.connect(f"{uri_of(file)}?mode=ro", uri=True, timeout=0)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.DatabaseError as error:
        return _is_taken(error)  # nobody can hold a lock that cannot be opened
    return False


def _locked(folder: Path, wait: float) -> sqlite3.Connection:
    """Return a connection that holds the lock until it is closed."""
    connection = None
    try:
        connection = sqlite3.connect(folder / LOCK_NAME, timeout=wait, isolation_level=None, check_same_thread=False)
        connection.execute("BEGIN EXCLUSIVE")
        return connection
    except BaseException as error:
        if connection is not None:
            connection.close()
        if not isinstance(error, sqlite3.DatabaseError):
            raise
        if _is_taken(error):
            raise CatalogueError(
                f"Another run is indexing into {folder}; waited {wait:g} s for it ({error}). Try again when it is done."
            ) from error
        raise CatalogueError(
            f"The index folder {folder} cannot be locked ({error}). Check the rights to it and the space on its disk; "
            f"what lies there as {LOCK_NAME} can be removed while nobody indexes."
        ) from error


def _is_taken(error: sqlite3.DatabaseError) -> bool:
    return (error.sqlite_errorcode or 0) & 0xFF == sqlite3.SQLITE_BUSY  # the kind of error, without its details
