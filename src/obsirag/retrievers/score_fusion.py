"""Fusion of rankings by their scores: how clearly a search prefers a chunk counts, not its rank alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import fsum, isfinite

from langchain_core.documents import Document

from obsirag.retrievers.fusion import check_fusion, chunk_id_of, document_key_of, tie_of

__all__ = ["fuse_scores_by_document"]


def fuse_scores_by_document(
    rankings: Sequence[Sequence[Document]],
    *,
    weights: Sequence[float] | None = None,
    document_key: str = "source",
    chunks_per_document: int = 3,
    limit: int | None = None,
) -> list[Document]:
    """Fuse rankings of chunks by the weighted mean of their scores, so that no document fills the top.

    In each ranking the scores are put on a scale from 0, its lowest, to 1, its highest (the convex combination of
    Bruch, Gai and Ingber, "An Analysis of Fusion Functions for Hybrid Retrieval", 2023); a chunk that a ranking doesn't
    hold has 0 in it. A document is as good as its best chunk. The best chunks of the best documents come by their own
    scores, equal ones by document and chunk id. Neither the order of the rankings nor that of equal scores matters.

    Args:
        rankings: Chunks with ``metadata["score"]``, the higher the better. A ranking of which a chunk has none is taken
            by its ranks: the scale goes down evenly from its first chunk. A chunk is known by
            ``metadata["chunk_id"]``, else by its id, else by its text.
        weights: How much each ranking counts, one number per ranking, at least 0; 0 leaves the ranking out.
        document_key: The metadata field that names a chunk's document; a chunk without it is a document of its own.
        chunks_per_document: Most chunks of one document.
        limit: Most documents; None for all.

    Returns:
        Copies of the chunks with ``metadata["fusion_score"]``, the chunk's, from 0 to 1, and
        ``metadata["matched_chunk_ids"]``, all chunks by which its document was found, best first.

    Raises:
        ValueError: If there is not one weight per ranking, or a number is out of its range.
    """
    check_fusion(rankings, weights, chunks_per_document, limit)
    counted = [
        (_scaled(ranking), weight)
        for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True)
        if weight > 0
    ]
    total = fsum(weight for _, weight in counted)
    shares: defaultdict[str, list[float]] = defaultdict(list)
    chunks: dict[str, Document] = {}
    for scaled, weight in counted:
        for chunk_id, (score, document) in scaled.items():
            shares[chunk_id].append(score * weight / total)
            if chunk_id not in chunks or tie_of(document) < tie_of(chunks[chunk_id]):
                chunks[chunk_id] = document
    scores = {chunk_id: fsum(parts) for chunk_id, parts in shares.items()}
    best = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], _key(chunks, chunk_id, document_key), chunk_id))
    found: defaultdict[str, list[str]] = defaultdict(list)  # by document, the best first
    for chunk_id in best:
        found[_key(chunks, chunk_id, document_key)].append(chunk_id)
    shown = {chunk_id: key for key in list(found)[:limit] for chunk_id in found[key][:chunks_per_document]}
    return [
        Document(
            id=chunks[chunk_id].id,
            page_content=chunks[chunk_id].page_content,
            metadata={
                **chunks[chunk_id].metadata,
                "fusion_score": scores[chunk_id],
                "matched_chunk_ids": list(found[shown[chunk_id]]),
            },
        )
        for chunk_id in best
        if chunk_id in shown
    ]


def _key(chunks: Mapping[str, Document], chunk_id: str, field: str) -> str:
    return document_key_of(chunks[chunk_id], field, chunk_id)


def _scaled(ranking: Sequence[Document]) -> dict[str, tuple[float, Document]]:
    """Return each chunk's best score in a ranking, from 0 to 1, with the copy that has it."""
    given = [document.metadata.get("score") for document in ranking]
    scores = [float(score) for score in given if isinstance(score, (int, float)) and isfinite(score)]
    if len(scores) < len(ranking):
        scores = [float(len(ranking) - place) for place in range(len(ranking))] + [0.0]
    lowest, highest = min(scores, default=0.0), max(scores, default=0.0)
    scaled: dict[str, tuple[float, Document]] = {}
    for score, document in zip(scores, ranking, strict=False):
        share = (score - lowest) / (highest - lowest) if highest > lowest else 1.0
        chunk_id = chunk_id_of(document)
        known = scaled.get(chunk_id)
        if known is None or share > known[0] or (share == known[0] and tie_of(document) < tie_of(known[1])):
            scaled[chunk_id] = share, document
    return scaled
