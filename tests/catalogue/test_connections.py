from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from obsirag.catalogue import Catalogue, write_meta
from obsirag.catalogue.connections import ConnectionPool
from obsirag.errors import CatalogueError


def make(folder: Path, value: str) -> None:
    with Catalogue.open(folder) as catalogue, catalogue.writing() as connection:
        write_meta(connection, "value", value)


@pytest.mark.parametrize("name", ["index", "an index", "100%25 #1?", "索引"])
def test_any_folder_name_will_do(tmp_path: Path, name: str) -> None:
    make(tmp_path / name, "x")
    assert [each.name for each in tmp_path.iterdir()] == [name]
    with Catalogue.open(tmp_path / name, create=False) as catalogue:
        assert catalogue.meta("value") == "x"


def test_nothing_is_read_from_a_file_that_was_removed(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    make(folder, "old")
    catalogue = Catalogue.open(folder, create=False)
    assert catalogue.meta("value") == "old"
    with catalogue.reading():  # one connection is out, another one idle
        assert catalogue.meta("value") == "old"
        shutil.rmtree(folder)
        with pytest.raises(CatalogueError, match="gone"):
            catalogue.meta("value")
    with pytest.raises(CatalogueError, match="gone"):
        catalogue.meta("value")
    assert not folder.exists()
    make(folder, "new")
    assert [catalogue.meta("value") for _ in range(3)] == ["new"] * 3


def test_another_file_of_the_same_version_is_another_state(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    make(folder, "old")
    catalogue = Catalogue.open(folder, create=False)
    states = [catalogue.index_state]
    for value in ("new", "newer"):
        with catalogue.reading():
            shutil.rmtree(folder)
            make(folder, value)
        states.append(catalogue.index_state)
        assert catalogue.meta("value") == value
    assert len(set(states)) == 3
    assert len({version for _, version in states}) == 1


def test_a_run_does_not_write_what_it_found_out_into_another_index(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    catalogue = Catalogue.open(folder)
    shutil.rmtree(folder)
    make(folder, "new")
    with pytest.raises(CatalogueError, match="replaced"), catalogue.writing() as connection:
        write_meta(connection, "value", "old")
    assert catalogue.meta("value") == "new"


def test_connections_to_a_former_file_are_closed(tmp_path: Path) -> None:
    pool = ConnectionPool(tmp_path / "file.sqlite")
    with pool.connection() as first, pool.connection() as second:
        first.execute("CREATE TABLE t (x)")
    with pool.connection() as lent:
        (tmp_path / "file.sqlite").unlink()
        sqlite3.connect(tmp_path / "file.sqlite").close()
        with pool.connection() as current:
            current.execute("CREATE TABLE t (y)")
    for old in (first, second, lent):
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            old.execute("SELECT 1")
    with pool.connection() as again:
        assert again is current
    pool.close()
