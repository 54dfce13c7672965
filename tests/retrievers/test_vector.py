from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from langchain_core.documents import Document
from langchain_core.vectorstores import InMemoryVectorStore

from index_worlds import CountingEmbeddings, World
from obsirag.catalogue import Catalogue
from obsirag.errors import CatalogueError, ConfigError, PluginError
from obsirag.plugins.memory import MemoryVectorStore
from obsirag.retrievers import SearchError, VectorSearch
from obsirag.retrievers.scope import Scope


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
    with pytest.raises(SearchError, match=r"256.*8"):
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


@pytest.mark.parametrize(
    "vector", [None, 1.0, "text", [], ["a"], [[0.5] * 256], [0.5] * 5, [float("nan")] * 256, [float("inf")] * 256]
)
async def test_what_is_no_vector_of_the_index_is_a_failure_of_the_model(
    world: World, vector: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write("a.md", "alpha")
    world.sync()
    search = world.vectors()
    monkeypatch.setattr(world.embeddings, "embed_query", lambda _: vector)
    with pytest.raises(SearchError) as failure:
        search.search("alpha")
    assert failure.value.part == "embeddings"
    with pytest.raises(SearchError):
        await search.asearch("alpha")
    assert world.retriever().search("alpha").degraded == ("embeddings",)


@pytest.mark.parametrize(
    "hits", [None, 7, [None], [("alpha", 1.0)], [(Document("alpha", id="a"), 1.0)], [Document("alpha")]]
)
def test_what_are_no_hits_is_a_failure_of_the_store(tmp_path: Path, hits: Any) -> None:
    class Odd(MemoryVectorStore):
        def similarity_search_by_vector(self, embedding: list[float], k: int = 4, **kwargs: Any) -> list[Document]:
            return hits  # type: ignore[no-any-return]

    world = World(tmp_path, "memory")
    world.write("a.md", "alpha")
    world.sync()
    with pytest.raises(SearchError) as failure:
        VectorSearch(world.catalogue, world.embeddings, Odd).search("alpha")
    assert failure.value.part == "vector_store"


def test_a_store_that_cannot_be_opened_fails_with_its_reason(tmp_path: Path) -> None:
    def refuse(_: Any) -> Any:
        raise PluginError("the file is no database")

    world = World(tmp_path, "memory")
    world.write("a.md", "alpha")
    world.sync()
    with pytest.raises(SearchError, match="no database") as failure:
        VectorSearch(world.catalogue, world.embeddings, refuse).search("alpha")
    assert failure.value.part == "vector_store"


@pytest.mark.parametrize("fresh", [False, True])
def test_a_store_that_always_has_more_comes_to_an_end(tmp_path: Path, fresh: bool) -> None:
    asked: list[int] = []

    class Endless(MemoryVectorStore):
        def similarity_search_by_vector(self, embedding: list[float], k: int = 4, **kwargs: Any) -> list[Document]:
            asked.append(k)
            first = super().similarity_search_by_vector(embedding, 1)
            return first + [Document("x", id=f"{number}") if fresh else first[0] for number in range(k - 1)]

    world = World(tmp_path, "memory")
    for name in ("a", "b", "c"):
        world.write(f"{name}.md", "alpha")
    world.sync()
    found = VectorSearch(world.catalogue, world.embeddings, Endless).search("alpha", limit=5)
    assert len(found) == 1
    assert max(asked) <= 100


def versions(world: World, number: int) -> None:
    for name in ("a", "b"):
        world.write(f"{name}.md", "\n\n".join(f"# Part {part}\n\nedition{number} {part} {name}" for part in range(3)))


@pytest.mark.parametrize("often", [1, 1000])
def test_a_search_during_which_a_writer_publishes_is_done_anew(world: World, often: int) -> None:
    versions(world, 0)
    world.sync()
    search = world.vectors()
    opened: Any = search._opened
    published: list[int] = []

    def publishing() -> Any:
        store = opened()
        if len(published) < often:
            published.append(len(published) + 1)
            versions(world, published[-1])
            world.sync()
        return store

    search._opened = publishing  # type: ignore[method-assign]
    whole = len(world.vectors().search("edition0"))
    texts = [hit.page_content for hit in search.search("edition part")]
    if often == 1:
        assert len(texts) == whole
        assert all("edition1" in text for text in texts)
    assert len(published) <= 3 * often
    assert len({text.split("edition")[1].split()[0] for text in texts}) <= 1


def test_a_removed_index_is_not_searched_any_longer(world: World) -> None:
    world.write("a.md", "alpha secret")
    world.write("b.md", "---\nyear: 1\n---\nalpha")
    world.sync()
    retriever = world.retriever()
    assert len(retriever.invoke("alpha", filter={"source": {"$ne": "x"}})) == 2
    shutil.rmtree(world.index)
    with pytest.raises(CatalogueError):
        retriever.invoke("alpha")
    world.write("a.md", "---\npermission: boss\n---\nalpha secret")
    world.write("b.md", "---\nyear: 2\n---\nalpha")
    with Catalogue.open(world.index) as anew:
        world.sync(catalogue=anew)
    for ask in (retriever.invoke, retriever.vectors.search, retriever.keywords.search):  # type: ignore[union-attr]
        assert [hit.metadata["source"] for hit in ask("alpha")] == ["b.md"]
        assert ask("alpha", filter={"year": 1}) == []
        assert len(ask("alpha", labels="boss", filter={"source": "a.md"})) == 1


class Scaled(CountingEmbeddings):
    """A model whose vectors are much longer or shorter than others'."""

    def __init__(self, of_notes: float, of_queries: float) -> None:
        super().__init__(256)
        self._of_notes, self._of_queries = of_notes, of_queries

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [[self._of_notes * each for each in vector] for vector in super().embed_documents(texts)]

    def embed_query(self, text: str) -> list[float]:
        return [self._of_queries * each for each in super().embed_documents([text])[0]]


@pytest.mark.parametrize("of_notes", [1e-30, 1.0, 1e30])
@pytest.mark.parametrize("of_queries", [1e-30, 1.0, 1e30])
def test_the_length_of_vectors_does_not_matter(tmp_path: Path, of_notes: float, of_queries: float) -> None:
    world = World(tmp_path, "memory")
    world.embeddings = Scaled(of_notes, of_queries)
    world.write("a.md", "cat cat cat")
    world.write("b.md", "dog")
    world.sync()
    with np.errstate(all="raise"):
        hits = world.vectors().search("cat")
    assert [hit.metadata["source"] for hit in hits] == ["a.md", "b.md"]
    assert [hit.metadata["score"] for hit in hits] == pytest.approx([1.0, 0.0], abs=1e-6)


def test_a_store_is_not_asked_for_very_many_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(tmp_path, "chroma")
    for number in range(30):
        world.write(f"{number:02}.md", f"---\nkind: {number % 3}\n---\nalpha {number}")
    world.sync()
    monkeypatch.setattr("obsirag.retrievers.scope._MOST_SOURCES", 5)
    found = world.vectors().search("alpha", filter={"kind": {"$ne": 2}}, limit=15)
    assert len(found) == 15
    assert {hit.metadata["kind"] for hit in found} == {0, 1}
    assert Scope((1, 0), [""], everything=True, sources=[f"{number}.md" for number in range(6)]).store_filter() is None
