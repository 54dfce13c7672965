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
    file = folder / LOCK_NAME
    with closing(sqlite3.connect(file, timeout=wait, isolation_level=None, check_same_thread=False)) as connection:
        try:
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:  # the kind of error, without its details
                raise CatalogueError(
                    f"The index folder {folder} cannot be locked ({error}). Check the rights to it and the space on "
                    "its disk."
                ) from error
            raise CatalogueError(
                f"Another run is indexing into {folder}; waited {wait:g} s for it ({error}). Try again when it is done."
            ) from error
        yield


def is_being_written(folder: Path) -> bool:
    """Say whether a run holds the right to write to an index; nothing is written or locked for that."""
    file = folder / LOCK_NAME
    if not file.is_file():
        return False
    with closing(sqlite3.connect(f"{uri_of(file)}?mode=ro", uri=True, timeout=0)) as connection:
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError:
            return True
    return False
