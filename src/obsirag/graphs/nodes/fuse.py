"""Fuse the hits of all searches into one order of passages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.documents import Document

from obsirag.config import RetrievalOptions
from obsirag.graphs.state import RagState
from obsirag.retrievers import fuse

__all__ = ["FuseNode"]


@dataclass(frozen=True, slots=True)
class FuseNode:
    """Fuse rankings by document.

    Args:
        options: Weights, and how many documents with how many chunks remain.
    """

    options: RetrievalOptions

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with the passages, best first."""
        return {"evidence": self.fuse(state["rankings"])}

    def fuse(self, rankings: Mapping[str, list[Document]]) -> list[Document]:
        """Return the passages of the best documents, best first."""
        weights = {"vector_search": self.options.weights.vector, "keyword_search": self.options.weights.keyword}
        # By name, so that it doesn't matter which search ended first.
        names = sorted(rankings)
        return fuse(
            [rankings[name] for name in names],
            by=self.options.fusion,
            weights=[weights.get(name, 1.0) for name in names],
            rrf_k=self.options.rrf_k,
            chunks_per_document=self.options.chunks_per_document,
            limit=self.options.limit,
        )
