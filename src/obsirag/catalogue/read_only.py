"""A catalogue that is read without leaving a trace: no file is made, locked or brought to a newer schema."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from obsirag.catalogue.connections import explained, roll_back, uri_of
from obsirag.catalogue.schema import SCHEMA_VERSION, migrate, schema_version
from obsirag.errors import CatalogueError

__all__ = ["ReadOnlyFile"]

_TIMEOUT = 30.0


class ReadOnlyFile:
    """Lends one connection to a file that stays as it is, in place of a pool.

    A file of an older schema is copied into memory and brought up there. Where there is none, the catalogue is empty.

    Args:
        file: The SQLite file.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._lock = threading.RLock()
        self._before = _state(file)
        self._connection = self._open()

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection.

        Raises:
            CatalogueError: If the file cannot be read, or was written meanwhile.
        """
        try:
            with self._lock:
                yield self._connection
        except sqlite3.DatabaseError as error:
            self.check_unwritten()
            raise explained(error, self.file, _TIMEOUT) from error

    @contextmanager
    def snapshot(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection in a transaction, so that all its queries see one state."""
        with self.connection() as connection:
            if connection.in_transaction:
                yield connection
                return
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                roll_back(connection)

    def transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """Refuse to write.

        Raises:
            CatalogueError: Always.
        """
        raise CatalogueError(f"The catalogue {self.file} was opened for reading only.")

    def check_unwritten(self) -> None:
        """Make sure that what was read belongs together.

        Raises:
            CatalogueError: If the file was written meanwhile.
        """
        if _state(self.file) != self._before:
            raise CatalogueError(f"The catalogue {self.file} was written while it was read. Try again.")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _open(self) -> sqlite3.Connection:
        if not self.file.is_file():
            return _brought_up(None, self.file)
        # What another process, or one that died, has not written into the file itself stands beside it. Without that,
        # the file can be read as if it lay on a disk that cannot be written; else SQLite would make files beside it.
        beside = self.file.with_name(f"{self.file.name}-wal")
        alone = not (beside.is_file() and beside.stat().st_size)
        options = "mode=ro&immutable=1" if alone else "mode=ro"
        try:
            connection = _connect(f"{uri_of(self.file)}?{options}")
            if schema_version(connection, self.file) == SCHEMA_VERSION:
                return connection
            return _brought_up(connection, self.file)
        except sqlite3.DatabaseError as error:
            raise explained(error, self.file, _TIMEOUT) from error


def _brought_up(older: sqlite3.Connection | None, file: Path) -> sqlite3.Connection:
    """Return a current catalogue in memory, with what an older one holds."""
    memory = _connect(":memory:")
    if older is not None:
        older.backup(memory)
        older.close()
    migrate(memory, file)
    return memory


def _connect(name: str) -> sqlite3.Connection:
    # Lent to one thread at a time, it may wander from thread to thread.
    return sqlite3.connect(name, uri=True, timeout=_TIMEOUT, isolation_level=None, check_same_thread=False)


def _state(file: Path) -> tuple[int, int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns
