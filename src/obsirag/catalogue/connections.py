"""Connections to one SQLite file, lent one at a time."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from obsirag.errors import CatalogueError

__all__ = ["ConnectionPool", "PooledConnection", "explained", "roll_back", "uri_of"]


_ADVICE = {
    sqlite3.SQLITE_FULL: "The disk is full: make room and run again; what was there before is still there.",
    sqlite3.SQLITE_IOERR: "The disk could not be read or written: check it and the space on it, and try again.",
    sqlite3.SQLITE_READONLY: "It cannot be written: check the rights to the file and its folder.",
    sqlite3.SQLITE_CANTOPEN: "It cannot be opened: check the rights to the file and its folder.",
}
_IF_DAMAGED = (
    "If the file is damaged, remove the index folder and index the vault again; the notes themselves are not touched."
)


def roll_back(connection: sqlite3.Connection) -> None:
    """End a transaction without a trace, if SQLite has not done so itself, as it does after some errors.

    A failure here must not hide the error that led here; the pool looks after such a connection.
    """
    with suppress(sqlite3.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")


class PooledConnection(sqlite3.Connection):
    """A connection that knows which of the files that had the path one after the other it has open."""

    generation = 0
    """1 for the file that was opened first, one more for each that took its place."""


class ConnectionPool:
    """Lends connections to any number of threads; one that comes back is lent again.

    If the file is removed or another one takes its place, nothing more is read from the old one, which an open
    connection would still show.

    Args:
        file: The SQLite file.
        timeout: Seconds to wait for another connection's write.
    """

    def __init__(self, file: Path, timeout: float = 30.0) -> None:
        self.file = file
        self._timeout = timeout
        self._idle: list[PooledConnection] = []
        self._generation = 0
        self._identity: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection in autocommit mode.

        Raises:
            CatalogueError: If the pool is closed, the file is gone, or SQLite cannot read or write it.
        """
        connection = None
        try:
            connection = self._take()
            yield connection
        except sqlite3.DatabaseError as error:
            raise explained(error, self.file, self._timeout) from error
        finally:
            if connection is not None:
                self._give_back(connection)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection with a write transaction: committed at the end, rolled back if anything is raised.

        Raises:
            CatalogueError: Besides, if another file has taken the place of the one that was opened first: what a run
                found out from the one does not belong into the other.
        """
        with self.connection() as connection:
            if isinstance(connection, PooledConnection) and connection.generation > 1:
                raise CatalogueError(f"The catalogue {self.file} was replaced while it was in use; open it again.")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                roll_back(connection)
                raise
            connection.execute("COMMIT")

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection that sees one state of the file in all its queries, whatever is written meanwhile."""
        with self.connection() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                roll_back(connection)

    def close(self) -> None:
        """Close all connections that are not lent out; the others close as they come back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> PooledConnection:
        with self._lock:
            if self._closed:
                raise CatalogueError(f"The catalogue {self.file} was closed; open it again.")
            self._notice_change()
            if self._idle:
                return self._idle.pop()
            connection = self._connect()
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _notice_change(self) -> None:
        """Let go of the connections if their file is no longer the one at the path."""
        # As long as one of them is open, no other file can have the same number.
        if self._identity is not None and _identity(self.file) != self._identity:
            self._identity = None
            idle, self._idle = self._idle, []
            for connection in idle:
                connection.close()

    def _connect(self) -> PooledConnection:
        """Open the file that is at the path now; only the very first time it may be made."""
        mode = "rw" if self._generation else "rwc"
        while True:
            before = _identity(self.file)
            if before is None and self._generation:
                raise CatalogueError(f"The catalogue {self.file} is gone. Index the vault again.")
            # A connection is lent to one thread at a time, so it may wander from thread to thread.
            connection = sqlite3.connect(
                f"{uri_of(self.file)}?mode={mode}",
                uri=True,
                timeout=self._timeout,
                isolation_level=None,
                check_same_thread=False,
                factory=PooledConnection,
            )
            after = _identity(self.file)
            if after is not None and before in (None, after):
                break
            connection.close()  # it was replaced in this moment: nobody knows which of the two was opened
        if self._identity is None:
            self._identity = after
            self._generation += 1
        connection.generation = self._generation
        return connection

    def _give_back(self, connection: PooledConnection) -> None:
        roll_back(connection)
        with self._lock:
            current = self._identity is not None and connection.generation == self._generation
            if current and not self._closed and not connection.in_transaction:
                self._idle.append(connection)
                return
        connection.close()


def explained(error: sqlite3.DatabaseError, file: Path, timeout: float) -> CatalogueError:
    """Return what an error of SQLite means, and what to do about it."""
    code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF  # the kind of error, without its details
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return CatalogueError(
            f"The catalogue {file} is being written by another process for more than {timeout:g} s. "
            "Try again when that is done."
        )
    return CatalogueError(f"The catalogue {file} cannot be used ({error}). {_ADVICE.get(code, _IF_DAMAGED)}")


def _identity(file: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one of the same path, None if there is none."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def uri_of(file: Path) -> str:
    """Return a file's path as SQLite takes it before options."""
    path = file.absolute().as_posix()
    return f"file://{'' if path.startswith('/') else '/'}{quote(os.fsencode(path))}"
