from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from index_worlds import World
from obsirag.retrievers import QueryCache
from obsirag.retrievers.query_cache import normalised
from obsirag.retrievers.request import SearchRequest

HITS = [Document(id="c", page_content="text", metadata={"tags": ["t"], "source": "a.md"})]


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.write("a.md", "public words")
    world.write("b.md", "---\npermission: leads\n---\nsecret words")
    world.sync()
    return world


def key_of(cache: QueryCache, query: str, *, settings: Any = (), **bounds: Any) -> Any:
    return cache.key(SearchRequest.from_caller(query, bounds.get("labels"), bounds.get("filter")), settings)


def remember(cache: QueryCache, query: str, vector: Any = None, **bounds: Any) -> None:
    key = key_of(cache, query, **bounds)
    cache.remember(key, query, None if vector is None else np.asarray(vector, np.float32), HITS)


def recall(cache: QueryCache, query: str, **bounds: Any) -> Any:
    return cache.recall(key_of(cache, query, **bounds))


@pytest.mark.parametrize(
    ("one", "other"),
    [("UE5 Pool", " ue5  pool\n"), ("ＵＥ５", "ue5"), ("Straße", "STRASSE"), ("ﬁle", "file"), ("a\u00a0b", "a b")],
)
def test_case_width_and_blanks_make_no_other_query(world: World, one: str, other: str) -> None:
    cache = QueryCache(world.catalogue, 3)
    remember(cache, one)
    assert recall(cache, other) == HITS


@given(st.text())
def test_normalising_twice_changes_nothing(query: str) -> None:
    assert normalised(normalised(query)) == normalised(query)


FILTERS: list[Any] = [
    None,
    {},
    {"a": 1},
    {"a": 1.0},
    {"a": True},
    {"a": "1"},
    {"a": None},
    {"a": [1]},
    {"a": ["1"]},
    {"a": {"$in": {1}}},
    {"a": {"$in": {"1"}}},
    {"a": {"$gt": 1}},
    {"a": {"$gte": 1}},
    {"b": 1},
    {"a": 1, "b": 1},
    {"$and": [{"a": 1}]},
    {"$or": [{"a": 1}]},
]


def test_another_filter_finds_nothing(world: World) -> None:
    for kept in FILTERS:
        cache = QueryCache(world.catalogue, 3)
        remember(cache, "q", filter=kept)
        assert [asked for asked in FILTERS if recall(cache, "q", filter=asked)] == [kept]


def test_the_same_filter_written_otherwise_finds_it(world: World) -> None:
    cache = QueryCache(world.catalogue, 3)
    remember(cache, "q", filter={"a": date(2024, 1, 2), "b": {"$in": (1, 2)}})
    assert recall(cache, "q", filter={"b": {"$in": [1, 2]}, "a": "2024-01-02"}) == HITS


def test_other_rights_or_settings_or_another_state_find_nothing(world: World) -> None:
    cache = QueryCache(world.catalogue, 9)
    remember(cache, "q", labels=["leads"], settings=("limit", 5))
    assert recall(cache, "q", labels=["hr", "leads"], settings=("limit", 5)) == HITS  # who may read the same
    assert recall(cache, "q", labels=["hr"], settings=("limit", 5)) is None
    assert recall(cache, "q", settings=("limit", 5)) is None
    assert recall(cache, "q", labels=["leads"], settings=("limit", 6)) is None
    world.write("c.md", "more words")
    world.sync()
    assert recall(cache, "q", labels=["leads"], settings=("limit", 5)) is None


def test_hits_of_an_index_that_changed_meanwhile_are_not_kept(world: World) -> None:
    cache = QueryCache(world.catalogue, 9)
    key = key_of(cache, "q")
    world.write("c.md", "more words")
    world.sync()
    cache.remember(key, "q", None, HITS)
    assert cache.recall(key) is None


def test_what_comes_out_is_a_copy_and_so_is_what_goes_in(world: World) -> None:
    cache = QueryCache(world.catalogue, 3)
    given_in = [Document(id="c", page_content="text", metadata={"tags": ["t"], "source": "a.md"})]
    cache.remember(key_of(cache, "q"), "q", None, given_in)
    for documents in (given_in, recall(cache, "q"), recall(cache, "q")):
        documents[0].metadata["tags"].append("spoilt")
        documents[0].page_content = "spoilt"
        documents.clear()
    assert recall(cache, "q") == HITS


def test_the_least_recently_used_goes_first(world: World) -> None:
    cache = QueryCache(world.catalogue, 2)
    for query in ("one", "two"):
        remember(cache, query)
    recall(cache, "one")
    remember(cache, "three")
    assert [query for query in ("one", "two", "three") if recall(cache, query)] == ["one", "three"]


def similar(cache: QueryCache, query: str, vector: Any, **bounds: Any) -> Any:
    return cache.recall_similar(key_of(cache, query, **bounds), query, np.asarray(vector, np.float32))


def test_a_near_query_is_used_only_if_that_was_asked_for(world: World) -> None:
    for similarity, expected in ((None, None), (0.9, HITS)):
        cache = QueryCache(world.catalogue, 9, similarity=similarity)
        remember(cache, "how do I enable the cache", [1, 0])
        assert similar(cache, "how can I enable the cache", [2, 0.1]) == expected


@pytest.mark.parametrize("vector", [[0, 1], [1, 0.6], [0, 0], [1, 0, 0]])
def test_one_that_is_not_near_is_not_used(world: World, vector: Any) -> None:
    cache = QueryCache(world.catalogue, 9, similarity=0.9)
    remember(cache, "how do I enable the cache", [1, 0])
    assert similar(cache, "how can I enable the cache", vector) is None


@pytest.mark.parametrize(
    "query", ["how do I disable the cache", "how do I enable the cache 2", "how do I enable the Cache-L2"]
)
def test_one_that_asks_something_else_is_not_used_however_near(world: World, query: str) -> None:
    cache = QueryCache(world.catalogue, 9, similarity=0.9)
    remember(cache, "how do I enable the cache", [1, 0])
    assert similar(cache, query, [1, 0]) is None


def test_the_nearest_is_used_within_the_same_bounds(world: World) -> None:
    cache = QueryCache(world.catalogue, 9, similarity=0.9)
    remember(cache, "how do I enable the cache", [1, 0.1], labels=["leads"])
    asked = "how can I enable the cache"
    assert similar(cache, asked, [1, 0]) is None
    assert similar(cache, asked, [1, 0], labels=["leads"]) == HITS
    assert similar(cache, asked, [1, 0], labels=["leads"], filter={"a": 1}) is None
    near = [Document(id="near", page_content="near")]
    cache.remember(key_of(cache, "how to enable the cache", labels=["leads"]), "how to enable the cache",
                   np.asarray([1, 0.01], np.float32), near)  # fmt: skip
    assert similar(cache, asked, [1, 0], labels=["leads"]) == near
    world.write("c.md", "more words")
    world.sync()
    assert similar(cache, asked, [1, 0], labels=["leads"]) is None


def test_threads_do_not_disturb_each_other(world: World) -> None:
    cache = QueryCache(world.catalogue, 4, similarity=0.9)

    def use(number: int) -> bool:
        query = f"query {number % 6}"
        remember(cache, query, [1, number % 6])
        found = recall(cache, query)
        return found in (None, HITS) and similar(cache, query, [1, number % 6]) in (None, HITS)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(200)))
