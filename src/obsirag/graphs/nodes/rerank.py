"""Put the fused passages into a better order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from obsirag.graphs.state import RagState

if TYPE_CHECKING:
    from langchain_core.documents import BaseDocumentCompressor

__all__ = ["RerankNode"]


@dataclass(frozen=True, slots=True)
class RerankNode:
    """Rerank with a LangChain document compressor; where it fails, the fused order stays.

    Args:
        reranker: The reranker.
    """

    reranker: BaseDocumentCompressor

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with the passages in the new order."""
        if not state["evidence"]:
            return {}
        return {"evidence": list(self.reranker.compress_documents(state["evidence"], state["search_text"]))}

    async def call_async(self, state: RagState) -> dict[str, Any]:
        """Do the same without blocking."""
        if not state["evidence"]:
            return {}
        return {"evidence": list(await self.reranker.acompress_documents(state["evidence"], state["search_text"]))}
