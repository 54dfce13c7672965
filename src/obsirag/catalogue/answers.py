"""What chat models answered about texts, so that none is asked the same twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from obsirag.catalogue.connections import explained
from obsirag.errors import CatalogueError

__all__ = ["ANSWERS_FILE", "ModelAnswers"]

ANSWERS_FILE = "model-answers.sqlite3"
"""The file's name in its folder."""

_TIMEOUT = 30.0
_AT_A_TIME = 500
_TABLE = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID"


class ModelAnswers:
    """Answers by key, in an SQLite file of their own; several processes may use it.

    It is made with the first answer. Nothing hangs on it: without it, models are asked again.

    Args:
        folder: The folder in which the file lies; made if missing, for its owner alone.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / ANSWERS_FILE

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        """Return the answers that are known, by key.

        Raises:
            CatalogueError: If the file cannot be read.
        """
        if not self._file.is_file():
            return {}
        found: dict[str, str] = {}
        with self._connection() as connection:
            for first in range(0, len(keys), _AT_A_TIME):
                some = keys[first : first + _AT_A_TIME]
                marks = ", ".join("?" * len(some))
                found.update(connection.execute(f"SELECT key, answer FROM answers WHERE key IN ({marks})", some))  # noqa: S608
        return found

    def put(self, answers: Mapping[str, str]) -> None:
        """Keep answers.

        Raises:
            CatalogueError: If the file cannot be written.
        """
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise CatalogueError(f"the folder {self._file.parent} cannot be made: {error.strerror}") from error
        with self._connection() as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", answers.items())

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._file, timeout=_TIMEOUT)) as connection:
                connection.execute(_TABLE)
                yield connection
        except sqlite3.DatabaseError as error:
            raise explained(error, self._file, _TIMEOUT) from error
