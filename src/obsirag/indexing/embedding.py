"""Embedding what was never embedded, batch by batch, each batch remembered as it comes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import numpy as np
from langchain_core.embeddings import Embeddings

from obsirag.catalogue import Catalogue, Vector, batches, cached_vectors, remember_vectors, write_meta
from obsirag.errors import CatalogueError, ServiceError, reason_of

__all__ = ["Embedder"]

_HOPELESS = 3
"""So many texts in a row that failed even alone mean that the model is out of reach, not that a text is bad."""


class Embedder:
    """Gives the catalogue the vectors that it lacks.

    Args:
        embeddings: The model.
        model_id: Its stable name.
        catalogue: Where vectors are cached.
        batch_size: Most texts of one call.
        retry_delays: Seconds to wait before each further try of a failed batch.
    """

    def __init__(
        self,
        embeddings: Embeddings,
        model_id: str,
        catalogue: Catalogue,
        batch_size: int,
        retry_delays: Sequence[float] = (0.5, 2.0),
    ) -> None:
        self.model_id = model_id
        self.embedded = 0
        self._embeddings = embeddings
        self._catalogue = catalogue
        self._batch_size = batch_size
        self._retry_delays = retry_delays
        self._failed_in_a_row = 0
        self._down: ServiceError | None = None
        known = catalogue.meta("dimensions")
        self._dimensions = int(known) if known else None

    def missing(self, contents: Mapping[str, str]) -> dict[str, str]:
        """Return those of ``contents`` (text by content hash) whose vectors are not cached."""
        with self._catalogue.reading() as connection:
            cached = cached_vectors(connection, self.model_id, contents)
        return {key: text for key, text in contents.items() if key not in cached}

    def embed(self, contents: Mapping[str, str]) -> dict[str, str]:
        """Embed and cache contents that are not cached yet.

        A batch that fails is tried again after a while, then in halves, so that one bad text costs only itself.

        Args:
            contents: Text by content hash.

        Returns:
            The reason for each content hash that could not be embedded. Once the model is out of reach, it isn't asked
            again, and what is not cached fails with that reason.

        Raises:
            CatalogueError: If its vectors have another length than those of the index.
        """
        failures: dict[str, str] = {}
        missing = self.missing(contents)
        try:
            for batch in batches(missing.items(), self._batch_size):
                self._embed_batch(batch, failures, self._retry_delays)
        except ServiceError as error:
            failures = dict.fromkeys(self.missing(contents), str(error))
        return failures

    def _embed_batch(self, batch: Sequence[tuple[str, str]], failures: dict[str, str], delays: Sequence[float]) -> None:
        if self._down is not None:
            raise self._down
        vectors, cause = self._call([text for _, text in batch], delays)
        if vectors is not None:
            self._failed_in_a_row = 0
            self._remember(dict(zip([key for key, _ in batch], vectors, strict=True)))
            return
        if len(batch) == 1:
            failures[batch[0][0]] = cause
            self._failed_in_a_row += 1
            if self._failed_in_a_row >= _HOPELESS:
                self._down = ServiceError(f"The embedding model {self.model_id!r} failed again and again: {cause}")
                raise self._down
            return
        middle = len(batch) // 2
        self._embed_batch(batch[:middle], failures, ())
        self._embed_batch(batch[middle:], failures, ())

    def _call(self, texts: list[str], delays: Sequence[float]) -> tuple[list[Vector] | None, str]:
        cause = ""
        for delay in (0.0, *delays):
            time.sleep(delay)
            try:
                answer = self._embeddings.embed_documents(texts)
                vectors = [np.asarray(vector, dtype=np.float32) for vector in answer]
            except Exception as error:  # noqa: BLE001 - a model is somebody else's code and may raise anything
                cause = reason_of(error)
                continue
            if len(vectors) == len(texts) and all(np.isfinite(vector).all() for vector in vectors):
                return vectors, ""
            cause = f"{len(vectors)} vectors came for {len(texts)} texts, or some with numbers that are none"
        return None, cause

    def _remember(self, vectors: Mapping[str, Vector]) -> None:
        lengths = {len(vector) for vector in vectors.values()}
        expected = self._dimensions or min(lengths)
        if lengths != {expected}:
            raise CatalogueError(
                f"The embedding model {self.model_id!r} gave vectors of {sorted(lengths)} numbers, the index "
                f"{self._catalogue.folder} holds vectors of {expected}. It is another model than before: rebuild the "
                "index with full=True (`obsirag index --full`)."
            )
        self._dimensions = expected
        with self._catalogue.writing() as connection:
            remember_vectors(connection, self.model_id, vectors)
            write_meta(connection, "dimensions", str(expected))
        self.embedded += len(vectors)
