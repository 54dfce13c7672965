"""Notes that are read, made and embedded by Ray workers."""

from __future__ import annotations

import logging
import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING, Any, cast
from uuid import uuid4

from langchain_core.embeddings import Embeddings

from obsirag.components.parts import Components
from obsirag.components.ray_worker import Found, Job, describe_making
from obsirag.config import RagConfig
from obsirag.errors import ServiceError
from obsirag.indexing.changes import Look
from obsirag.indexing.examining import NOT_INDEXED, Examiner, Finding
from obsirag.records import Diagnostic
from obsirag.vault.sharing import listing_of

if TYPE_CHECKING:
    from obsirag.components.ray_workers import Asked, Workers
    from obsirag.vault import Vault

__all__ = ["RayEngine"]

_NOTES = 8
"""Notes that a worker gets at a time."""

_AHEAD = 4
"""Most such parcels under way for each worker, those included whose findings wait to be taken."""


class RayEngine:
    """Lets Ray workers read, make and embed notes; Ray and they start when there is something to do.

    Args:
        config: The configuration.
        parts: The parts in this process, with which those of the workers have to agree.
        calls: Most calls to the embedding model at a time in each worker.
    """

    def __init__(self, config: RagConfig, parts: Components, calls: int) -> None:
        self._config = config
        self._parts = parts
        self._calls = calls
        self._lock = Lock()
        self._running: Workers | None = None

    def examine(self, examiner: Examiner, looks: Iterable[Look]) -> Iterator[Finding]:
        """Yield what each note needs, in order; the workers look at a bounded number of notes ahead.

        A note over which worker after worker dies is a failure of that note.

        Raises:
            ConfigError: If the workers cannot do it as they are set up.
            ServiceError: If there are no workers.
        """
        rest = iter(looks)
        parcels = iter(lambda: [*islice(rest, _NOTES)], [])
        first = next(parcels, None)
        if first is None:
            return
        import ray

        workers = self._workers
        found = uuid4().hex, [ray.put(Found(listing_of(cast("Vault", examiner.vault)), examiner.settings))]
        under_way: deque[tuple[list[Look], Asked]] = deque([(first, workers.ask("examine", *found, first))])
        while under_way:
            room = _AHEAD * self._config.indexing.workers - len(under_way)
            under_way += ((parcel, workers.ask("examine", *found, parcel)) for parcel in islice(parcels, room))
            parcel, asked = under_way.popleft()
            yield from self._findings(parcel, asked, found)

    def model(self, embeddings: Embeddings) -> Embeddings:
        """Return the workers' model."""
        del embeddings
        return _WorkersModel(self)

    def embed(self, texts: Sequence[str]) -> list[Any]:
        """Return the vectors of some texts, from one of the workers.

        Raises:
            ConfigError: If the workers cannot do it as they are set up.
            ServiceError: If the model failed, or there are no workers.
        """
        workers = self._workers
        return cast("list[Any]", workers.answer(workers.ask("embed", list(texts))))

    def close(self) -> None:
        """End the workers, if there are any."""
        if self._running is not None:
            self._running.close()

    def _findings(self, parcel: list[Look], asked: Asked, found: tuple[str, list[Any]]) -> list[Finding]:
        """Return the findings of a parcel; where workers die over it, of each of its notes alone."""
        try:
            return cast("list[Finding]", self._workers.answer(asked))
        except ServiceError as error:
            if len(parcel) == 1:
                return [Finding(failure=Diagnostic(parcel[0].path, 0, NOT_INDEXED, str(error)))]
        alone = ([look] for look in parcel)
        return [self._findings(each, self._workers.ask("examine", *found, each), found)[0] for each in alone]

    @property
    def _workers(self) -> Workers:
        with self._lock:
            if self._running is None:
                from obsirag.components.ray_workers import Workers

                options = self._config.indexing
                _connect(options.address, options.workers)
                self._running = Workers(self._job, options.workers, self._calls)
            return self._running

    @cached_property
    def _job(self) -> Job:
        vault = self._config.vault.resolve()
        return Job(self._config.model_copy(update={"vault": vault}), describe_making(self._config, self._parts))


class _WorkersModel(Embeddings):
    """The embedding model of the workers, whose threads wait here for theirs."""

    def __init__(self, engine: RayEngine) -> None:
        self._engine = engine

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._engine.embed(texts)

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def _connect(address: str | None, workers: int) -> None:
    """Make sure of a Ray: one that this process uses already, a cluster, or one of its own on this machine."""
    import ray

    if ray.is_initialized():
        return
    # Ray tells its makers how it is used, unless told not to.
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    own: dict[str, Any] = {} if address else {"num_cpus": max(workers, os.cpu_count() or 1), "include_dashboard": False}
    try:
        ray.init(address=address or "local", log_to_driver=False, logging_level=logging.ERROR, **own)
    except Exception as error:
        where = f"the Ray cluster {address}" if address else "Ray"
        raise ServiceError(f"Cannot use {where} ({error}). Check `indexing.address` and `ray status`.") from error
