from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from index_worlds import World
from obsirag.retrievers import HybridRetriever, LinkedNotes, SearchResult
from obsirag.retrievers.request import SearchRequest


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, "memory")
    world.write("hit.md", "zebra zebra zebra, see [[linked]] and [[secret]]")
    world.write("linked.md", "a horse with stripes and a zebra's mane")
    world.write("linking.md", "the animals of [[hit]] in words, a zebra among them")
    world.write("far.md", "nothing of it")
    world.write("secret.md", "---\npermission: leads\n---\na hidden zebra of [[hit]]")
    world.sync()
    return world


def add(world: World, query: str, *, count: int = 5, hits: int = 1, retriever: Any = None, **bounds: Any) -> Any:
    hybrid = retriever or world.retriever(limit=1)
    request = SearchRequest.from_caller(query, bounds.get("labels"), bounds.get("filter"))
    embedded = hybrid.embed(request)
    found = hybrid.search_embedded(request, embedded)
    return found, LinkedNotes(world.catalogue, count).add(hybrid, request, embedded, found, hits=hits)


def sources(documents: Any) -> list[str]:
    return list(dict.fromkeys(document.metadata["source"] for document in documents))


def test_linked_and_linking_notes_come_behind_the_hits_and_below_them(world: World) -> None:
    found, result = add(world, "zebra")
    assert sources(found.documents) == ["hit.md"]
    assert result.documents[: len(found.documents)] == found.documents
    further = result.documents[len(found.documents) :]
    assert set(sources(further)) == {"linked.md", "linking.md"}
    assert all(each.metadata["linked_from"] == ["hit.md"] for each in further)
    assert all("linked_from" not in each.metadata for each in found.documents)
    scores = [each.metadata["score"] for each in result.documents]
    assert scores == sorted(scores, reverse=True)
    assert max(each.metadata["score"] for each in further) < min(each.metadata["score"] for each in found.documents)


def test_their_number_is_bounded(world: World) -> None:
    _, result = add(world, "zebra", count=1)
    assert len(sources(result.documents)) == 2


def test_labels_and_filters_hold_for_them_too(world: World) -> None:
    _, result = add(world, "zebra", labels=["leads"])
    assert "secret.md" in sources(result.documents)
    wanted = {"source": {"$in": ["hit.md", "linking.md"]}}
    _, result = add(world, "zebra", filter=wanted)
    assert sources(result.documents) == ["hit.md", "linking.md"]
    _, result = add(world, "zebra", filter={"source": "hit.md"})
    assert sources(result.documents) == ["hit.md"]


def test_what_was_found_anyway_is_no_further_candidate(world: World) -> None:
    found, result = add(world, "zebra", retriever=world.retriever(limit=9), hits=9)
    assert result == found


def test_without_hits_there_are_no_links_to_follow(world: World) -> None:
    hybrid = HybridRetriever(keywords=world.keywords())
    found, result = add(world, "unheard", retriever=hybrid)
    assert result is found
    assert result == SearchResult([])


def test_if_the_second_search_fails_the_hits_stay_and_it_is_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    hybrid = HybridRetriever(keywords=world.keywords(), limit=1)
    request = SearchRequest("zebra")
    found = hybrid.search_embedded(request, None)
    with world.catalogue.writing() as connection:
        connection.execute("DROP TABLE terms")
    result = LinkedNotes(world.catalogue, 5).add(hybrid, request, None, found, hits=1)
    assert result == (found.documents, ("keyword_search",))
