"""Embeddings for tests: the same text gives the same vector everywhere, and unlike texts lie far apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b

import numpy as np
from langchain_core.embeddings import Embeddings

__all__ = ["FakeEmbeddings"]


class FakeEmbeddings(Embeddings):
    """Gives each text a direction of its own, of length 1, and remembers what it was asked.

    Args:
        dimensions: Length of the vectors.
        vectors: Vectors of certain texts.
        error: Raised by each call; None for none.
    """

    def __init__(
        self,
        dimensions: int = 32,
        *,
        vectors: Mapping[str, Sequence[float]] | None = None,
        error: Exception | None = None,
    ) -> None:
        self.dimensions = dimensions
        self.model_id = f"fake:{dimensions}"
        self.error = error
        self.asked: list[str] = []
        self._given = dict(vectors or {})

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text."""
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a text.

        Raises:
            Exception: The one that was given.
        """
        self.asked.append(text)
        if self.error is not None:
            raise self.error
        if text in self._given:
            return list(self._given[text])
        # blake2 rather than hash(), which differs from process to process.
        seed = int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")
        vector = np.random.default_rng(seed).standard_normal(self.dimensions)
        numbers: list[float] = (vector / np.linalg.norm(vector)).tolist()
        return numbers
