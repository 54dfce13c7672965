"""Fusion of rankings by their scores: how clearly a search prefers a chunk counts, not its rank alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import fsum, isfinite
from numbers import Real
from typing import Any

from langchain_core.documents import Document

from obsirag.retrievers.fusion import check_fusion, document_key_of, scored_copy, tie_of

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
        Copies of the chunks, each of the ranking on whose scale it stands highest, with
        ``metadata["fusion_score"]``, the chunk's, from 0 to 1, and ``metadata["matched_chunk_ids"]``, all chunks by
        which its document was found, best first.

    Raises:
        ValueError: If there is not one weight per ranking, or a number is out of its range.
    """
    check_fusion(rankings, weights, chunks_per_document, limit)
    weights = weights or [1.0] * len(rankings)
    total = fsum(weights)
    chunks: dict[str, _Chunk] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        if weight > 0:
            _add_ranking(ranking, weight, total, chunks)
    best = sorted(
        [
            (-fsum(shares), document_key_of(document, document_key, chunk_id), chunk_id)
            for chunk_id, (_, document, shares) in chunks.items()
        ]
    )
    found: defaultdict[str, list[str]] = defaultdict(list)  # by document, the best first
    for _, key, chunk_id in best:
        found[key].append(chunk_id)
    shown = {chunk_id for key in list(found)[:limit] for chunk_id in found[key][:chunks_per_document]}
    return [scored_copy(chunks[chunk_id][1], -score, found[key]) for score, key, chunk_id in best if chunk_id in shown]


_Chunk = tuple[float, Document, list[float]]
"""A chunk's best score on the scale of a ranking, the copy that has it, and its share of each ranking that holds it."""


def _add_ranking(ranking: Sequence[Document], weight: float, total: float, chunks: dict[str, _Chunk]) -> None:
    """Add the chunks of a ranking, each with its share of ``weight`` in the ``total`` of the weights."""
    seen: set[str] = set()
    for score, document in zip(_scaled(ranking), ranking, strict=True):
        # What chunk_id_of says; to call it would take a sixth of the time.
        chunk_id = str(document.metadata.get("chunk_id") or document.id or document.page_content)
        if chunk_id not in chunks:
            seen.add(chunk_id)
            chunks[chunk_id] = score, document, [score * weight / total]
            continue
        best, copy, shares = chunks[chunk_id]
        if chunk_id not in seen:
            seen.add(chunk_id)
            shares.append(score * weight / total)
        else:  # a chunk counts once per ranking, with its best score
            shares[-1] = max(shares[-1], score * weight / total)
        # Among copies of equal scores, the choice must not hang on which comes first.
        if score > best or (score == best and tie_of(document) < tie_of(copy)):
            chunks[chunk_id] = score, document, shares


def _scaled(ranking: Sequence[Document]) -> list[float]:
    """Return the scores on a scale from the lowest, 0, to the highest, 1; without scores, by rank."""
    # Stores give numpy's numbers, too.
    scores: list[Any] = [document.metadata.get("score") for document in ranking]
    kinds = set(map(type, scores))
    if not all(issubclass(kind, Real) for kind in kinds) or not all(map(isfinite, scores)):
        count = len(ranking)
        return [(count - place) / count for place in range(count)]
    lowest, highest = min(scores, default=0.0), max(scores, default=0.0)
    if highest == lowest:
        return [1.0] * len(scores)
    span = highest - lowest
    return [(score - lowest) / span for score in scores]
