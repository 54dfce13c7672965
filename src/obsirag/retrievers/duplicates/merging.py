"""Merging documents that say the same: the best stays and tells where else it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from langchain_core.documents import Document
from numpy.typing import ArrayLike

from obsirag.retrievers.duplicates.pairs import find_pairs
from obsirag.retrievers.duplicates.unit_rows import Indices, UnitRows

__all__ = ["merge_near_duplicates"]


def merge_near_duplicates(
    documents: Sequence[Document], vectors: ArrayLike, *, threshold: float = 0.95
) -> list[Document]:
    """Merge documents into better ranked ones whose vectors point nearly the same way.

    In the order of rank, a document whose cosine with one that stays is greater than ``threshold`` is merged into the
    first such; so there are no chains: what is only near to a merged document stays.

    Whoever may read a result reads from which notes the merged ones came. So merge only what the caller may read:
    after the filter by labels, never before.

    Args:
        documents: Documents, best first.
        vectors: One vector for each document, (n, d), of any length. Zero vectors are near to none.
        threshold: A cosine, from -1 to 1.

    Returns:
        Copies of the documents that stay, in their order. Their metadata have in addition, all lists, empty where
        nothing was merged:

        - ``merged_sources``: the other sources of what was merged, each once, best first;
        - ``merged_chunk_ids`` and ``merged_scores``: ``chunk_id`` (else the document's id) and ``score`` of each
          merged document, best first, None where it has none;
        - ``aspects``, if any of them has such a list: those of all, each once.

        What was merged into these documents, or into merged ones, by an earlier call stays listed.

    Raises:
        ValueError: If there is not one vector for each document, or as ``near_duplicate_pairs`` says.
    """
    units = UnitRows.from_vectors(vectors)
    if len(units.vectors) != len(documents):
        raise ValueError(
            f"{len(documents)} documents were given, but {len(units.vectors)} vectors; give one for each document"
        )
    groups = _groups(find_pairs(units, threshold), len(documents))
    return [_merged(documents[first], [documents[other] for other in others]) for first, others in groups.items()]


def _groups(pairs: Indices, count: int) -> dict[int, list[int]]:
    """Return what stays, with what is merged into each."""
    groups: dict[int, list[int]] = {}
    starts = np.searchsorted(pairs[:, 0], np.arange(count + 1))
    free = np.ones(count, dtype=np.bool_)
    for first in range(count):
        if free[first]:  # in order of rank: all that it could have been merged into were asked before
            near = pairs[starts[first] : starts[first + 1], 1]
            others = near[free[near]]
            free[others] = False
            groups[first] = others.tolist()
    return groups


def _merged(best: Document, others: Sequence[Document]) -> Document:
    documents = [best, *others]
    own = best.metadata.get("source")
    sources: list[Any] = []
    chunk_ids: list[Any] = []
    scores: list[Any] = []
    for document in documents:
        metadata = document.metadata
        if document is not best:
            sources.append(metadata.get("source"))
            chunk_ids.append(metadata.get("chunk_id") or document.id)
            scores.append(metadata.get("score"))
        sources += metadata.get("merged_sources", ())
        chunk_ids += metadata.get("merged_chunk_ids", ())
        scores += metadata.get("merged_scores", ())
    metadata = {
        **best.metadata,
        "merged_sources": [source for source in dict.fromkeys(sources) if source not in (None, own)],
        "merged_chunk_ids": chunk_ids,
        "merged_scores": scores,
    }
    aspects = [document.metadata["aspects"] for document in documents if _has_aspects(document)]
    if aspects:
        metadata["aspects"] = [*dict.fromkeys(aspect for each in aspects for aspect in each)]
    return Document(id=best.id, page_content=best.page_content, metadata=metadata)


def _has_aspects(document: Document) -> bool:
    return isinstance(document.metadata.get("aspects"), list)
