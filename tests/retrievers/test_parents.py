from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index_worlds import World
from obsirag.records.places import locate_quote
from obsirag.retrievers import ParentExpansion
from obsirag.splitters import ObsidianSplitter


def small_splitter() -> ObsidianSplitter:
    return ObsidianSplitter(chunk_size=120, parent_chunk_size=500, chunk_overlap=20)


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, "memory")
    for name in ("cat", "dog"):
        parts = [f"The {name} of sentence {number} walks over the wide field.\n\n" for number in range(12)]
        world.write(f"{name}.md", f"# {name}\n\n{''.join(parts[:6])}# more\n\n{''.join(parts[6:])}")
    world.sync(splitter=small_splitter())
    return world


def found(world: World, query: str = "cat field", **options: Any) -> list[Any]:
    return world.retriever(limit=10, chunks_per_document=20).search(query, **options).documents


def total(documents: list[Any]) -> int:
    return sum(len(document.page_content) for document in documents)


def test_chunks_become_their_sections_each_once_at_its_best_chunks_place(world: World) -> None:
    chunks = found(world)
    sections = ParentExpansion(world.catalogue, 100_000).expand(chunks)
    order = list(dict.fromkeys(chunk.metadata["parent_id"] for chunk in chunks))
    assert len(order) < len(chunks)
    assert [section.id for section in sections] == order
    for section in sections:
        members = [chunk for chunk in chunks if chunk.metadata["parent_id"] == section.id]
        assert section.metadata["expanded_chunk_ids"] == [chunk.id for chunk in members]
        assert section.metadata["source"] == members[0].metadata["source"]
        for name in ("score", "fusion_score", "matched_chunk_ids"):
            assert section.metadata[name] == members[0].metadata[name]
        for chunk in members:
            assert chunk.page_content[chunk.metadata["overlap"] :] in section.page_content


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_budget_holds_and_no_hit_is_lost(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as name:
        world = World(Path(name), "memory")
        for note in range(data.draw(st.integers(1, 3))):
            sizes = data.draw(st.lists(st.integers(1, 40), min_size=1, max_size=6))
            paragraphs = [f"# H{number}\n\n" + f"word{number} of n{note}. " * size for number, size in enumerate(sizes)]
            world.write(f"n{note}.md", "\n\n".join(paragraphs))
        world.sync(splitter=small_splitter())
        chunks = found(world, "word0 word1 word2 of n0 n1 n2")
        budget = data.draw(st.integers(1, 6000))
        given_back = ParentExpansion(world.catalogue, budget).expand(chunks)
        assert total(given_back) <= max(budget, total(chunks))
        covered = [chunk_id for each in given_back for chunk_id in each.metadata.get("expanded_chunk_ids", [each.id])]
        assert sorted(covered) == sorted(chunk.id for chunk in chunks)
        order = [chunk.id for chunk in chunks]
        firsts = [order.index(each.metadata.get("expanded_chunk_ids", [each.id])[0]) for each in given_back]
        assert firsts == sorted(firsts)
        world.catalogue.close()


def test_a_section_over_the_budget_stays_as_chunks_and_a_later_one_may_fit(world: World) -> None:
    world.write("small.md", "# s\n\n" + "A small field lies here alone. " * 4 + "\n\n" + "Another field of it. " * 5)
    world.sync(splitter=small_splitter())
    hits = found(world)
    [large, *_] = [chunk for chunk in hits if chunk.metadata["source"] == "cat.md"]
    small = [chunk for chunk in hits if chunk.metadata["source"] == "small.md"]
    chunks = [large, *small]
    assert ParentExpansion(world.catalogue, 1).expand(chunks) == chunks
    whole = ParentExpansion(world.catalogue, 100_000).expand(chunks)
    assert len(whole) == 2
    budget = len(large.page_content) + len(whole[1].page_content)
    assert ParentExpansion(world.catalogue, budget).expand(chunks) == [large, whole[1]]


def test_a_section_that_the_caller_may_not_read_stays_as_chunks(world: World) -> None:
    world.write("secret.md", "---\npermission: leads\n---\n# s\n\n" + "A secret field of sentences is here.\n\n" * 8)
    world.sync(splitter=small_splitter())
    chunks = [each for each in found(world, labels=["leads"]) if each.metadata["source"] == "secret.md"]
    expansion = ParentExpansion(world.catalogue, 100_000)
    assert all("expanded_chunk_ids" in each.metadata for each in expansion.expand(chunks, labels="leads"))
    assert expansion.expand(chunks, labels=["hr"]) == chunks
    # Even if the catalogue's access keys were wrong, what the section says of itself holds.
    with world.catalogue.writing() as connection:
        connection.execute("UPDATE parents SET access = ''")
    assert expansion.expand(chunks, labels=["hr"]) == chunks


def test_a_section_that_changed_meanwhile_stays_as_chunks(world: World) -> None:
    chunks = found(world)
    expansion = ParentExpansion(world.catalogue, 100_000)
    with world.catalogue.writing() as connection:
        connection.execute("UPDATE parents SET content = 'something else'")
    assert expansion.expand(chunks) == chunks
    world.remove("cat.md")
    world.write("dog.md", "short")
    world.sync(splitter=small_splitter())
    assert expansion.expand(chunks) == chunks


def test_what_was_merged_into_chunks_is_told_of_the_section(world: World) -> None:
    chunks = [each for each in found(world) if each.metadata["source"] == "cat.md"][:2]
    for number, chunk in enumerate(chunks):
        chunk.metadata |= {"parent_id": chunks[0].metadata["parent_id"], "overlap": 0}
        chunk.metadata |= {"merged_sources": [f"{number}.md", "x.md"], "merged_chunk_ids": [str(number)]}
        chunk.page_content = "sentence"
    [section] = ParentExpansion(world.catalogue, 100_000).expand(chunks)
    assert section.metadata["merged_sources"] == ["0.md", "x.md", "1.md"]
    assert section.metadata["merged_chunk_ids"] == ["0", "1"]


def test_a_quote_from_a_section_is_placed_in_the_note_that_its_words_came_from(tmp_path: Path) -> None:
    world = World(tmp_path, "memory")
    words = "".join(f"The cat of sentence {number} walks.\n\n" for number in range(9))
    world.write("host.md", f"# Cats\n\n{words}![[guest]]\n\nThe cat at the end.\n")
    world.write("guest.md", "first line\n\nThe cat of the guest sleeps.\n")
    world.sync(splitter=small_splitter())
    chunks = [each for each in found(world, "cat guest sleeps") if each.metadata["source"] == "host.md"]
    sections = ParentExpansion(world.catalogue, 100_000).expand(chunks)
    (section,) = [each for each in sections if "guest sleeps" in each.page_content]
    for quote, path, line in (("The cat of the guest sleeps.", "guest.md", 3), ("sentence 2 walks", "host.md", 7)):
        start = section.page_content.index(quote)
        place = locate_quote(section, start, start + len(quote))
        assert (place.path, place.start_line) == (path, line)
