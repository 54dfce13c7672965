from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding

from obsirag.errors import ConfigError
from obsirag.plugins.memory import MemoryVectorStore, vector_store

EMBEDDINGS = DeterministicFakeEmbedding(size=6)


@pytest.fixture
def store() -> MemoryVectorStore:
    return MemoryVectorStore(EMBEDDINGS)


def test_the_nearest_come_first(store: MemoryVectorStore) -> None:
    store.add_texts(["a", "b", "c"], ids=["1", "2", "3"])
    assert store.similarity_search("b", k=1) == [Document("b", id="2")]
    ((document, score),) = store.similarity_search_with_score("c", k=1)
    assert (document.id, score) == ("3", pytest.approx(1.0))


def test_an_id_is_replaced_with_its_metadata(store: MemoryVectorStore) -> None:
    store.add_documents([Document("a", metadata={"x": 1})], ids=["1"])
    store.add_documents([Document("b", metadata={"y": 2})], ids=["1"])
    assert store.get_by_ids(["1"]) == [Document("b", id="1", metadata={"y": 2})]
    assert store.ids() == ["1"]


def test_no_ids_delete_nothing(store: MemoryVectorStore) -> None:
    store.add_texts(["a", "b"], ids=["1", "2"])
    store.delete([])
    store.delete(None)
    store.delete(["unknown", "2"])
    assert store.ids() == ["1"]


def test_the_filter_is_part_of_the_search(store: MemoryVectorStore) -> None:
    store.add_texts(["a"] * 10, [{"access": str(number % 2)} for number in range(10)])
    found = store.similarity_search("a", k=5, filter={"access": {"$in": ["1"]}})
    assert [document.metadata["access"] for document in found] == ["1"] * 5
    assert store.similarity_search("a", filter={"access": {"$in": []}}) == []


def test_an_empty_store_finds_nothing(store: MemoryVectorStore) -> None:
    assert store.similarity_search("a") == store.similarity_search("a", k=0) == []


@given(st.integers(1, 40), st.integers(1, 12), st.randoms(use_true_random=False))
def test_the_search_is_exact(count: int, k: int, chance: object) -> None:
    numbers = np.random.default_rng(chance.randrange(2**32))  # type: ignore[attr-defined]
    vectors = numbers.normal(size=(count, 5)).astype(np.float32)
    query = numbers.normal(size=5)
    names = [str(number) for number in range(count)]
    store = MemoryVectorStore(EMBEDDINGS)
    store.add_vectors(names, names, vectors, [{}] * count)
    cosines = vectors @ query / np.linalg.norm(vectors, axis=1)
    found = [int(document.id or -1) for document in store.similarity_search_by_vector(query.tolist(), k)]
    assert cosines[found] == pytest.approx(np.sort(cosines)[::-1][:k], abs=1e-5)


def test_threads_may_write_and_search_together(store: MemoryVectorStore) -> None:
    def write(name: str) -> None:
        for number in range(50):
            store.add_texts([f"{name} {number}"], ids=[f"{name} {number}"])
            store.similarity_search("x", k=3)
            store.delete([f"{name} {number - 1}"])

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(store.ids()) == ["a 49", "b 49", "c 49"]


def test_the_plugin_takes_no_options(tmp_path: Path) -> None:
    assert vector_store({}, EMBEDDINGS, tmp_path).ids() == []
    with pytest.raises(ConfigError):
        vector_store({"size": 3}, EMBEDDINGS, tmp_path)
