"""Embedding what was never embedded, batch by batch, each batch remembered as it comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing

from obsirag.catalogue import Catalogue, Vector, batches, cached_vectors, remember_vectors, staged_name, write_meta
from obsirag.errors import CatalogueError, ServiceError
from obsirag.indexing.embedding_calls import Answer, EmbeddingCalls

__all__ = ["Embedder", "check_answers", "gives_other_lengths"]

_HOPELESS = 3
"""After so many texts in a row that failed even alone, the model is asked whether it can be reached at all."""

_PROBE = "obsidian"
"""A text that no model can have anything against."""


class Embedder:
    """Gives the catalogue the vectors that it lacks, and binds it to the model that they came from.

    Args:
        calls: Asks the model.
        model_id: Its stable name.
        catalogue: Where vectors are cached.
        batch_size: Most texts of one call.
        staged: Whether to keep the vectors apart, for an index that goes on with those it has until all are there.
    """

    def __init__(
        self,
        calls: EmbeddingCalls,
        model_id: str,
        catalogue: Catalogue,
        batch_size: int,
        *,
        staged: bool = False,
    ) -> None:
        self.model_id = model_id
        self.embedded = 0
        self._calls = calls
        self._catalogue = catalogue
        self._batch_size = batch_size
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
        missing = [*batches(self.missing(contents).items(), self._batch_size)]
        try:
            if missing and self._down is not None:
                raise self._down
            with closing(self._calls.each([text for _, text in batch] for batch in missing)) as answers:
                for batch, answer in zip(missing, answers, strict=True):
                    self._take(batch, answer, failures)
        except ServiceError as error:
            failures = dict.fromkeys(self.missing(contents), str(error))
        return failures

    def _take(self, batch: Sequence[tuple[str, str]], answer: Answer, failures: dict[str, str]) -> None:
        """Remember the vectors of a batch; ask for those of a failed one in halves."""
        if answer.vectors is not None:
            self._failed_in_a_row = 0
            self._remember(dict(zip([key for key, _ in batch], answer.vectors, strict=True)))
        elif len(batch) == 1:
            failures[batch[0][0]] = answer.cause
            self._count_failure(answer.cause)
        else:
            middle = len(batch) // 2
            for half in (batch[:middle], batch[middle:]):
                self._take(half, self._calls.call([text for _, text in half], further_tries=False), failures)

    def _count_failure(self, cause: str) -> None:
        self._failed_in_a_row += 1
        if self._failed_in_a_row < _HOPELESS:
            return
        self._failed_in_a_row = 0
        if self._calls.call([_PROBE], further_tries=False).vectors is not None:
            return  # it is the texts, not the model
        self._down = ServiceError(f"The embedding model {self.model_id!r} failed again and again: {cause}")
        raise self._down

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


def check_answers(calls: EmbeddingCalls, model_id: str) -> None:
    """Make sure that a model can be reached, by one short text.

    Raises:
        ServiceError: If it cannot.
    """
    vectors, cause = calls.call([_PROBE])
    if vectors is None:
        raise ServiceError(
            f"The embedding model {model_id!r} does not answer ({cause}). The index was left as it is. Check the "
            "setting `embeddings` and whether the model can be reached, then index again."
        )


def gives_other_lengths(calls: EmbeddingCalls, dimensions: int) -> bool:
    """Say whether a model is known to give vectors of another length than ``dimensions``."""
    vectors, _ = calls.call([_PROBE], further_tries=False)
    return vectors is not None and vectors[0].size != dimensions
