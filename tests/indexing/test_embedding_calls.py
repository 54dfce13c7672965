from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from index_worlds import CountingEmbeddings
from obsirag.indexing.embedding_calls import EmbeddingCalls


class Gauge(CountingEmbeddings):
    """Embeddings that note how many calls were under way at a time, and wait for so many."""

    def __init__(self, together: int) -> None:
        super().__init__(4)
        self.most = 0
        self.began = 0
        self._under_way = 0
        self._lock = threading.Lock()
        self._together = threading.Barrier(together)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        with self._lock:
            self._under_way += 1
            self.most = max(self.most, self._under_way)
            self.began += 1
        self._together.wait(10)
        with self._lock:
            self._under_way -= 1
        return super().embed_documents(texts)


def batches(count: int) -> list[list[str]]:
    return [[f"text {number}"] for number in range(count)]


@pytest.mark.parametrize("concurrency", [1, 3])
def test_answers_come_in_order_from_so_many_calls_at_a_time(concurrency: int) -> None:
    model = Gauge(concurrency)
    answers = [*EmbeddingCalls(model, concurrency=concurrency).each(batches(3 * concurrency))]
    assert model.most == concurrency
    expected = CountingEmbeddings(4).embed_documents([text for (text,) in batches(3 * concurrency)])
    assert np.concatenate([answer.vectors or [] for answer in answers]) == pytest.approx(np.array(expected))


def test_a_batch_that_fails_takes_no_other_with_it() -> None:
    model = CountingEmbeddings(4)
    model.fails = lambda text: text == "text 2"
    answers = [*EmbeddingCalls(model, concurrency=4).each(batches(6))]
    assert [answer.vectors is None for answer in answers] == [False, False, True, False, False, False]
    assert "ConnectionError" in answers[2].cause


def test_who_stops_taking_answers_stops_the_calls() -> None:
    model = CountingEmbeddings(4)
    answers = EmbeddingCalls(model, concurrency=2).each(batches(100))
    next(answers)
    answers.close()
    assert len(model.calls) <= 3


@pytest.mark.parametrize("calls_per_second", [None, 50.0])
def test_who_stops_taking_answers_stops_further_tries(calls_per_second: float | None) -> None:
    model = Gauge(1)
    model.fails = lambda text: text != "text 0"
    calls = EmbeddingCalls(model, [0.01] * 400, concurrency=2, calls_per_second=calls_per_second)
    answers = calls.each(batches(100))
    next(answers)
    answers.close()
    assert model.began < 200


@pytest.mark.parametrize(
    "use",
    [
        lambda calls: [*calls.each(batches(4))],
        lambda calls: calls.call(["text"]),  # and its further tries
    ],
)
def test_calls_go_out_no_faster_than_allowed(use: Callable[[EmbeddingCalls], object]) -> None:
    model = Gauge(1)
    model.fails = lambda text: text == "text"
    start = time.monotonic()
    use(EmbeddingCalls(model, (0.0, 0.0, 0.0), concurrency=2, calls_per_second=20))
    assert model.began == 4
    assert time.monotonic() - start >= 3 / 20  # a busy machine can only make it longer
