"""A rebuild embeds everything before it changes anything."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from index_worlds import CountingEmbeddings, World
from obsirag.errors import ServiceError
from obsirag.plugins.chroma_store import ChromaStore
from obsirag.retrievers import SearchError
from obsirag.splitters import ObsidianSplitter


def make_world(folder: Path, store: str = "kept") -> World:
    world = World(folder, store)
    for name in "abcd":
        world.write(f"{name}.md", f"words of {name}")
    world.sync()
    return world


def change_model(world: World, name: str = "other:24", dimensions: int = 24) -> CountingEmbeddings:
    former, world.embeddings = world.embeddings, CountingEmbeddings(dimensions, world.clock)
    world.embeddings.model_id = name
    return former


@pytest.mark.parametrize("store", ["kept", "memory", "chroma"])
@pytest.mark.parametrize("other_model", [False, True])
def test_everything_is_embedded_anew_and_nothing_else_changes(tmp_path: Path, store: str, other_model: bool) -> None:
    world = make_world(tmp_path, store)
    if other_model:
        change_model(world)
    report = world.sync(rebuild=True)
    assert (len(report.unchanged), report.embedded) == (4, 4)
    fresh = World(tmp_path / "fresh", store, world.vault)
    fresh.embeddings = world.embeddings
    fresh.sync()
    assert world.state() == fresh.state()
    assert world.sources("words of c")[0] == "c.md"
    assert world.sync().embedded == 0


def test_readers_find_the_old_vectors_until_all_new_ones_are_there(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    former = change_model(world)
    replacement, world.embeddings = world.embeddings, former
    reader = world.vectors()
    world.embeddings = replacement
    found: list[list[str]] = []

    def look(*_: Any) -> None:
        if world.catalogue.model_id == former.model_id:
            hits = reader.search("words of c")
            found.append([hits[0].metadata["source"], *sorted(hit.metadata["source"] for hit in hits)])
        assert world.keywords().search("words", limit=9)
        assert world.catalogue.note_count() == 4

    world.sync(full=True, batch_size=1, progress=look)
    assert found == [["c.md", "a.md", "b.md", "c.md", "d.md"]] * 4


def test_a_rebuild_that_died_goes_on_where_it_was(tmp_path: Path) -> None:
    embedded = []
    for last in itertools.count(1):
        world = make_world(tmp_path / str(last))
        change_model(world)
        died = world.sync_until(last, full=True, batch_size=1)
        done = sum(len(call) for call in world.embeddings.calls if call != ["obsidian"])
        world.sync(full=True, batch_size=1)
        assert world.catalogue.model_id == "other:24"
        again = sum(len(call) for call in world.embeddings.calls if call != ["obsidian"])
        assert done + again <= 5  # at most the text in which it died is embedded twice
        embedded.append(done)
        world.catalogue.close()
        if not died:
            break
    assert {0, 2, 4} <= set(embedded)


def test_a_model_that_fails_on_the_way_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    before = world.state()
    former = change_model(world)
    world.embeddings.fails = lambda text: (
        (text != "obsidian" and not text.startswith("words of a")) or len(world.embeddings.calls) > 3
    )
    with pytest.raises(ServiceError, match="index was left as it is"):
        world.sync(full=True, batch_size=1)
    world.embeddings = former
    assert world.state() == before
    assert world.sources("words of c")[0] == "c.md"


def test_a_text_that_the_new_model_refuses_is_told_now_and_tried_again_later(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    change_model(world)
    world.embeddings.fails = lambda text: text == "words of b"
    for options in ({"full": True}, {}):
        report = world.sync(**options)
        assert [(each.path, each.code) for each in report.failed] == [("b.md", "embedding-failed")]
    assert "b.md" in [hit.metadata["source"] for hit in world.keywords().search("words of b", limit=9)]
    world.embeddings.fails = lambda _: False
    assert world.sync().embedded == 1
    assert world.vectors().search("words of b")[0].metadata["source"] == "b.md"


def test_a_model_that_became_another_one_behind_its_name_is_rebuilt(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    change_model(world, world.embeddings.model_id)
    assert world.sync(full=True).embedded == 4
    assert world.catalogue.meta("dimensions") == "24"
    assert world.vectors().search("words of c")[0].metadata["source"] == "c.md"


def test_notes_that_come_out_otherwise_for_the_new_model_are_embedded_once(tmp_path: Path) -> None:
    world = make_world(tmp_path)
    world.write("long.md", "long words here. " * 60)
    world.sync()
    change_model(world)
    cut = {"splitter": ObsidianSplitter(chunk_size=100), "settings": {"splitter": "100"}}
    report = world.sync(full=True, **cut)
    assert report.embedded == len({text for call in world.embeddings.calls for text in call} - {"obsidian"})
    assert report.changed == ("long.md",)
    fresh = World(tmp_path / "fresh", vault=world.vault)
    fresh.embeddings = world.embeddings
    fresh.sync(**cut)
    assert world.state() == fresh.state()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_who_opened_the_store_during_a_rebuild_finds_all_of_it_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    world = make_world(tmp_path, "chroma")
    reader = world.vectors()
    reset = ChromaStore.reset

    def looked_at(store: ChromaStore) -> None:
        if moment == "before":
            reader.search("words")
        reset(store)
        if moment == "after":
            reader.search("words")

    monkeypatch.setattr(ChromaStore, "reset", looked_at)
    world.sync(rebuild=True)
    assert len(reader.search("words")) == 4


def test_a_reader_whose_store_failed_opens_it_again(tmp_path: Path) -> None:
    world = make_world(tmp_path, "chroma")
    reader = world.vectors()
    assert len(reader.search("words")) == 4
    reader._opened().delete_collection()  # type: ignore[attr-defined]
    with pytest.raises(SearchError):
        reader.search("words")
    assert reader.search("words") == []
