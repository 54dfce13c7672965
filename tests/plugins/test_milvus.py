"""The vector store, the same wherever Milvus runs."""

from __future__ import annotations

import json
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding

from milvus_servers import WAYS, free_port, lite_server, milvus_running
from obsirag.errors import ServiceError
from obsirag.plugins.milvus import vector_store
from obsirag.retrievers import matches

EMBEDDINGS = DeterministicFakeEmbedding(size=6)

ODD = [
    'say "hi"',
    "back\\slash",
    "中文 名字.md",
    "it's",
    "line\nend\t.",
    '" or 1 == 1 or "',
    "\\",
    "%_{}[]$",
    "💾 é",
    "]",
]


@pytest.fixture(scope="module", params=WAYS)
def options(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with milvus_running(request.param, tmp_path_factory.mktemp("milvus") / "data") as options:
        yield options


@pytest.fixture
def own(options: dict[str, str]) -> dict[str, str]:
    return options | {"collection": f"test_{uuid.uuid4().hex}"}


@pytest.fixture
def store(own: dict[str, str], tmp_path: Path) -> Iterator[Any]:
    store: Any = vector_store(own, EMBEDDINGS, tmp_path)
    yield store
    store.reset()
    store.release()


def found(store: Any, text: str = "a", **options: Any) -> set[str]:
    return {each.id for each in store.similarity_search(text, k=50, **options)}


def test_an_empty_store_finds_nothing(store: Any) -> None:
    assert store.ids() == store.get_by_ids(["1"]) == store.similarity_search("a") == []
    store.delete(["1"])
    store.reset()


def test_what_is_written_is_read_at_once(store: Any) -> None:
    for number in range(5):
        store.add_texts([f"text {number}"], [{"access": "", "source": "a.md", "n": number, "list": ["x"]}], ids=["1"])
        document = Document(
            f"text {number}", id="1", metadata={"access": "", "source": "a.md", "n": number, "list": ["x"]}
        )
        assert store.similarity_search(f"text {number}") == store.get_by_ids(["1"]) == [document]


def test_an_id_is_replaced_with_its_metadata(store: Any) -> None:
    store.add_documents([Document("a", metadata={"x": 1})], ids=["1"])
    store.add_documents([Document("b", metadata={"y": 2})], ids=["1"])
    assert store.get_by_ids(["1"]) == [Document("b", id="1", metadata={"y": 2})]
    assert store.ids() == ["1"]


def test_of_two_texts_under_one_id_the_last_one_counts(store: Any) -> None:
    store.add_texts(["a", "b"], ids=["1", "1"])
    assert [each.page_content for each in store.similarity_search("a")] == ["b"]


def test_scores_are_cosines(store: Any) -> None:
    texts = ["a", "b", "c"]
    store.add_texts(texts, ids=texts)
    query = np.asarray(EMBEDDINGS.embed_query("a"))
    for document, score in store.similarity_search_with_score("a", k=3):
        other = np.asarray(EMBEDDINGS.embed_documents([document.page_content])[0])
        assert score == pytest.approx(query @ other / np.linalg.norm(query) / np.linalg.norm(other), abs=1e-5)
    assert store.similarity_search("a", k=1)[0].id == "a"
    assert store.similarity_search("a", k=0) == []


def test_ids_and_sources_may_be_any_text(store: Any) -> None:
    store.add_texts(ODD, [{"access": each, "source": each} for each in ODD], ids=ODD)
    assert set(store.ids()) == set(ODD)
    for each in ODD:
        assert found(store, filter={"source": {"$in": [each]}}) == {each}
        assert found(store, filter={"$and": [{"access": {"$in": [each]}}, {"source": each}]}) == {each}
        assert [document.id for document in store.get_by_ids([each])] == [each]
    store.delete(ODD[:5])
    assert set(store.ids()) == set(ODD[5:])


def test_a_filter_may_list_thousands(store: Any) -> None:
    names = [f'笔记 "{number}".md' for number in range(10_000)]
    store.add_texts(
        ["a", "b"], [{"access": "", "source": names[-1]}, {"access": "", "source": "other"}], ids=["1", "2"]
    )
    assert found(store, filter={"source": {"$in": names}}) == {"1"}


METADATA = st.dictionaries(st.sampled_from(["access", "source", "n"]), st.sampled_from(["", "x", '"', "\\", "中"])).map(
    lambda metadata: {"access": "", "source": ""} | metadata
)
FILTERS = st.recursive(
    st.builds(
        lambda name, sign, value: {name: {sign: value}},
        st.sampled_from(["access", "source", "n"]),
        st.sampled_from(["$eq", "$ne", "$gt", "$gte", "$lt", "$lte"]),
        st.sampled_from(["", "x", '"', "\\", "中"]),
    )
    | st.builds(
        lambda name, sign, values: {name: {sign: values}},
        st.sampled_from(["access", "source", "n"]),
        st.sampled_from(["$in", "$nin"]),
        st.lists(st.sampled_from(["", "x", '"', "\\", "中"]), max_size=3),
    ),
    lambda parts: st.builds(
        lambda sign, each: {sign: each}, st.sampled_from(["$and", "$or"]), st.lists(parts, max_size=3)
    ),
    max_leaves=5,
)


@given(rows=st.lists(METADATA, min_size=1, max_size=6), filters=st.lists(FILTERS, min_size=1, max_size=5))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_filters_mean_what_they_mean_everywhere(store: Any, rows: list[dict[str, str]], filters: list[Any]) -> None:
    store.delete(store.ids())
    names = [str(number) for number in range(len(rows))]
    store.add_texts(names, [dict(row) for row in rows], ids=names)
    for each in filters:
        assert found(store, filter=each) == {name for name, row in zip(names, rows, strict=True) if matches(each, row)}


def test_other_fields_are_filtered_by_their_kinds(store: Any) -> None:
    store.add_texts(["a", "b", "c"], [{"n": 1, "b": True}, {"n": 2.5, "b": False}, {}], ids=["1", "2", "3"])
    assert found(store, filter={"n": {"$gte": 1, "$lt": 2}}) == {"1"}
    assert found(store, filter={"b": True}) == {"1"}
    assert found(store, filter={"n": {"$in": [2.5, 7]}}) == {"2"}


def test_no_ids_delete_nothing(store: Any) -> None:
    store.add_texts(["a", "b"], ids=["1", "2"])
    store.delete([])
    store.delete(None)
    store.delete(["unknown", "2"])
    assert store.ids() == ["1"]
    assert store.get_by_ids([]) == []


def test_more_ids_than_one_answer_holds(store: Any) -> None:
    count = 20_500
    names = [f"{number:05}" for number in range(count)]
    vectors = np.random.default_rng(1).normal(size=(count, 2)).astype(np.float32)
    store.add_vectors(names, names, vectors, [{"access": "", "source": "a.md"}] * count)
    assert sorted(store.ids()) == names
    store.delete(names[1:])
    assert store.ids() == names[:1]


def test_vectors_of_another_length_are_told_and_fit_after_a_reset(store: Any) -> None:
    store.add_texts(["a"], ids=["1"])
    three = np.ones((1, 3), dtype=np.float32)
    for attempt in (
        lambda: store.add_vectors(["2"], ["b"], three, [{}]),
        lambda: store.similarity_search_by_vector([1.0, 0.0, 0.0], 5),
    ):
        with pytest.raises(ServiceError, match=r"vectors of 6 numbers, and these have 3.*obsirag rebuild"):
            attempt()
    store.reset()
    store.add_vectors(["1"], ["a"], three, [{"access": ""}])
    assert [each.id for each in store.similarity_search_by_vector([1.0, 0.0, 0.0], 5)] == ["1"]


def test_vectors_without_a_direction_are_no_fault(store: Any) -> None:
    store.add_vectors(["1", "2"], ["a", "b"], np.asarray([[0, 0], [1, 1]], dtype=np.float32), [{}, {}])
    assert "2" in {each.id for each in store.similarity_search_by_vector([1.0, 0.0], 2)}
    store.similarity_search_by_vector([0.0, 0.0], 2)
    assert sorted(store.ids()) == ["1", "2"]


def test_texts_that_milvus_cannot_hold_are_cut(store: Any) -> None:
    texts = ["中" * 30_000, "half \ud800 pair"]
    store.add_vectors(["1", "2"], texts, np.ones((2, 6), dtype=np.float32), [{"x": "\ud800"}, {}])
    assert {len(each.page_content) for each in store.get_by_ids(["1", "2"])} == {21_845, 11}


def test_another_process_is_seen(store: Any, own: dict[str, str], tmp_path: Path) -> None:
    store.add_texts(["a"], [{"access": ""}], ids=["1"])
    assert found(store) == {"1"}
    code = (
        "import json, sys; from pathlib import Path; from langchain_core.embeddings import DeterministicFakeEmbedding\n"
        "from obsirag.plugins.milvus import vector_store\n"
        "store = vector_store(json.loads(sys.argv[2]), DeterministicFakeEmbedding(size=6), Path(sys.argv[1]))\n"
        "store.add_texts(['b'], [{'access': ''}], ids=['2'])"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path), json.dumps(own)], check=True, timeout=120)
    assert found(store) == {"1", "2"}
    again: Any = vector_store(own, EMBEDDINGS, tmp_path)
    assert sorted(again.ids()) == ["1", "2"]


