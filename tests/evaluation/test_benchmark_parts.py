"""The parts of the retrieval benchmark on which its fairness hangs: the cache of vectors, and the default pipeline."""

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings

FOLDER = Path(__file__).parents[2] / "benchmarks"


class Counting(Embeddings):
    """Vectors of a text's length, with a record of what was asked."""

    input_limit = 512

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        return [[float(len(text)), 0.25] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        self.asked.append(f"query: {text}")
        return [0.0, float(len(text))]


def load(name: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module(name)


def test_a_text_is_embedded_once_whatever_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vector_cache = load("vector_cache", monkeypatch)
    first, second = Counting(), Counting()
    texts = ["a", "bb", "a", "中文"]
    seen = []
    cached = vector_cache.CachedEmbeddings(
        first, model_id="m", folder=tmp_path, batch_size=2, progress=lambda done, total: seen.append((done, total))
    )
    expected = [[1.0, 0.25], [2.0, 0.25], [1.0, 0.25], [2.0, 0.25]]
    assert cached.embed_documents(texts) == expected
    assert sorted(first.asked) == ["a", "bb", "中文"]
    assert seen == [(2, 3), (3, 3)]

    again = vector_cache.CachedEmbeddings(second, model_id="m", folder=tmp_path)
    assert again.embed_documents(texts) == expected
    assert second.asked == []
    # A query's vector is not a passage's, and another model's is another.
    assert again.embed_query("a") == [0.0, 1.0]
    vector_cache.CachedEmbeddings(second, model_id="other", folder=tmp_path).embed_documents(["a"])
    assert second.asked == ["query: a", "a"]


def test_a_stopped_run_keeps_what_was_embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vector_cache = load("vector_cache", monkeypatch)

    class Failing(Counting):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            if "c" in texts:
                raise ConnectionError
            return super().embed_documents(texts)

    with pytest.raises(ConnectionError):
        vector_cache.CachedEmbeddings(Failing(), model_id="m", folder=tmp_path, batch_size=2).embed_documents(
            ["a", "b", "c"]
        )
    inner = Counting()
    vector_cache.CachedEmbeddings(inner, model_id="m", folder=tmp_path).embed_documents(["a", "b", "c"])
    assert inner.asked == ["c"]


def test_the_cache_declares_what_its_model_declares(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vector_cache = load("vector_cache", monkeypatch)
    cached = vector_cache.CachedEmbeddings(Counting(), model_id="m", folder=tmp_path)
    assert cached.input_limit == 512
    assert not hasattr(cached, "input_length")
    assert not hasattr(cached, "asked")


def test_chunks_of_the_default_pipeline_know_their_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    default_pipeline = load("default_pipeline", monkeypatch)
    lines = [f"line {number} " + "word " * (number % 40) for number in range(1, 200)]
    chunks = default_pipeline.split_by_default([Document("\n".join(lines), metadata={"source": "a.md"})])
    assert len(chunks) > 10
    for chunk in chunks:
        first, last = chunk.metadata["start_line"], chunk.metadata["end_line"]
        assert [line.strip() for line in chunk.page_content.split("\n")] == [
            line.strip() for line in lines[first - 1 : last]
        ]


def test_the_default_pipeline_finds_the_nearest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    default_pipeline = load("default_pipeline", monkeypatch)
    vectors = np.asarray([[0.0, 1.0], [1.0, 0.0], [0.0, 3.0]], dtype=np.float32)
    retriever = default_pipeline.ChunkRetriever(
        chunks=[Document("a"), Document("b"), Document("c")], vectors=vectors, embeddings=Counting(), limit=2
    )
    assert [each.page_content for each in retriever.invoke("x", labels=["l"])] == ["c", "a"]
