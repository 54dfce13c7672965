"""Reading an index leaves no trace."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from obsirag.catalogue import FILE_NAME, Catalogue, FileState, NoteRecord, known_files, publish, schema
from obsirag.errors import CatalogueError

A = NoteRecord("a.md", FileState(1, 2, 3, 4), "hash", "rendered", "settings")


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {each.name: (each.read_bytes(), each.stat().st_mtime_ns) for each in folder.iterdir()}


def paths_in(folder: Path) -> list[str]:
    with Catalogue.open_read_only(folder) as catalogue, catalogue.reading() as connection:
        assert catalogue.note_count() == len(known_files(connection))
        return sorted(known_files(connection))


def make(folder: Path) -> None:
    with Catalogue.open(folder) as catalogue, catalogue.writing() as connection:
        publish(connection, [A], [])


def test_an_index_is_read_and_not_a_byte_beside_it_changes(tmp_path: Path) -> None:
    make(tmp_path)
    before = contents(tmp_path)
    assert set(before) == {FILE_NAME}
    assert paths_in(tmp_path) == ["a.md"]
    assert contents(tmp_path) == before


def test_where_there_is_no_index_an_empty_one_is_seen_and_none_is_made(tmp_path: Path) -> None:
    assert paths_in(tmp_path / "nowhere") == []
    assert list(tmp_path.iterdir()) == []


def test_an_older_schema_is_read_as_a_current_one_and_stays(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE_NAME, isolation_level=None) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        for statement in schema._statements(schema.MIGRATIONS[0]):
            connection.execute(statement)
        connection.execute("PRAGMA user_version = 1")
        connection.execute("INSERT INTO notes VALUES (1, 'a.md', 1, 2, 3, 4, '', '', '', '', '{}', '[]', '', 1)")
    connection.close()
    before = contents(tmp_path)
    assert paths_in(tmp_path) == ["a.md"]
    assert contents(tmp_path) == before
    with Catalogue.open(tmp_path) as catalogue:
        assert catalogue.note_count() == 1


def test_nothing_can_be_written(tmp_path: Path) -> None:
    make(tmp_path)
    with Catalogue.open_read_only(tmp_path) as catalogue:
        with pytest.raises(CatalogueError, match="reading only"):
            catalogue.writing()
        with pytest.raises(CatalogueError, match="readonly"), catalogue.reading() as connection:
            connection.execute("DELETE FROM notes")
    assert paths_in(tmp_path) == ["a.md"]


def test_what_another_process_has_not_written_into_the_file_yet_is_seen(tmp_path: Path) -> None:
    with Catalogue.open(tmp_path) as catalogue:
        with catalogue.writing() as connection:
            publish(connection, [A], [])
        assert (tmp_path / f"{FILE_NAME}-wal").stat().st_size
        assert paths_in(tmp_path) == ["a.md"]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="the system has no SIGKILL")
def test_what_a_killed_run_left_is_seen_and_stays(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])\n"
        "import test_read_only as t\n"
        "c = t.Catalogue.open(Path(sys.argv[1]))\n"
        "with c.writing() as connection: t.publish(connection, [t.A], [])\n"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path), str(Path(__file__).parent)], check=False)
    assert done.returncode == -signal.SIGKILL
    shared_memory = f"{FILE_NAME}-shm"  # no data: SQLite keeps in it who reads what
    before = {name: each for name, each in contents(tmp_path).items() if name != shared_memory}
    assert paths_in(tmp_path) == ["a.md"]
    assert {name: each for name, each in contents(tmp_path).items() if name != shared_memory} == before


def test_a_file_that_is_written_meanwhile_is_told(tmp_path: Path) -> None:
    make(tmp_path)

    def read_while_it_is_written() -> None:
        with Catalogue.open_read_only(tmp_path) as catalogue:
            assert catalogue.note_count() == 1
            os.utime(tmp_path / FILE_NAME, ns=(1, 1))

    with pytest.raises(CatalogueError, match="Try again"):
        read_while_it_is_written()


def test_a_file_that_is_no_catalogue_is_one_clear_error(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text("plain text, long enough to look at " * 9)
    with pytest.raises(CatalogueError, match="cannot be used"), Catalogue.open_read_only(tmp_path):
        pass
