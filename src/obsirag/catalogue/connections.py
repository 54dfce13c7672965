"""Connections to one SQLite file, lent one at a time."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from obsirag.errors import CatalogueError

__all__ = ["ConnectionPool"]


class ConnectionPool:
    """Lends connections to any number of threads; one that comes back is lent again.

    Args:
        file: The SQLite file.
        timeout: Seconds to wait for another connection's write.
    """

    def __init__(self, file: Path, timeout: float = 30.0) -> None:
        self.file = file
        self._timeout = timeout
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._closed = False

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection in autocommit mode.

        Raises:
            CatalogueError: If the pool is closed, or SQLite cannot read or write the file.
        """
        connection = None
        try:
            connection = self._take()
            yield connection
        except sqlite3.DatabaseError as error:
            raise self._explained(error) from error
        finally:
            if connection is not None:
                self._give_back(connection)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection with a write transaction: committed at the end, rolled back if anything is raised."""
        with self.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.execute("ROLLBACK")
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
                connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close all connections that are not lent out; the others close as they come back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> sqlite3.Connection:
        with self._lock:
            if self._closed:
                raise CatalogueError(f"The catalogue {self.file} was closed; open it again.")
            if self._idle:
                return self._idle.pop()
        # A connection is lent to one thread at a time, so it may wander from thread to thread.
        connection = sqlite3.connect(self.file, timeout=self._timeout, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
        return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.rollback()
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _explained(self, error: sqlite3.DatabaseError) -> CatalogueError:
        if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
            return CatalogueError(
                f"The catalogue {self.file} is being written by another process for more than {self._timeout:g} s. "
                "Try again when that is done."
            )
        return CatalogueError(
            f"The catalogue {self.file} cannot be used ({error}). If the file is damaged, remove the index folder and "
            "index the vault again; the notes themselves are not touched."
        )
