from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from index_worlds import CountingEmbeddings, World
from obsirag.errors import CatalogueError, ConfigError
from obsirag.plugins.memory import MemoryVectorStore
from obsirag.retrievers import SearchError, VectorSearch


@pytest.fixture(params=["memory", "chroma"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> World:
    world = World(tmp_path, request.param)
    world.embeddings = CountingEmbeddings(256)
    return world


def test_the_score_is_the_cosine_and_the_best_comes_first(world: World) -> None:
    world.write("a.md", "cat cat cat")
    world.write("b.md", "dog")
    world.write("c.md", "car engine")
    world.sync()
    hits = world.vectors().search("cat")
    scores = [hit.metadata["score"] for hit in hits]
    assert hits[0].metadata["source"] == "a.md"
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == pytest.approx(1.0)
    assert scores[1] == pytest.approx(0.0, abs=1e-6)


def test_booleans_are_filtered_as_booleans(world: World) -> None:
    world.write("a.md", "---\npublish: true\n---\nalpha")
    world.write("b.md", "---\npublish: false\n---\nalpha")
    world.write("c.md", "alpha")
    world.sync()
    for search in (world.vectors(), world.keywords()):
        for wanted, expected in ((True, ["a.md"]), (False, ["b.md"])):
            hits = search.search("alpha", filter={"publish": wanted})  # type: ignore[attr-defined]
            assert [hit.metadata["source"] for hit in hits] == expected


def test_a_filter_on_chunks_finds_as_many_as_asked_for(world: World) -> None:
    for number in range(30):
        world.write(f"{number:02}.md", f"alpha {number}\n\n# Part\n\n" + "beta " * 300 + "\n\n```cpp\nint x;\n```\n")
    world.sync()
    hits = world.vectors().search("alpha", filter={"has_code": True, "source": {"$nin": ["03.md"]}}, limit=10)
    assert len(hits) == 10
    assert all(hit.metadata["has_code"] for hit in hits)
    assert "03.md" not in {hit.metadata["source"] for hit in hits}


def test_dead_vectors_do_not_crowd_out_the_living(world: World) -> None:
    for number in range(40):
        world.write(f"{number:02}.md", "alpha")
    world.sync()
    search = world.vectors()
    search.search("alpha")
    store: Any = search._opened()
    ghosts = [f"ghost {number}" for number in range(100)]
    store.add_documents([Document("alpha", metadata={"access": "", "source": "00.md"}) for _ in ghosts], ids=ghosts)
    assert len(search.search("alpha", limit=40)) == 40


def test_another_model_is_refused(world: World) -> None:
    world.write("a.md", "x")
    world.sync()
    with pytest.raises(CatalogueError, match=r"hashing:256.*hashing:8"):
        VectorSearch(world.catalogue, CountingEmbeddings(8), world.open_store)
    other = CountingEmbeddings(8)
    other.model_id = world.embeddings.model_id
    with pytest.raises(CatalogueError, match=r"256.*8"):
        VectorSearch(world.catalogue, other, world.open_store).search("x")


def test_a_store_that_does_not_listen_is_not_believed(tmp_path: Path) -> None:
    class Deaf(MemoryVectorStore):
        def similarity_search_by_vector(self, embedding: list[float], k: int = 4, **kwargs: Any) -> list[Document]:
            return super().similarity_search_by_vector(embedding, k)

    world = World(tmp_path, "memory")
    world.write("a.md", "alpha")
    world.write("b.md", "---\npermission: boss\n---\nalpha")
    world.sync()
    search = VectorSearch(world.catalogue, world.embeddings, Deaf)
    assert [hit.metadata["source"] for hit in search.search("alpha")] == ["a.md"]
    assert [hit.metadata["source"] for hit in search.search("alpha", labels=["boss"], filter={"source": "b.md"})] == [
        "b.md"
    ]


def test_what_fails_is_named_without_the_texts_it_was_given(tmp_path: Path) -> None:
    class Broken(MemoryVectorStore):
        def similarity_search_by_vector(self, embedding: list[float], k: int = 4, **kwargs: Any) -> list[Document]:
            raise RuntimeError("secret text")

    world = World(tmp_path, "memory")
    world.write("a.md", "alpha")
    world.sync()
    with pytest.raises(SearchError, match="vector_store") as caught:
        VectorSearch(world.catalogue, world.embeddings, Broken).search("alpha")
    assert (caught.value.part, "secret" in str(caught.value)) == ("vector_store", False)


def test_an_empty_index_and_an_empty_question_find_nothing(world: World) -> None:
    assert world.vectors().search("x") == []
    world.write("a.md", "x")
    world.sync()
    assert world.vectors().search(" ") == world.vectors().search("x", limit=0) == []
    with pytest.raises(ConfigError):
        world.vectors().search("x", filter={"a": {"$bad": 1}})


async def test_async_finds_the_same(world: World) -> None:
    world.write("a.md", "cat")
    world.write("b.md", "dog")
    world.sync()
    search = world.vectors()
    assert await search.asearch("cat") == search.search("cat")


def test_langchains_store_in_memory_will_do(tmp_path: Path) -> None:
    world = World(tmp_path, "memory")
    store = InMemoryVectorStore(world.embeddings)
    world.write("a.md", "---\nyear: 1\n---\nalpha")
    world.write("b.md", "---\npermission: boss\n---\nalpha")
    world.sync(open_store=lambda _: store)
    world.remove("a.md")
    world.write("c.md", "---\nyear: 2\n---\nalpha")
    world.sync(open_store=lambda _: store)
    assert len(store.store) == 2
    search = VectorSearch(world.catalogue, world.embeddings, lambda _: store)
    assert [hit.metadata["source"] for hit in search.search("alpha")] == ["c.md"]
    assert [hit.metadata["source"] for hit in search.search("alpha", labels=["boss"])] == ["b.md", "c.md"]
    assert search.search("alpha", filter={"year": 1}) == []
