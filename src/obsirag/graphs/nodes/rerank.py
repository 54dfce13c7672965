"""Put the fused passages into a better order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from obsirag.graphs.asked import notes_query
from obsirag.graphs.state import RagState
from obsirag.retrievers import Reranking, SearchResult

__all__ = ["RerankNode"]


@dataclass(frozen=True, slots=True)
class RerankNode:
    """Rerank; where that fails, the fused order stays, and ``degraded`` names ``reranker``.

    Args:
        reranking: The reranker, with what it gets to see.
    """

    reranking: Reranking

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with the passages in the new order."""
        return _update(self.reranking.rerank(notes_query(state), SearchResult(state["evidence"])))

    async def call_async(self, state: RagState) -> dict[str, Any]:
        """Do the same without blocking."""
        return _update(await self.reranking.arerank(notes_query(state), SearchResult(state["evidence"])))


def _update(found: SearchResult) -> dict[str, Any]:
    return {"evidence": found.documents, "degraded": list(found.degraded)}
