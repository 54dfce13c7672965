"""Embeddings that need nothing: terms hashed into a vector. They find shared words, not shared meaning."""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b
from math import log
from typing import Annotated, Any

import numpy as np
from langchain_core.embeddings import Embeddings
from pydantic import Field

from obsirag.config import ConfigModel
from obsirag.plugins.markers import hookimpl
from obsirag.text import index_terms, query_terms

__all__ = ["HashingEmbeddings", "HashingOptions", "embeddings"]


class HashingOptions(ConfigModel):
    """What can be set for ``hashing``."""

    dimensions: Annotated[int, Field(strict=True, ge=8, le=65_536)] = Field(
        default=1024, description="Length of the vectors; the longer, the fewer terms share a place."
    )


class HashingEmbeddings(Embeddings):
    """Deterministic embeddings, the same on each machine: each term adds to one place, with a sign.

    Vectors have length 1, or are zero for a text without any term.

    Args:
        dimensions: Length of the vectors.
    """

    def __init__(self, dimensions: int = 1024) -> None:
        self.dimensions = dimensions
        self.model_id = f"hashing:{dimensions}"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """Return one vector for each text."""
        return [self._embed(index_terms(text)) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """Return the vector of a query."""
        return self._embed(query_terms(text))

    def _embed(self, terms: list[str]) -> list[float]:
        vector = np.zeros(self.dimensions)
        for term, count in Counter(terms).items():
            # blake2 rather than hash(), which differs from process to process.
            digest = int.from_bytes(blake2b(term.encode("utf-8", "replace"), digest_size=8).digest(), "little")
            sign = 1.0 if digest & 1 else -1.0
            vector[(digest >> 1) % self.dimensions] += sign * (1.0 + log(count))
        length = float(np.linalg.norm(vector))
        result: list[float] = (vector / length if length else vector).tolist()
        return result


@hookimpl
def embeddings(options: dict[str, Any]) -> HashingEmbeddings:
    """Make hashing embeddings."""
    return HashingEmbeddings(HashingOptions.parse(options, place="embeddings (hashing)").dimensions)
