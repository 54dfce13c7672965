"""All stages together: in their order, sync and async, and nobody gets what they may not read."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field

from index_worlds import World
from obsirag.errors import ConfigError
from obsirag.retrievers import (
    DuplicateMerging,
    LinkedNotes,
    ParentExpansion,
    QueryCache,
    Reranking,
    ScoringReranker,
    SearchError,
    StagedRetriever,
)
from obsirag.splitters import ObsidianSplitter


class ByLength(ScoringReranker):
    """Prefers short passages, and remembers what it read."""

    read: list[str] = Field(default_factory=list)
    fails: bool = False

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        if self.fails:
            raise ConnectionError
        self.read += texts
        return [-float(len(text)) for text in texts]


def staged(world: World, *, pool: int = 10, reranker: Any = None, **options: Any) -> StagedRetriever:
    catalogue = world.catalogue
    stages: dict[str, Any] = {
        "linking": LinkedNotes(catalogue, 3),
        "reranking": Reranking(reranker=reranker or ByLength(), min_candidates=1),
        "merging": DuplicateMerging(catalogue),
        "expansion": ParentExpansion(catalogue, 5000),
        "cache": QueryCache(catalogue, 50),
    }
    return StagedRetriever(hybrid=world.retriever(limit=pool), **(stages | options))


NO_STAGES = dict.fromkeys(("linking", "reranking", "merging", "expansion", "cache"))


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path, "memory")
    for name in ("cat", "dog", "car"):
        world.write(f"{name}.md", f"a note on the {name}\n\n# More\n\n" + f"{name} words here. " * 60)
    world.write("copy.md", "a note on the cat\n\n# More\n\n" + "cat words here. " * 60)
    world.write("short.md", "cat. See [[far]]")
    world.write("far.md", "far words")
    world.sync()
    return world


def sources(documents: Any) -> list[str]:
    return list(dict.fromkeys(document.metadata["source"] for document in documents))


@pytest.mark.parametrize("query", ["cat words", "dog", "nothing of it", ""])
def test_without_stages_it_is_the_search_itself(world: World, query: str) -> None:
    for limit in (1, 2, 9):
        expected = world.retriever(limit=limit).search(query)
        assert staged(world, limit=limit, **NO_STAGES).search(query) == expected


def test_the_stages_come_in_their_order(world: World) -> None:
    documents = staged(world, limit=3, pool=3).invoke("cat")
    hits = [each for each in documents if "linked_from" not in each.metadata]
    assert sources(hits)[0] == "short.md"  # reranked
    assert len(sources(hits)) == 2
    assert all("rerank_score" in each.metadata and "expanded_chunk_ids" in each.metadata for each in hits[1:])
    assert {"cat.md", "copy.md"} >= set(sources(hits)[1:])
    assert hits[1].metadata["merged_sources"]
    [linked] = [each for each in documents if "linked_from" in each.metadata]
    assert (linked.metadata["source"], linked.metadata["linked_from"]) == ("far.md", ["short.md"])
    assert "degraded" not in hits[0].metadata


async def test_async_finds_the_same(world: World) -> None:
    for query in ("cat words", "dog", ""):
        assert await staged(world).ainvoke(query) == staged(world).invoke(query)


async def test_a_reranker_that_fails_is_told_and_its_hits_are_not_kept(world: World) -> None:
    reranker = ByLength(fails=True)
    retriever = staged(world, reranker=reranker)
    assert retriever.invoke("cat")[0].metadata["degraded"] == ["reranker"]
    assert (await retriever.ainvoke("cat"))[0].metadata["degraded"] == ["reranker"]
    reranker.fails = False
    assert retriever.search("cat").degraded == ()
    assert "rerank_score" in retriever.invoke("cat")[0].metadata


async def test_a_query_that_was_asked_before_is_not_searched_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    reranker = ByLength()
    retriever = staged(world, reranker=reranker)
    first = retriever.search("cat words")
    read = len(reranker.read)

    def fail(*_: Any) -> Any:
        raise ConnectionError

    monkeypatch.setattr(world.embeddings, "embed_query", fail)
    for again in (retriever.search("Cat  words"), await retriever.asearch("cat words")):
        assert again == first
        assert again.documents[0] is not first.documents[0]
    assert len(reranker.read) == read
    assert retriever.search("other words").degraded == ("embeddings",)


@pytest.mark.parametrize("change", ["limit", "candidates", "reranking", "weights"])
def test_other_settings_find_anew(world: World, change: str) -> None:
    reranker = ByLength()
    retriever = staged(world, reranker=reranker)
    retriever.search("cat words")
    read = len(reranker.read)
    if change == "limit":
        retriever.limit = 1
    elif change == "reranking":
        retriever.reranking = Reranking(reranker=reranker, max_characters=20)
    else:
        setattr(retriever.hybrid, change, {"candidates": 7, "weights": (1.0, 0.0)}[change])
    retriever.search("cat words")
    assert len(reranker.read) > read


def test_a_change_of_the_index_is_seen_at_once(world: World) -> None:
    retriever = staged(world)
    assert "new.md" not in sources(retriever.invoke("cat"))
    world.write("new.md", "cat")
    world.sync()
    assert "new.md" in sources(retriever.invoke("cat"))
    world.write("new.md", "---\npermission: leads\n---\ncat")
    world.sync()
    assert "new.md" not in sources(retriever.invoke("cat"))
    assert "new.md" in sources(retriever.invoke("cat", labels="leads"))


async def test_a_similar_query_uses_the_hits_of_the_other(world: World) -> None:
    cache = QueryCache(world.catalogue, 9, similarity=0.5)
    reranker = ByLength()
    retriever = staged(world, reranker=reranker, cache=cache)
    first = retriever.search("the cat words here")
    read = len(reranker.read)
    assert retriever.search("cat words here") == first
    assert await retriever.asearch("cat words here please") == first
    assert len(reranker.read) == read
    assert retriever.search("cat words here 2") != first
    assert len(reranker.read) > read


async def test_what_cannot_be_read_is_an_error_and_so_is_a_search_that_fails_whole(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    retriever = staged(world)
    for wrong in ({"query": 3}, {"query": "q", "labels": 7}, {"query": "q", "filter": {"$x": 1}}):
        with pytest.raises(ConfigError):
            retriever.search(**wrong)  # type: ignore[arg-type]
        with pytest.raises(ConfigError):
            await retriever.asearch(**wrong)  # type: ignore[arg-type]

    def fail(*_: Any) -> Any:
        raise ConnectionError

    monkeypatch.setattr(world.embeddings, "embed_query", fail)
    with world.catalogue.writing() as connection:
        connection.execute("DROP TABLE terms")
    with pytest.raises(SearchError):
        retriever.search("cat")


label_sets = st.lists(st.sampled_from(["boss", "hr", "dev"]), max_size=2, unique=True)
edges = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(["!", ""])), max_size=6)


@settings(max_examples=40, deadline=None)
@given(st.lists(label_sets, min_size=4, max_size=4), edges, st.booleans(), st.randoms(use_true_random=False))
def test_nobody_gets_what_they_may_not_read(
    permissions: list[list[str]], links: list[tuple[int, int, str]], asks_async: bool, random: Any
) -> None:
    """Law 13, for every stage with one cache for all: hits, links, reranker's input, merged, sections, logs."""
    logged: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: logged.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("obsirag").addHandler(handler)
    with tempfile.TemporaryDirectory() as name:
        world = World(Path(name), "memory")
        words = [f"codeword{number}" for number in range(4)]
        for number, wanted in enumerate(permissions):
            linked = "\n\n".join(f"{mark}[[n{other}]]" for host, other, mark in links if host == number)
            front = f"---\npermissions: [{', '.join(wanted)}]\n---\n" if wanted else ""
            # All notes are near-duplicates but for one word; several chunks share a section.
            body = "\n\n".join(f"some words of all notes, part {part}" for part in range(3))
            world.write(f"n{number}.md", f"{front}{body} {words[number]}\n\n{linked}\n\nend of {words[number]}\n")
        world.sync(splitter=ObsidianSplitter(chunk_size=80, parent_chunk_size=400, chunk_overlap=10))
        reranker = ByLength()
        retriever = staged(
            world,
            pool=2,
            limit=2,
            reranker=reranker,
            merging=DuplicateMerging(world.catalogue, 0.5),
            cache=QueryCache(world.catalogue, 50, similarity=0.5),
        )
        callers = [[], ["boss"], ["hr", "dev"], ["boss", "hr", "dev"], ["unknown"]]
        asked = [(held, query) for held in callers for query in ("words of all notes", "some words", *words)] * 2
        random.shuffle(asked)
        for held, query in asked:
            secret = [number for number, wanted in enumerate(permissions) if wanted and not set(wanted) & set(held)]
            reranker.read.clear()
            found = (
                asyncio.run(retriever.asearch(query, labels=held))
                if asks_async
                else retriever.search(query, labels=held)
            )
            texts = [each.page_content for each in found.documents]
            told = [
                str(each.metadata.get(field))
                for each in found.documents
                for field in ("linked_from", "source", "merged_sources")
            ]
            for number in secret:
                assert not any(words[number] in text for text in (*texts, *reranker.read, *logged))
                assert not any(f"n{number}.md" in each for each in told)
        world.catalogue.close()
    logging.getLogger("obsirag").removeHandler(handler)
