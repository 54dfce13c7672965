"""Fusion of rankings by document: a long note doesn't win by its many chunks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from math import fsum, isfinite

from langchain_core.documents import Document

__all__ = ["check_fusion", "chunk_id_of", "document_key_of", "fuse_by_document", "tie_of"]


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
        if weight == 0:
            continue
        ranks: dict[str, int] = {}
        places: dict[str, int] = {}
        for document in ranking:
            chunk_id = chunk_id_of(document)
            key = document_key_of(document, document_key, chunk_id)
            if key not in ranks:
                ranks[key] = len(ranks) + 1
                shares[key].append(weight / (k + ranks[key]))
            if chunk_id not in places:  # a chunk counts once per ranking, at its best place
                places[chunk_id] = place = len(places) + 1
                _keep(found[key], chunk_id, document, place, weight / (k + place))
    scores = {key: fsum(parts) for key, parts in shares.items()}
    order = sorted(scores, key=lambda key: (-scores[key], key))
    fused: list[Document] = []
    for key in order[:limit]:
        chunks = found[key]
        best = sorted(chunks, key=lambda chunk_id: (chunks[chunk_id][0], -fsum(chunks[chunk_id][1]), chunk_id))
        for chunk_id in best[:chunks_per_document]:
            document = chunks[chunk_id][2]
            metadata = {**document.metadata, "fusion_score": scores[key], "matched_chunk_ids": list(best)}
            fused.append(Document(id=document.id, page_content=document.page_content, metadata=metadata))
    return fused


_Chunk = tuple[int, list[float], Document]
"""A chunk as the rankings found it: its best place, its shares, and the copy of the best place."""


def _keep(chunks: dict[str, _Chunk], chunk_id: str, document: Document, place: int, share: float) -> None:
    before = chunks.get(chunk_id)
    if before is None:
        chunks[chunk_id] = (place, [share], document)
        return
    before[1].append(share)
    # Among copies of equal places, the choice must not hang on the order of the rankings.
    if place < before[0] or (place == before[0] and tie_of(document) < tie_of(before[2])):
        chunks[chunk_id] = (place, before[1], document)


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
