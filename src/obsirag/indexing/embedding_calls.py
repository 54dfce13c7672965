"""Calls of an embedding model: several at a time, no more a second than allowed, each with its further tries."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import NamedTuple

import numpy as np
from langchain_core.embeddings import Embeddings
from langchain_core.rate_limiters import InMemoryRateLimiter

from obsirag.catalogue import Vector
from obsirag.errors import reason_of

__all__ = ["Answer", "EmbeddingCalls"]

_LONGEST_PAUSE = 0.1
"""How long to wait at most, in seconds, before looking again whether the next call may go out."""

_STOPPED = "the calls were stopped"


class Answer(NamedTuple):
    """What came of a call.

    Args:
        vectors: One for each text; None if they could not be had.
        cause: Why not; empty if they could.
    """

    vectors: list[Vector] | None
    cause: str = ""


class EmbeddingCalls:
    """Asks a model, which is somebody else's code and may raise or return anything.

    Args:
        embeddings: The model.
        retry_delays: Seconds to wait before each further try of a call that failed.
        concurrency: Most calls at a time, at least 1.
        calls_per_second: Most calls a second, further tries included; None for no limit.
    """

    def __init__(
        self,
        embeddings: Embeddings,
        retry_delays: Sequence[float] = (),
        *,
        concurrency: int = 1,
        calls_per_second: float | None = None,
    ) -> None:
        self._embeddings = embeddings
        self._retry_delays = retry_delays
        self._concurrency = concurrency
        self._pause = min(_LONGEST_PAUSE, 1 / (calls_per_second or 1))
        self._limiter = (
            InMemoryRateLimiter(requests_per_second=calls_per_second, max_bucket_size=1) if calls_per_second else None
        )

    def call(self, texts: Sequence[str], *, further_tries: bool = True) -> Answer:
        """Return the vectors of some texts, or why they could not be had."""
        return self._call(texts, self._retry_delays if further_tries else (), Event())

    def _call(self, texts: Sequence[str], retry_delays: Sequence[float], stopped: Event) -> Answer:
        cause = ""
        for delay in (0.0, *retry_delays):
            if stopped.wait(delay) or not self._may_go_out(stopped):
                return Answer(None, _STOPPED)
            try:
                answer = self._embeddings.embed_documents(list(texts))
                vectors = [np.asarray(vector, dtype=np.float32) for vector in answer]
            except Exception as error:  # noqa: BLE001 - a model is somebody else's code and may raise anything
                cause = reason_of(error)
                continue
            if len(vectors) == len(texts) and _are_vectors(vectors):
                return Answer(vectors)
            cause = (
                f"{len(vectors)} vectors came for {len(texts)} texts, or some that are not finite numbers in equal rows"
            )
        return Answer(None, cause)

    def each(self, batches: Iterable[Sequence[str]]) -> Generator[Answer]:
        """Yield the answer for each batch, in order; a batch is asked for when one of those before it is taken.

        Whoever stops taking answers stops the calls that have not gone out, further tries among them.
        """
        if self._concurrency == 1:
            yield from map(self.call, batches)
            return
        stopped = Event()
        with ThreadPoolExecutor(self._concurrency, "embedding") as pool:
            under_way: deque[Future[Answer]] = deque()
            try:
                for batch in batches:
                    under_way.append(pool.submit(self._call, batch, self._retry_delays, stopped))
                    if len(under_way) == self._concurrency:
                        yield under_way.popleft().result()
                while under_way:
                    yield under_way.popleft().result()
            finally:
                stopped.set()
                for future in under_way:
                    future.cancel()

    def _may_go_out(self, stopped: Event) -> bool:
        """Wait until a call is allowed; say False if the calls are stopped before that."""
        while self._limiter is not None and not self._limiter.acquire(blocking=False):
            if stopped.wait(self._pause):
                return False
        return True


def _are_vectors(vectors: Sequence[Vector]) -> bool:
    shapes = {vector.shape for vector in vectors}
    return (
        len(shapes) == 1
        and all(vector.ndim == 1 and vector.size for vector in vectors)
        and all(np.isfinite(vector).all() for vector in vectors)
    )
