import threading

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding

from obsirag.errors import ConfigError
from obsirag_shelf.sqlite_store import SqliteStore, vector_store

EMBEDDING = DeterministicFakeEmbedding(size=16)


@pytest.fixture
def store(tmp_path):
    store = vector_store({}, EMBEDDING, tmp_path)
    documents = [
        Document(f"text {number}", metadata={"access": "a" if number % 2 else "b", "source": f"{number}.md"})
        for number in range(10)
    ]
    store.add_documents(documents, ids=[f"id-{number}" for number in range(10)])
    return store


def test_the_nearest_comes_first_with_its_id_and_metadata(store):
    first, *_ = store.similarity_search("text 3", k=10)
    assert (first.id, first.page_content) == ("id-3", "text 3")
    assert first.metadata == {"access": "a", "source": "3.md"}


@pytest.mark.parametrize("k", [0, 1, 5, 10, 99])
def test_a_filter_holds_before_the_nearest_are_counted(store, k):
    asked = {"$and": [{"access": {"$in": ["a"]}}, {"source": {"$ne": "3.md"}}]}
    found = store.similarity_search_by_vector(EMBEDDING.embed_query("text 3"), k, filter=asked)
    assert len(found) == min(k, 4)
    assert all(each.metadata["access"] == "a" and each.id != "id-3" for each in found)


def test_what_is_added_again_is_replaced_and_what_is_deleted_is_gone(store):
    store.add_documents([Document("other", metadata={"access": "a"})], ids=["id-3"])
    store.delete(["id-4", "id-99"])
    store.delete([])
    store.delete()
    assert sorted(store.ids()) == [f"id-{number}" for number in range(10) if number != 4]
    assert store.similarity_search("other", k=1)[0].id == "id-3"


def test_it_is_there_when_it_is_opened_again_and_from_other_threads(store, tmp_path):
    found = []
    again = SqliteStore(tmp_path / "shelf.sqlite", EMBEDDING)
    threads = [threading.Thread(target=lambda: found.append(again.similarity_search("text 3", k=1))) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert [each[0].id for each in found] == ["id-3"] * 4


@pytest.mark.parametrize("options", [{"fil": "x"}, {"file": "../x"}, {"file": 3}])
def test_a_wrong_option_is_named(tmp_path, options):
    with pytest.raises(ConfigError, match="fil"):
        vector_store(options, EMBEDDING, tmp_path)
