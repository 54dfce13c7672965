"""The fused hits in the order of a reranker; where it fails, they stay as they are."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from itertools import islice
from math import isfinite
from typing import Any

from langchain_core.documents import BaseDocumentCompressor, Document

from obsirag.errors import ConfigError, MissingExtraError, ServiceError, reason_of
from obsirag.retrievers.bounded_text import bounded_text
from obsirag.retrievers.deadlines import await_within, call_within
from obsirag.retrievers.fusion import chunk_id_of
from obsirag.retrievers.grouping import source_of, sources_of
from obsirag.retrievers.hybrid import SearchResult

__all__ = ["Reranking"]

_log = logging.getLogger(__name__)
_SCORES = ("rerank_score", "relevance_score")
"""Where rerankers leave a score: the project's own, and most of LangChain's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reranking:
    """Puts the first documents into the order of a reranker.

    Each chunk that stands for one of them is judged. The reranker gets copies with the beginning of the text, and only
    its order and its scores are taken from what it gives back. What it leaves out follows in the fused order.

    Args:
        reranker: A LangChain document compressor.
        candidates: How many documents it judges; others follow in the fused order.
        min_candidates: With fewer documents it isn't asked.
        max_characters: How much of a chunk it reads.
        timeout: How many seconds it is waited for.
    """

    reranker: BaseDocumentCompressor
    candidates: int = 10
    min_candidates: int = 3
    max_characters: int = 512
    timeout: float = 30.0

    def rerank(self, query: str, found: SearchResult) -> SearchResult:
        """Return the documents in the new order, with ``metadata["rerank_score"]`` where the reranker gives scores.

        If it fails, takes too long, or gives back what it was not given, they keep their order, and ``degraded`` names
        ``reranker``.

        Args:
            query: What was asked.
            found: What was found, best first.

        Raises:
            ConfigError: If the reranker cannot work as it is configured.
        """
        judged = self._judged(found.documents)
        if not judged:
            return found
        try:
            ask = partial(self.reranker.compress_documents, self._inputs(judged), query)
            given = call_within(self.timeout, lambda: _listed(ask(), judged))
            return found._replace(documents=_ordered(found.documents, judged, given))
        except (ConfigError, MissingExtraError):  # it stays so, and is better said than logged with each query
            raise
        except Exception as error:  # noqa: BLE001 - whatever a stranger's reranker does, the fused order is there
            return _degraded(found, error)

    async def arerank(self, query: str, found: SearchResult) -> SearchResult:
        """Do what ``rerank`` does, without holding up the event loop."""
        judged = self._judged(found.documents)
        if not judged:
            return found
        try:
            ask = partial(self.reranker.acompress_documents, self._inputs(judged), query)
            given = _listed(await await_within(self.timeout, ask), judged)
            return found._replace(documents=_ordered(found.documents, judged, given))
        except (ConfigError, MissingExtraError):
            raise
        except Exception as error:  # noqa: BLE001 - as above
            return _degraded(found, error)

    def _judged(self, chunks: Sequence[Document]) -> list[Document]:
        documents = sources_of(chunks)
        if len(documents) < self.min_candidates:
            return []
        first = set(documents[: self.candidates])
        return [chunk for chunk in chunks if source_of(chunk) in first]

    def _inputs(self, judged: Sequence[Document]) -> list[Document]:
        return [
            Document(
                id=chunk.id,
                page_content=bounded_text(chunk.page_content, self.max_characters),
                # A score that stands there already, as a field of the note, is not the reranker's.
                metadata={name: deepcopy(value) for name, value in chunk.metadata.items() if name not in _SCORES},
            )
            for chunk in judged
        ]


def _listed(given: Any, judged: Sequence[Document]) -> list[Any]:
    """Return what a reranker gave, which may be made only when it is looked at, up to one too many."""
    return list(islice(given, len(judged) + 1))


def _ordered(chunks: Sequence[Document], judged: Sequence[Document], given: Sequence[Any]) -> list[Document]:
    """Return the chunks in the order that the reranker gave, and behind them those that it left out."""
    known = {chunk_id_of(chunk): chunk for chunk in judged}
    order: dict[str, Document] = {}
    for each in given:
        name = chunk_id_of(each)
        if name not in known or name in order:
            raise ServiceError("The reranker gave back a passage that it was not given, or one twice.")
        order[name] = _scored(known[name], each)
    if not order:
        raise ServiceError("The reranker gave back no passage.")
    return [*order.values(), *(chunk for chunk in chunks if chunk_id_of(chunk) not in order)]


def _scored(chunk: Document, given: Document) -> Document:
    score = next((given.metadata[name] for name in _SCORES if name in given.metadata), None)
    if score is None:
        return chunk
    if not isfinite(score):
        raise ServiceError("The reranker gave a score that is no finite number.")
    metadata = {**chunk.metadata, "rerank_score": float(score)}
    return Document(id=chunk.id, page_content=chunk.page_content, metadata=metadata)


def _degraded(found: SearchResult, error: Exception) -> SearchResult:
    _log.warning("reranker failed (%s); the fused order stays", reason_of(error))
    return found._replace(degraded=(*found.degraded, "reranker"))
