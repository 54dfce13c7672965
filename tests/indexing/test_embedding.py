from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from index_worlds import CountingEmbeddings, World
from obsirag.catalogue import Catalogue
from obsirag.indexing.embedding import Embedder
from obsirag.indexing.embedding_calls import EmbeddingCalls


@pytest.fixture
def model() -> CountingEmbeddings:
    return CountingEmbeddings(16)


def embedder(model: CountingEmbeddings, folder: Path, batch_size: int = 4, delays: tuple[float, ...] = ()) -> Embedder:
    return Embedder(EmbeddingCalls(model, delays), "m", Catalogue.open(folder), batch_size)


def texts(count: int) -> dict[str, str]:
    return {f"key {number}": f"text {number}" for number in range(count)}


def test_only_what_is_new_is_embedded_in_batches(model: CountingEmbeddings, tmp_path: Path) -> None:
    one = embedder(model, tmp_path)
    assert one.embed(texts(6)) == {}
    assert one.embed(texts(10)) == {}
    assert [len(call) for call in model.calls] == [4, 2, 4]
    assert one.embedded == 10


def test_a_batch_that_fails_is_tried_again_then_halved(model: CountingEmbeddings, tmp_path: Path) -> None:
    model.fails = lambda text: text == "text 2"
    failures = embedder(model, tmp_path, delays=(0.0,)).embed(texts(4))
    assert list(failures) == ["key 2"]
    assert "ConnectionError" in failures["key 2"]
    assert [len(call) for call in model.calls] == [4, 4, 2, 2, 1, 1]


def test_what_came_before_a_failure_is_kept(model: CountingEmbeddings, tmp_path: Path) -> None:
    model.fails = lambda text: text not in {"text 0", "text 1", "text 2", "text 3"}
    one = embedder(model, tmp_path)
    assert set(one.embed(texts(12))) == {f"key {number}" for number in range(4, 12)}
    calls = len(model.calls)
    assert set(one.embed(texts(12))) == {f"key {number}" for number in range(4, 12)}
    assert len(model.calls) == calls
    model.fails = lambda _: False
    assert embedder(model, tmp_path).embed(texts(12)) == {}


def test_bad_texts_in_a_row_cost_only_themselves(model: CountingEmbeddings, tmp_path: Path) -> None:
    bad = {f"text {number}" for number in range(2, 9)}
    model.fails = bad.__contains__
    assert set(embedder(model, tmp_path).embed(texts(12))) == {text.replace("text", "key") for text in bad}


def test_answers_that_do_not_fit_are_failures(tmp_path: Path) -> None:
    class Short(CountingEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return super().embed_documents(texts)[1:]

    class Empty(CountingEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[] for _ in texts]

    class Nested(CountingEmbeddings):
        def embed_documents(self, texts: list[str]) -> Any:
            return [[vector] for vector in super().embed_documents(texts)]

    class Uneven(CountingEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [vector[: 16 - number] for number, vector in enumerate(super().embed_documents(texts))]

    class Broken(CountingEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            return [[float("nan")] * 16 for _ in texts]

    for model in (Short(16), Empty(16), Nested(16), Broken(16)):
        assert list(embedder(model, tmp_path).embed(texts(1))) == ["key 0"]
    assert embedder(Uneven(16), tmp_path).embed(texts(2)) == {}  # asked for one at a time, it is right


@pytest.mark.parametrize("wrong", [{"batch_size": 0}, {"concurrency": 0}, {"calls_per_second": 0.0}])
def test_limits_that_allow_no_call_are_refused(tmp_path: Path, wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be"):
        World(tmp_path).sync(**wrong)
