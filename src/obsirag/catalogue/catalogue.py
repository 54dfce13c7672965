"""The catalogue's file: opening it, and what concerns the index as a whole."""

from __future__ import annotations

import json
import sqlite3
import weakref
from collections.abc import Collection, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from obsirag.catalogue.connections import ConnectionPool
from obsirag.catalogue.read_only import ReadOnlyFile
from obsirag.catalogue.schema import migrate
from obsirag.errors import CatalogueError
from obsirag.records import Permissions, labels_of, may_read

__all__ = ["FILE_NAME", "Catalogue"]

FILE_NAME = "catalogue.sqlite"


class Catalogue:
    """The truth about an index: its notes, their chunks, who may read them, and the vectors of their contents.

    Any number of threads and processes may read while one writes. Made by ``open``.
    """

    def __init__(self, pool: ConnectionPool | ReadOnlyFile) -> None:
        self._pool = pool
        weakref.finalize(self, pool.close)  # one that nobody closes leaves no connection open

    @classmethod
    def open(cls, folder: Path, *, create: bool = True, timeout: float = 30.0) -> Self:
        """Open the catalogue of an index.

        Args:
            folder: The index folder.
            create: Whether to make the folder and the file if they are missing.
            timeout: Seconds to wait for another process's write.

        Raises:
            CatalogueError: If there is no index, a newer obsirag made it, or its file cannot be used.
        """
        file = Path(folder) / FILE_NAME
        if not create and not file.is_file():
            raise CatalogueError(
                f"There is no index in {folder}. Index the vault first: index_vault, or `obsirag index`."
            )
        try:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise CatalogueError(f"The index folder {folder} cannot be made: {error.strerror}.") from error
        pool = ConnectionPool(file, timeout)
        try:
            with pool.connection() as connection:
                migrate(connection, file)
        except BaseException:
            pool.close()
            raise
        return cls(pool)

    @classmethod
    @contextmanager
    def open_read_only(cls, folder: Path) -> Iterator[Self]:
        """Open the catalogue of an index so that nothing is written, not even a lock; a missing one is empty.

        Args:
            folder: The index folder.

        Raises:
            CatalogueError: If a newer obsirag made it, its file cannot be read, or it was written meanwhile.
        """
        file = ReadOnlyFile(Path(folder) / FILE_NAME)
        with cls(file) as catalogue:
            yield catalogue
            file.check_unwritten()

    @property
    def file(self) -> Path:
        """The SQLite file."""
        return self._pool.file

    @property
    def folder(self) -> Path:
        """The index folder."""
        return self._pool.file.parent

    def close(self) -> None:
        """Close the file."""
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """Lend a connection that sees one state of the catalogue."""
        return self._pool.snapshot()

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        """Lend a connection with a transaction: all of what is written becomes visible, or nothing."""
        return self._pool.transaction()

    @property
    def index_version(self) -> int:
        """A number that grows with every change that a reader can see; 0 for an empty index."""
        return int(self.meta("index_version") or 0)

    @property
    def index_state(self) -> tuple[int, int]:
        """What changes with every change that a reader can see, the replacement of the whole index included."""
        with self._pool.connection() as connection:
            return index_state(connection)

    def meta(self, key: str) -> str | None:
        """Return a value that concerns the whole index, None if there is none."""
        with self._pool.connection() as connection:
            return read_meta(connection, key)

    @property
    def model_id(self) -> str | None:
        """The embedding model that the index was made with, None for an empty index."""
        return self.meta("model_id")

    def chunk_count(self) -> int:
        """Return the number of chunks."""
        return self._count("chunks")

    def note_count(self) -> int:
        """Return the number of notes."""
        return self._count("notes")

    def readable_access_keys(self, labels: Collection[str]) -> list[str]:
        """Return the access keys of all text that a caller with ``labels`` may read, sorted."""
        with self._pool.connection() as connection:
            return readable_access_keys(connection, labels)

    def check_model(self, model_id: str) -> None:
        """Make sure that the index was made with a model.

        Raises:
            CatalogueError: If it was made with another one.
        """
        known = self.model_id
        if known is not None and known != model_id:
            raise CatalogueError(
                f"The index {self.folder} was made with the embedding model {known!r}, the configuration now says "
                f"{model_id!r}. Their vectors cannot be compared: go back to the former model, or rebuild the index "
                "with full=True (`obsirag rebuild`)."
            )

    def _count(self, table: str) -> int:
        with self._pool.connection() as connection:
            return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - own names only


def read_meta(connection: sqlite3.Connection, key: str) -> str | None:
    """Return a value of the whole index, None if there is none."""
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def write_meta(connection: sqlite3.Connection, key: str, value: str | None) -> None:
    """Set a value of the whole index; None removes it."""
    if value is None:
        connection.execute("DELETE FROM meta WHERE key = ?", (key,))
    else:
        connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))


def index_version(connection: sqlite3.Connection) -> int:
    """Return the index version as the connection sees it."""
    return int(read_meta(connection, "index_version") or 0)


def index_state(connection: sqlite3.Connection) -> tuple[int, int]:
    """Return which of the files that had the catalogue's path the connection sees, and its index version."""
    return getattr(connection, "generation", 0), index_version(connection)


def next_index_version(connection: sqlite3.Connection) -> int:
    """Raise the index version by one and return it."""
    version = index_version(connection) + 1
    write_meta(connection, "index_version", str(version))
    return version


def remember_access(connection: sqlite3.Connection, keys: Iterable[tuple[str, Permissions]]) -> None:
    """Store which permissions access keys stand for."""
    rows = ((key, json.dumps(permissions, ensure_ascii=False)) for key, permissions in keys)
    connection.executemany("INSERT OR IGNORE INTO access VALUES (?, ?)", rows)


def access_key_count(connection: sqlite3.Connection) -> int:
    """Return the number of access keys of the index."""
    return int(connection.execute("SELECT count(*) FROM access").fetchone()[0])


def readable_access_keys(connection: sqlite3.Connection, labels: object) -> list[str]:
    """Return the access keys that a caller with ``labels`` may read, sorted.

    Raises:
        ConfigError: If that is no string, no collection of strings, and not None.
    """
    held = labels_of(labels)

    def readable() -> Iterator[str]:
        for key, permissions in connection.execute("SELECT key, permissions FROM access ORDER BY key"):
            if may_read(json.loads(permissions), held):
                yield key

    return list(readable())
