"""Near-duplicates among what was found, merged by the vectors that the catalogue has of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from langchain_core.documents import Document

from obsirag.catalogue import Catalogue, cached_vectors

__all__ = ["DuplicateMerging"]


@dataclass(frozen=True, slots=True)
class DuplicateMerging:
    """Merges chunks into better ones that say nearly the same.

    Args:
        catalogue: The catalogue, which keeps the vector of each content.
        threshold: The cosine over which two chunks are near-duplicates.
    """

    catalogue: Catalogue
    threshold: float = 0.95

    def merge(self, chunks: Sequence[Document]) -> list[Document]:
        """Return the chunks that stay, in their order, as ``merge_near_duplicates`` does.

        A chunk without a vector is near to none.

        Args:
            chunks: What was found for a caller, and so nothing but what the caller may read; best first.
        """
        if len(chunks) < 2:
            return list(chunks)
        names = [str(chunk.metadata.get("content_hash") or "") for chunk in chunks]
        with self.catalogue.reading() as connection:
            known = cached_vectors(connection, self.catalogue.model_id or "", names)
        if not known:
            return list(chunks)
        from obsirag.retrievers.duplicates import merge_near_duplicates

        nothing = np.zeros_like(next(iter(known.values())))
        vectors = np.stack([known.get(name, nothing) for name in names])
        return merge_near_duplicates(chunks, vectors, threshold=self.threshold)
