"""The choice between the ways of fusion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from langchain_core.documents import Document

from obsirag.retrievers.fusion import fuse_by_document
from obsirag.retrievers.score_fusion import fuse_scores_by_document

__all__ = ["Fusion", "fuse"]

Fusion = Literal["scores", "ranks"]
"""Whether rankings are fused by their scores or by reciprocal ranks."""


def fuse(
    rankings: Sequence[Sequence[Document]],
    *,
    by: Fusion,
    weights: Sequence[float],
    rrf_k: float,
    chunks_per_document: int,
    limit: int,
) -> list[Document]:
    """Return what ``fuse_scores_by_document`` or ``fuse_by_document`` says.

    Args:
        rankings: Chunks, best first, with their scores.
        by: ``scores`` or ``ranks``.
        weights: How much each ranking counts.
        rrf_k: The constant of reciprocal rank fusion; scores need none.
        chunks_per_document: Most chunks of one document.
        limit: Most documents.
    """
    if by == "scores":
        return fuse_scores_by_document(rankings, weights=weights, chunks_per_document=chunks_per_document, limit=limit)
    return fuse_by_document(rankings, weights=weights, k=rrf_k, chunks_per_document=chunks_per_document, limit=limit)
