from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from index_worlds import World
from obsirag.errors import CatalogueError
from obsirag.indexing import drop, is_being_written, writer_lock


@pytest.fixture(params=["kept", "memory", "chroma"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    world = World(tmp_path, request.param)
    world.write("a.md", "lion fact")
    world.sync()
    return world


def test_an_index_goes_with_its_folder_and_the_notes_stay(world: World) -> None:
    assert drop(world.index, world.open_store) == []
    assert not world.index.exists()
    assert (world.vault / "a.md").read_text() == "lion fact"
    assert world.kept.ids() == []


def test_what_others_put_beside_it_stays(world: World) -> None:
    (world.index / "mine").mkdir()
    (world.index / "mine" / "notes.txt").write_text("mine")
    (world.index / "list.txt").write_text("mine")
    world.write("b.md", "zebra fact")
    world.sync()
    assert drop(world.index, world.open_store) == ["list.txt", "mine"]
    assert sorted(each.name for each in world.index.rglob("*")) == ["list.txt", "mine", "notes.txt"]


def test_a_link_in_the_place_of_the_stores_folder_is_removed_and_not_followed(tmp_path: Path) -> None:
    world = World(tmp_path, "chroma")
    world.write("a.md", "lion fact")
    world.sync()
    (world.index / "chroma").rename(tmp_path / "elsewhere")
    (world.index / "chroma").symlink_to(tmp_path / "elsewhere")
    assert drop(world.index, world.open_store) == []
    assert (tmp_path / "elsewhere" / "chroma.sqlite3").is_file()


def test_a_reader_of_a_dropped_index_says_so_and_the_next_run_makes_it_anew(world: World) -> None:
    drop(world.index, world.open_store)
    with pytest.raises(CatalogueError, match="is gone"):
        world.catalogue.note_count()
    again = World(world.index.parent, world.kind)
    assert again.sync().added == ("a.md",)


def foreign(folder: Path) -> None:
    connection = sqlite3.connect(folder / "catalogue.sqlite")
    connection.execute("CREATE TABLE shop (article TEXT)")
    connection.execute("PRAGMA user_version = 2")
    connection.close()


def no_database(folder: Path) -> None:
    (folder / "catalogue.sqlite").write_text("a catalogue of seeds, in plain text\n" * 99)


def something_else(folder: Path) -> None:
    (folder / "notes.md").write_text("x")


@pytest.mark.parametrize("fill", [foreign, no_database, something_else])
def test_a_folder_that_is_no_index_is_refused_and_left_as_it_is(tmp_path: Path, fill) -> None:
    fill(tmp_path)
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    with pytest.raises(CatalogueError):
        drop(tmp_path, lambda _: pytest.fail("a store was opened"))
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_an_index_is_not_dropped_while_it_is_written(world: World) -> None:
    assert not is_being_written(world.index)
    with writer_lock(world.index, 0):
        assert is_being_written(world.index)
        with pytest.raises(CatalogueError, match="Another run"):
            drop(world.index, world.open_store, wait=0)
    assert not is_being_written(world.index)
    assert world.sync().unchanged == ("a.md",)


def test_notes_that_came_while_the_store_was_opened_stay(tmp_path: Path) -> None:
    world = World(tmp_path, "chroma")
    world.write("a.md", "lion fact")

    def open_meanwhile(embeddings: Embeddings) -> VectorStore:
        (world.index / "mine" / "deep").mkdir(parents=True)
        (world.index / "mine" / "deep" / "Note.MD").write_text("mine")
        return world.open_store(embeddings)

    world.sync(open_store=open_meanwhile)
    assert drop(world.index, world.open_store) == ["mine"]
    assert (world.index / "mine" / "deep" / "Note.MD").read_text() == "mine"
