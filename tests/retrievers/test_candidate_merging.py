"""Near-duplicates among hits: by the catalogue's vectors, only among what was given."""

from __future__ import annotations

from pathlib import Path

import pytest

from index_worlds import World
from obsirag.retrievers import DuplicateMerging


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, "memory")
    world.write("a.md", "The quick brown fox jumps over the lazy dog.")
    world.write("copy.md", "The quick brown fox jumps over the lazy dog.")
    world.write("other.md", "A fox sleeps in the green wood all day.")
    world.write("secret.md", "---\npermission: leads\n---\nThe quick brown fox jumps over the lazy dog.")
    world.sync()
    return world


def test_what_says_the_same_becomes_one_and_tells_where_else_it_stands(world: World) -> None:
    chunks = world.retriever(limit=9).search("fox").documents
    merged = DuplicateMerging(world.catalogue).merge(chunks)
    by_source = {each.metadata["source"]: each for each in merged}
    assert {"a.md", "other.md"} == by_source.keys()
    assert by_source["a.md"].metadata["merged_sources"] == ["copy.md"]
    assert by_source["other.md"].metadata["merged_sources"] == []
    assert "secret.md" not in repr(merged)


def test_who_may_read_more_is_told_more(world: World) -> None:
    chunks = world.retriever(limit=9).search("fox", labels=["leads"]).documents
    merged = DuplicateMerging(world.catalogue).merge(chunks)
    told = {source for each in merged for source in (each.metadata["source"], *each.metadata["merged_sources"])}
    assert told == {"a.md", "copy.md", "other.md", "secret.md"}


def test_the_threshold_decides(world: World) -> None:
    chunks = world.retriever(limit=9).search("fox").documents
    assert len(DuplicateMerging(world.catalogue, threshold=-1).merge(chunks)) == 1
    assert [each.id for each in DuplicateMerging(world.catalogue, threshold=1).merge(chunks)] == [
        each.id for each in chunks
    ]


def test_without_vectors_nothing_is_merged(world: World) -> None:
    chunks = world.retriever(limit=9).search("fox").documents
    merging = DuplicateMerging(world.catalogue)
    assert merging.merge([]) == []
    assert merging.merge(chunks[:1]) == chunks[:1]
    unknown = [each.model_copy(update={"metadata": {**each.metadata, "content_hash": None}}) for each in chunks]
    assert merging.merge(unknown) == unknown
    # One that has no vector is near to none, not even to another one without.
    mixed = [chunks[0], *unknown[1:]]
    assert [each.id for each in merging.merge(mixed)] == [each.id for each in mixed]
