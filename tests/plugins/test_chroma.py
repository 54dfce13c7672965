from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding

from obsirag.errors import ConfigError, MissingExtraError
from obsirag.plugins import chroma
from obsirag.plugins.chroma import vector_store
from obsirag.plugins.chroma_store import NOTHING, to_where

EMBEDDINGS = DeterministicFakeEmbedding(size=6)


@pytest.fixture
def store(tmp_path: Path) -> Any:
    return vector_store({}, EMBEDDINGS, tmp_path)


def test_what_is_written_stays(store: Any, tmp_path: Path) -> None:
    store.add_texts(["a", "b"], [{"x": 1}, {"x": 2}], ids=["1", "2"])
    again: Any = vector_store({}, EMBEDDINGS, tmp_path)
    assert sorted(again.ids()) == ["1", "2"]
    assert again.similarity_search("b", k=1) == [Document("b", id="2", metadata={"x": 2})]


def test_an_id_is_replaced_with_its_metadata(store: Any) -> None:
    store.add_documents([Document("a", metadata={"x": 1})], ids=["1"])
    store.add_documents([Document("b", metadata={"y": 2})], ids=["1"])
    assert store.get_by_ids(["1"]) == [Document("b", id="1", metadata={"y": 2})]


def test_no_ids_delete_nothing(store: Any) -> None:
    store.add_texts(["a", "b"], ids=["1", "2"])
    store.delete([])
    store.delete(None)
    store.delete(["unknown", "2"])
    assert store.ids() == ["1"]


def test_no_ids_find_nothing(store: Any) -> None:
    assert store.get_by_ids([]) == []


def test_batches_may_be_larger_than_chroma_takes(store: Any) -> None:
    count = store._client.get_max_batch_size() + 10
    names = [str(number) for number in range(count)]
    vectors = np.random.default_rng(1).normal(size=(count, 4)).astype(np.float32)
    store.add_vectors(names, names, vectors, [{"access": ""}] * count)
    assert len(store.ids()) == count
    store.delete(names)
    assert store.ids() == []


def test_vectors_of_another_length_fit_after_a_reset(store: Any) -> None:
    store.add_texts(["a"], ids=["1"])
    store.reset()
    store.add_vectors(["1"], ["a"], np.ones((1, 3), dtype=np.float32), [{"access": ""}])
    assert [each.id for each in store.similarity_search_by_vector([1.0, 0.0, 0.0], 5)] == ["1"]


def test_another_process_is_seen_by_a_store_that_is_opened_then(store: Any, tmp_path: Path) -> None:
    store.add_texts(["a"], [{"access": ""}], ids=["1"])
    assert len(store.similarity_search("a", k=5)) == 1
    code = (
        "import sys; from pathlib import Path; from langchain_core.embeddings import DeterministicFakeEmbedding as E\n"
        "from obsirag.plugins.chroma import vector_store\n"
        "vector_store({}, E(size=6), Path(sys.argv[1])).add_texts(['b'], [{'access': ''}], ids=['2'])"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True, timeout=120)
    again: Any = vector_store({}, EMBEDDINGS, tmp_path)
    assert {each.id for each in again.similarity_search("b", k=5)} == {"1", "2"}


def test_options_reach_the_collection(tmp_path: Path) -> None:
    store: Any = vector_store({"collection": "other", "m": 8, "ef": 50}, EMBEDDINGS, tmp_path)
    assert store._collection.name == "other"
    hnsw = store._collection._model.configuration_json["hnsw"]
    assert (hnsw["space"], hnsw["max_neighbors"], hnsw["ef_search"]) == ("cosine", 8, 50)
    for wrong in ({"collection": "ab"}, {"m": 0}, {"path": "x"}):
        with pytest.raises(ConfigError):
            vector_store(wrong, EMBEDDINGS, tmp_path)


def test_a_missing_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chroma, "find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"obsirag\[chroma\]"):
        vector_store({}, EMBEDDINGS, tmp_path)


@pytest.mark.parametrize(
    ("filter", "where"),
    [
        (None, None),
        ({}, None),
        ({"a": 1}, {"a": {"$eq": 1}}),
        ({"a": 1, "b": {"$gt": 2, "$lt": 5}}, {"$and": [{"a": {"$eq": 1}}, {"b": {"$gt": 2}}, {"b": {"$lt": 5}}]}),
        ({"$and": [{"a": 1}]}, {"a": {"$eq": 1}}),
        ({"$and": []}, None),
        ({"$or": []}, NOTHING),
        ({"a": {"$in": []}}, NOTHING),
        ({"a": {"$nin": []}}, None),
        ({"$and": [{"a": {"$in": []}}, {"b": 1}]}, NOTHING),
        ({"$or": [{"a": {"$in": []}}, {"b": 1}]}, {"b": {"$eq": 1}}),
        ({"$or": [{"a": {"$nin": []}}, {"b": 1}]}, None),
        ({"a": {"$in": ("x", "y")}}, {"a": {"$in": ["x", "y"]}}),
    ],
)
def test_filters_are_put_in_chromas_form(filter: Any, where: Any) -> None:  # noqa: A002 - what is tested is called so
    assert to_where(filter) == where
    assert (to_where(filter) is NOTHING) == (where is NOTHING)
