"""Fusion of rankings by document: a long note doesn't win by its many chunks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import fsum, isfinite

from langchain_core.documents import Document

__all__ = ["check_fusion", "chunk_id_of", "document_key_of", "fuse_by_document", "scored_copy", "tie_of"]


def fuse_by_document(
    rankings: Sequence[Sequence[Document]],
    *,
    weights: Sequence[float] | None = None,
    k: float = 60,
    document_key: str = "source",
    chunks_per_document: int = 3,
    limit: int | None = None,
) -> list[Document]:
    """Fuse rankings of chunks by reciprocal rank, each document once per ranking.

    A document's rank in a ranking is its place among the ranking's distinct documents, from 1; its score is the sum of
    ``weight / (k + rank)`` over the rankings that hold it. Documents come by falling score, equal ones by their key;
    each is represented by its best chunks, in a row. Neither the order of the rankings nor the order of equal scores
    matters to the result.

    Args:
        rankings: Chunks, best first. A chunk is known by ``metadata["chunk_id"]``, else by its id, else by its text.
        weights: How much each ranking counts, one number per ranking, at least 0; 0 leaves the ranking out.
        k: Dampens the difference between the first ranks; at least 0.
        document_key: The metadata field that names a chunk's document; a chunk without it is a document of its own.
        chunks_per_document: Most chunks of one document.
        limit: Most documents; None for all.

    Returns:
        Copies of the chunks with ``metadata["fusion_score"]``, the document's score, and
        ``metadata["matched_chunk_ids"]``, all chunks by which the document was found, best first.

    Raises:
        ValueError: If there is not one weight per ranking, or a number is out of its range.
    """
    check_fusion(rankings, weights, chunks_per_document, limit)
    if not isfinite(k) or k < 0:
        raise ValueError(f"k must be a number of at least 0, not {k}")
    shares: defaultdict[str, list[float]] = defaultdict(list)
    found: defaultdict[str, dict[str, _Chunk]] = defaultdict(dict)
    for ranking, weight in zip(rankings, weights or [1.0] * len(rankings), strict=True):
        if weight > 0:
            for rank, key in enumerate(_add_ranking(ranking, weight, k, document_key, found), 1):
                shares[key].append(weight / (k + rank))
    scores = {key: fsum(parts) for key, parts in shares.items()}
    order = sorted(scores, key=lambda key: (-scores[key], key))
    fused: list[Document] = []
    for key in order[:limit]:
        chunks = found[key]
        best = sorted((place, -fsum(parts), chunk_id) for chunk_id, (place, parts, _) in chunks.items())
        matched = [chunk_id for _, _, chunk_id in best]
        fused += [scored_copy(chunks[chunk_id][2], scores[key], matched) for chunk_id in matched[:chunks_per_document]]
    return fused


_Chunk = tuple[int, list[float], Document]
"""A chunk as the rankings found it: its best place, its shares, and the copy of the best place."""


def _add_ranking(
    ranking: Sequence[Document], weight: float, k: float, field: str, found: defaultdict[str, dict[str, _Chunk]]
) -> dict[str, None]:
    """Add the chunks of a ranking to those of their documents, and return the documents' keys in order."""
    keys: dict[str, None] = {}
    seen: set[str] = set()
    for document in ranking:
        # What chunk_id_of and document_key_of say; to call them would take a third of the time.
        metadata = document.metadata
        chunk_id = str(metadata.get("chunk_id") or document.id or document.page_content)
        value = metadata.get(field)
        key = chunk_id if value is None else str(value)
        keys[key] = None
        if chunk_id in seen:  # a chunk counts once per ranking, at its best place
            continue
        seen.add(chunk_id)
        place = len(seen)
        chunks = found[key]
        if chunk_id not in chunks:
            chunks[chunk_id] = place, [weight / (k + place)], document
            continue
        best, shares, known = chunks[chunk_id]
        shares.append(weight / (k + place))
        # Among copies of equal places, the choice must not hang on the order of the rankings.
        if place < best or (place == best and tie_of(document) < tie_of(known)):
            chunks[chunk_id] = place, shares, document
    return keys


def scored_copy(document: Document, score: float, matched: Sequence[str]) -> Document:
    """Return a copy of a chunk with the score of the fusion and the chunks by which its document was found."""
    metadata = document.metadata.copy()
    metadata["fusion_score"] = score
    metadata["matched_chunk_ids"] = list(matched)
    return document.model_copy(update={"metadata": metadata})  # a new one would be validated again


def tie_of(document: Document) -> str:
    """Return what orders copies of a chunk of which none is better."""
    return f"{document.page_content}\0{sorted(document.metadata.items(), key=lambda item: item[0])!r}\0{document.id}"


def chunk_id_of(document: Document) -> str:
    """Return what a chunk is known by."""
    return str(document.metadata.get("chunk_id") or document.id or document.page_content)


def document_key_of(document: Document, field: str, chunk_id: str) -> str:
    """Return the name of a chunk's document; a chunk without one is a document of its own."""
    value = document.metadata.get(field)
    return chunk_id if value is None else str(value)


def check_fusion(
    rankings: Sequence[Sequence[Document]], weights: Sequence[float] | None, chunks_per_document: int, limit: int | None
) -> None:
    """Check what all ways of fusion take.

    Raises:
        ValueError: If there is not one weight per ranking, or a number is out of its range.
    """
    if weights is not None and len(weights) != len(rankings):
        raise ValueError(f"{len(weights)} weights were given for {len(rankings)} rankings; give one for each")
    if any(not isfinite(weight) or weight < 0 for weight in weights or ()):
        raise ValueError(f"weights must be numbers of at least 0, not {list(weights or ())}")
    if chunks_per_document < 1:
        raise ValueError(f"chunks_per_document must be at least 1, not {chunks_per_document}")
    if limit is not None and limit < 0:
        raise ValueError(f"limit must be at least 0, not {limit}")