def test_a_collection_of_another_program_is_left_alone(store: Any, own: dict[str, str]) -> None:
    with store._collection.connection.client() as client:
        client.create_collection(own["collection"], dimension=6)
    with pytest.raises(ServiceError, match="made by another program"):
        store.add_texts(["a"], ids=["1"])


def test_parameters_reach_the_index(own: dict[str, str], tmp_path: Path) -> None:
    store: Any = vector_store({**own, "m": 8, "ef_construction": 50, "ef": 5}, EMBEDDINGS, tmp_path)
    store.add_texts([str(number) for number in range(10)], ids=[str(number) for number in range(10)])
    with store._collection.connection.client() as client:
        index = client.describe_index(own["collection"], "vector")
    told = {"index_type": "HNSW", "metric_type": "COSINE", "M": "8", "efConstruction": "50"}
    assert told.keys() <= index.keys() or "M" not in index  # Milvus Lite doesn't tell all of them
    assert {key: str(index[key]) for key in told.keys() & index.keys()}.items() <= told.items()
    assert len(store.similarity_search("1", k=10)) == 10
    store.reset()
    store.release()


class TestLite:
    def test_a_folder_in_use_is_told(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("milvus_lite")
        from obsirag.plugins import milvus_lite_folder

        monkeypatch.setattr(milvus_lite_folder, "_WAIT", 0.2)
        store: Any = vector_store({}, EMBEDDINGS, tmp_path)
        told = pytest.raises(ServiceError, match=r"Another process uses.*milvus-lite server")
        with lite_server(tmp_path / "milvus", free_port()), told:
            store.similarity_search("a")

    def test_the_folder_is_let_go_when_nobody_needs_it(self, tmp_path: Path) -> None:
        pytest.importorskip("milvus_lite")
        from milvus_lite import MilvusLite

        store: Any = vector_store({}, EMBEDDINGS, tmp_path)
        store.add_texts(["a"], ids=["1"])
        time.sleep(2)
        MilvusLite(str(tmp_path / "milvus")).close()
        assert store.ids() == ["1"]
        store.release()
        MilvusLite(str(tmp_path / "milvus")).close()

    def test_reading_leaves_the_files_as_they_are(self, tmp_path: Path) -> None:
        pytest.importorskip("milvus_lite")
        store: Any = vector_store({}, EMBEDDINGS, tmp_path)
        store.add_texts(["a", "b"], ids=["1", "2"])
        store.release()
        before = {file: file.stat().st_size for file in tmp_path.rglob("*")}
        assert found(store) == {"1", "2"}
        store._collection.connection.close()
        assert {file: file.stat().st_size for file in tmp_path.rglob("*")} == before


class TestAway:
    def test_a_server_that_is_not_there_is_told_without_secrets(self, tmp_path: Path) -> None:
        pytest.importorskip("pymilvus")
        uri = f"http://127.0.0.1:{free_port()}"
        store: Any = vector_store({"uri": uri, "token": "root:hidden", "timeout": 1.0}, EMBEDDINGS, tmp_path)
        with pytest.raises(ServiceError, match=f"Milvus at {uri} cannot be reached") as caught:
            store.similarity_search("a")
        assert "hidden" not in str(caught.value)

    def test_a_server_that_comes_back_is_used_again(self, tmp_path: Path) -> None:
        pytest.importorskip("milvus_lite")
        port = free_port()
        store: Any = vector_store({"uri": f"http://127.0.0.1:{port}", "timeout": 2.0}, EMBEDDINGS, tmp_path)
        with lite_server(tmp_path / "data", port):
            store.add_texts(["a"], ids=["1"])
        begun = time.monotonic()
        with pytest.raises(ServiceError):
            store.similarity_search("a")
        assert time.monotonic() - begun < 20
        with lite_server(tmp_path / "data", port):
            assert found(store) == {"1"}
