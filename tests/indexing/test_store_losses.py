"""Each run notices that the store lost its vectors, and fills it again without embedding anything."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from index_worlds import World
from obsirag.errors import ServiceError
from obsirag.indexing import drop
from obsirag.plugins.chroma_store import ChromaStore
from obsirag.plugins.memory import MemoryVectorStore


def filled(folder: Path, store: str) -> World:
    world = World(folder, store)
    world.write("a.md", "lion fact")
    world.write("b.md", "zebra fact")
    world.sync()
    return world


def empty_the_folder(world: World) -> None:
    for entry in (world.index / "chroma").iterdir():
        shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def remove_the_folder(world: World) -> None:
    shutil.rmtree(world.index / "chroma")


def remove_the_vectors_files(world: World) -> None:
    (segment,) = (each for each in (world.index / "chroma").iterdir() if each.is_dir())
    shutil.rmtree(segment)
    (world.index / "chroma" / "chroma.sqlite3").unlink()


@pytest.mark.parametrize("lose", [empty_the_folder, remove_the_folder, remove_the_vectors_files])
def test_a_store_whose_files_are_gone_is_filled_again(tmp_path: Path, lose: Any) -> None:
    world = filled(tmp_path, "chroma")
    lose(world)
    report = world.sync()
    assert (report.unchanged, world.embeddings.calls) == (("a.md", "b.md"), [])
    assert len(world.stored()) == 2
    assert world.sync().unchanged == ("a.md", "b.md")
    assert world.opened == 0


def test_a_store_elsewhere_that_was_emptied_is_filled_again(tmp_path: Path) -> None:
    world = filled(tmp_path, "kept")
    before = world.stored()
    MemoryVectorStore.delete(world.kept, world.kept.ids())
    report = world.sync()
    assert (report.unchanged, world.embeddings.calls, world.stored()) == (("a.md", "b.md"), [], before)


def test_a_store_in_the_folder_is_not_opened_as_long_as_its_files_are_as_they_were(tmp_path: Path) -> None:
    world = filled(tmp_path, "chroma")
    assert world.sources("zebra")[0] == "b.md"  # reading touches the files
    world.sync()
    assert world.opened == 0


class Silent(MemoryVectorStore):
    """A store that can only add and search, as LangChain's interface lets it."""

    persistent = True
    ids = None  # type: ignore[assignment]

    def get_by_ids(self, ids: Any, /) -> Any:
        raise NotImplementedError


def test_a_store_that_cannot_be_asked_is_believed(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("a.md", "lion fact")
    store = Silent(world.embeddings)
    for _ in range(2):
        world.sync(open_store=lambda _: store)
    assert len(store._entries) == 1


def test_a_store_that_fails_when_it_is_asked_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = filled(tmp_path, "kept")
    before = world.state()

    def fail(*_: Any) -> Any:
        raise ConnectionError("no such host")

    with monkeypatch.context() as patched:
        patched.setattr(MemoryVectorStore, "get_by_ids", fail)
        with pytest.raises(ServiceError, match="vector store failed: ConnectionError"):
            world.sync()
    assert world.state() == before


def test_a_run_that_dies_as_it_opens_the_store_leaves_no_folder_that_nobody_knows(tmp_path: Path) -> None:
    for last in range(40):
        world = World(tmp_path / str(last), "chroma")
        (world.index / "mine").mkdir()
        world.write("a.md", "lion fact")
        died = world.sync_until(last)
        world.sync()
        world.sync()
        assert world.opened == 0, f"died after step {last}"
        assert drop(world.index, world.open_store) == ["mine"]
        if not died:
            break
    assert not died


def test_a_reader_of_the_emptied_store_finds_what_it_was_filled_with(tmp_path: Path) -> None:
    world = filled(tmp_path, "chroma")
    remove_the_folder(world)
    reader = world.vectors()
    assert reader.search("fact") == []
    world.sync()
    assert len(reader.search("fact")) == 2


def test_a_full_run_that_mends_nothing_leaves_the_version(tmp_path: Path) -> None:
    world = filled(tmp_path, "chroma")
    before = world.catalogue.index_version
    world.sync(full=True)
    assert world.catalogue.index_version == before


def test_a_store_that_lost_one_of_its_files_is_filled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, "chroma")
    for number in range(1100):  # over a thousand, Chroma moves vectors to files of their own
        world.write(f"{number}.md", f"fact {number}")
    world.sync()
    (segment,) = (each for each in (world.index / "chroma").iterdir() if each.is_dir())
    shutil.rmtree(segment)
    filled: list[int] = []
    add = ChromaStore.add_vectors
    monkeypatch.setattr(
        ChromaStore, "add_vectors", lambda store, **given: (filled.append(len(given["ids"])), add(store, **given))[1]
    )
    report = world.sync()
    assert (len(report.unchanged), world.embeddings.calls, sum(filled)) == (1100, [], 1100)
    world.sync()
    assert sum(filled) == 1100
