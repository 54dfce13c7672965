"""Put the fused passages into a better order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.documents import Document

from obsirag.graphs.parts import documents_of
from obsirag.graphs.state import RagState
from obsirag.graphs.thread_permissions import permissions_of_document
from obsirag.records import merge_permissions, permissions_to_json

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
        reranked = self.reranker.compress_documents(state["evidence"], state["search_text"])
        return {"evidence": _restricted(documents_of(reranked), state["evidence"])}

    async def call_async(self, state: RagState) -> dict[str, Any]:
        """Do the same without blocking."""
        if not state["evidence"]:
            return {}
        reranked = await self.reranker.acompress_documents(state["evidence"], state["search_text"])
        return {"evidence": _restricted(documents_of(reranked), state["evidence"])}


def _restricted(reranked: list[Document], evidence: list[Document]) -> list[Document]:
    """Return the passages; one that lost its permissions in the reranker may hold text of any that went in."""
    permissions = permissions_to_json(merge_permissions(*map(permissions_of_document, evidence)))
    return [
        each
        if "permissions" in each.metadata
        else each.model_copy(update={"metadata": {**each.metadata, "permissions": permissions}})
        for each in reranked
    ]
