"""The file with the marks, which lies beside the catalogue: marks cannot be made anew from the notes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import cast
from uuid import uuid4

import numpy as np

from obsirag.catalogue import uri_of
from obsirag.errors import CatalogueError
from obsirag.feedback.mark import Mark, MarkKind
from obsirag.feedback.question_vectors import QuestionVector

__all__ = ["FILE_NAME", "FileState", "MarksFile"]

FILE_NAME = "feedback.sqlite"

FileState = tuple[str, int]
"""Changes with each change of the file: a name that no other file has, and a number that grows."""

_MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE state (file TEXT NOT NULL, version INTEGER NOT NULL)",
        "CREATE TABLE marks (id TEXT PRIMARY KEY, kind TEXT NOT NULL, question TEXT NOT NULL, sources TEXT NOT NULL,"
        " words TEXT NOT NULL, labels TEXT NOT NULL, at INTEGER NOT NULL)",
        "CREATE TABLE vectors (mark TEXT PRIMARY KEY, model TEXT NOT NULL, vector BLOB NOT NULL) WITHOUT ROWID",
    ),
)
"""Statements in order: those at index n bring a file of version n to version n + 1. Add to them, never change one."""

_ALL_MARKS = "SELECT id, kind, question, sources, words, labels, at FROM marks ORDER BY at, rowid"
_TIMEOUT = 30.0


class MarksFile:
    """Keeps marks. It is made with the first of them, so that an index without marks has no such file.

    Args:
        file: The SQLite file.
    """

    def __init__(self, file: Path) -> None:
        self.file = file

    def state(self) -> FileState | None:
        """Return what changes with each change of the file; None if there is none."""
        with self._reading() as connection:
            return None if connection is None else _state(connection)

    def read(self) -> tuple[FileState | None, list[Mark]]:
        """Return the state, and the marks in it, the oldest first."""
        with self._reading() as connection:
            if connection is None:
                return None, []
            connection.execute("BEGIN")
            rows = connection.execute(_ALL_MARKS)
            return _state(connection), [_mark(*row) for row in rows]

    def read_vectors(self) -> dict[str, QuestionVector]:
        """Return the vectors of the marks' questions, by the marks' ids; not every mark has one."""
        with self._reading() as connection:
            rows = (
                [] if connection is None else connection.execute("SELECT mark, model, vector FROM vectors").fetchall()
            )
        return {name: QuestionVector(model, np.frombuffer(vector, dtype="<f4")) for name, model, vector in rows}

    def add(self, mark: Mark, vector: QuestionVector | None = None) -> None:
        """Keep a mark, and the vector of its question."""
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO marks VALUES (?, ?, ?, ?, ?, ?, ?)",
                (
                    mark.id,
                    mark.kind,
                    mark.question,
                    _as_json(mark.sources),
                    mark.words,
                    _as_json(mark.labels),
                    int(mark.at.timestamp()),
                ),
            )
            if vector is not None:
                numbers = vector.values.astype("<f4").tobytes()
                connection.execute("INSERT INTO vectors VALUES (?, ?, ?)", (mark.id, vector.model, numbers))

    def remove(self, mark_id: str) -> None:
        """Remove a mark; nothing of it remains."""
        with self._writing() as connection:
            connection.execute("DELETE FROM marks WHERE id = ?", (mark_id,))
            connection.execute("DELETE FROM vectors WHERE mark = ?", (mark_id,))

    def rename(self, renamed: Mapping[str, str]) -> None:
        """Let marks follow notes that were renamed.

        Args:
            renamed: New paths by the old ones.
        """
        moved = [
            (_as_json(sources), mark.id)
            for mark in self.read()[1]
            if (sources := tuple(renamed.get(source, source) for source in mark.sources)) != mark.sources
        ]
        if moved:
            with self._writing() as connection:
                connection.executemany("UPDATE marks SET sources = ? WHERE id = ?", moved)

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection | None]:
        if not self.file.is_file():
            yield None
            return
        with self._connected("rw") as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._connected("rwc") as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("UPDATE state SET version = version + 1")
            connection.execute("COMMIT")

    @contextmanager
    def _connected(self, mode: str) -> Iterator[sqlite3.Connection]:
        # One that is closed with an open transaction takes it back.
        try:
            name = f"{uri_of(self.file)}?mode={mode}"
            with closing(sqlite3.connect(name, uri=True, timeout=_TIMEOUT, isolation_level=None)) as connection:
                connection.execute("PRAGMA secure_delete = ON")
                self._migrate(connection)
                yield connection
        except (sqlite3.Error, ValueError, TypeError) as error:
            raise CatalogueError(
                f"The marks in {self.file} cannot be read or written: {error}. If the file is damaged, remove it: the "
                "marks are lost then, and nothing else."
            ) from error

    def _migrate(self, connection: sqlite3.Connection) -> None:
        if self._version(connection) == len(_MIGRATIONS):
            return
        connection.execute("BEGIN IMMEDIATE")
        # Another process may have done it while this one waited.
        version = self._version(connection)
        for statements in _MIGRATIONS[version:]:
            for statement in statements:
                connection.execute(statement)
        if version == 0:
            connection.execute("INSERT INTO state VALUES (?, 0)", (uuid4().hex,))
        connection.execute(f"PRAGMA user_version = {len(_MIGRATIONS)}")
        connection.execute("COMMIT")

    def _version(self, connection: sqlite3.Connection) -> int:
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version > len(_MIGRATIONS):
            raise CatalogueError(
                f"{self.file} was made by a newer obsirag (version {version} of such files; this one knows "
                f"{len(_MIGRATIONS)}). Upgrade obsirag."
            )
        return version


def _state(connection: sqlite3.Connection) -> FileState:
    file, version = connection.execute("SELECT file, version FROM state").fetchone()
    return str(file), int(version)


def _mark(name: str, kind: str, question: str, sources: str, words: str, labels: str, at: int) -> Mark:
    return Mark(
        id=name,
        kind=cast("MarkKind", kind),
        question=question,
        sources=tuple(json.loads(sources)),
        words=words,
        labels=tuple(json.loads(labels)),
        at=datetime.fromtimestamp(at, UTC),
    )


def _as_json(values: tuple[str, ...]) -> str:
    return json.dumps(values, ensure_ascii=False)
