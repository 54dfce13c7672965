"""Embedding what was never embedded, batch by batch, each batch remembered as it comes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import numpy as np
from langchain_core.embeddings import Embeddings

from obsirag.catalogue import Catalogue, Vector, batches, cached_vectors, remember_vectors, staged_name, write_meta
from obsirag.errors import CatalogueError, ServiceError, reason_of

__all__ = ["Embedder", "check_answers", "gives_other_lengths"]

_HOPELESS = 3
"""After so many texts in a row that failed even alone, the model is asked whether it can be reached at all."""

_PROBE = "obsidian"
"""A text that no model can have anything against."""


class Embedder:
    """Gives the catalogue the vectors that it lacks, and binds it to the model that they came from.

    Args:
        embeddings: The model.
        model_id: Its stable name.
        catalogue: Where vectors are cached.
        batch_size: Most texts of one call.
        retry_delays: Seconds to wait before each further try of a failed batch.
        staged: Whether to keep the vectors apart, for an index that goes on with those it has until all are there.
    """

    def __init__(
        self,
        embeddings: Embeddings,
        model_id: str,
        catalogue: Catalogue,
        batch_size: int,
        retry_delays: Sequence[float] = (0.5, 2.0),
        *,
        staged: bool = False,
    ) -> None:
        self.model_id = model_id
        self.embedded = 0
        self._embeddings = embeddings
        self._catalogue = catalogue
        self._batch_size = batch_size
        self._retry_delays = retry_delays
        self._failed_in_a_row = 0
        self._down: ServiceError | None = None
        self._staged = staged
        self._cache_name = staged_name(model_id) if staged else model_id
        known = None if staged else catalogue.meta("dimensions")
        self._dimensions = int(known) if known else None

    @property
    def is_down(self) -> bool:
        """Whether the model was found to be out of reach."""
        return self._down is not None

    def missing(self, contents: Mapping[str, str]) -> dict[str, str]:
        """Return those of ``contents`` (text by content hash) whose vectors are not cached."""
        with self._catalogue.reading() as connection:
            cached = cached_vectors(connection, self._cache_name, contents)
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
        vectors, cause = _call(self._embeddings, [text for _, text in batch], delays)
        if vectors is not None:
            self._failed_in_a_row = 0
            self._remember(dict(zip([key for key, _ in batch], vectors, strict=True)))
            return
        if len(batch) == 1:
            failures[batch[0][0]] = cause
            self._failed_in_a_row += 1
            if self._failed_in_a_row >= _HOPELESS:
                self._failed_in_a_row = 0
                if _call(self._embeddings, [_PROBE], ())[0] is not None:
                    return  # it is the texts, not the model
                self._down = ServiceError(f"The embedding model {self.model_id!r} failed again and again: {cause}")
                raise self._down
            return
        middle = len(batch) // 2
        self._embed_batch(batch[:middle], failures, ())
        self._embed_batch(batch[middle:], failures, ())

    def _remember(self, vectors: Mapping[str, Vector]) -> None:
        lengths = {len(vector) for vector in vectors.values()}
        expected = self._dimensions or min(lengths)
        if lengths != {expected}:
            raise CatalogueError(
                f"The embedding model {self.model_id!r} gave vectors of {sorted(lengths)} numbers, the index "
                f"{self._catalogue.folder} holds vectors of {expected}. It is another model than before: rebuild the "
                "index with full=True (`obsirag rebuild`)."
            )
        self._dimensions = expected
        with self._catalogue.writing() as connection:
            remember_vectors(connection, self._cache_name, vectors)
            if not self._staged:
                write_meta(connection, "model_id", self.model_id)
                write_meta(connection, "dimensions", str(expected))
        self.embedded += len(vectors)


def check_answers(embeddings: Embeddings, model_id: str, retry_delays: Sequence[float]) -> None:
    """Make sure that a model can be reached, by one short text.

    Raises:
        ServiceError: If it cannot.
    """
    vectors, cause = _call(embeddings, [_PROBE], retry_delays)
    if vectors is None:
        raise ServiceError(
            f"The embedding model {model_id!r} does not answer ({cause}). The index was left as it is. Check the "
            "setting `embeddings` and whether the model can be reached, then index again."
        )


def gives_other_lengths(embeddings: Embeddings, dimensions: int) -> bool:
    """Say whether a model is known to give vectors of another length than ``dimensions``."""
    vectors, _ = _call(embeddings, [_PROBE], ())
    return vectors is not None and vectors[0].size != dimensions


def _call(embeddings: Embeddings, texts: list[str], delays: Sequence[float]) -> tuple[list[Vector] | None, str]:
    cause = ""
    for delay in (0.0, *delays):
        time.sleep(delay)
        try:
            answer = embeddings.embed_documents(texts)
            vectors = [np.asarray(vector, dtype=np.float32) for vector in answer]
        except Exception as error:  # noqa: BLE001 - a model is somebody else's code and may raise anything
            cause = reason_of(error)
            continue
        if len(vectors) == len(texts) and _are_vectors(vectors):
            return vectors, ""
        cause = f"{len(vectors)} vectors came for {len(texts)} texts, or some that are not finite numbers in equal rows"
    return None, cause


def _are_vectors(vectors: Sequence[Vector]) -> bool:
    shapes = {vector.shape for vector in vectors}
    return (
        len(shapes) == 1
        and all(vector.ndim == 1 and vector.size for vector in vectors)
        and all(np.isfinite(vector).all() for vector in vectors)
    )
