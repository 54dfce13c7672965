"""Fuse the hits of all searches into one order of passages."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.documents import Document

from obsirag.config import RetrievalOptions
from obsirag.errors import reason_of
from obsirag.graphs.aspects import aspect_of_ranking, search_of_ranking, united
from obsirag.graphs.state import RagState
from obsirag.retrievers import fuse

__all__ = ["FuseNode", "Living"]

_log = logging.getLogger(__name__)

Living = Callable[[list[list[Document]]], list[list[Document]]]
"""Takes out of rankings what is not in the index any more."""


@dataclass(frozen=True, slots=True)
class FuseNode:
    """Fuse rankings by document.

    Args:
        options: Weights, and how many chunks stand for a document.
        limit: How many documents remain.
        living: Two searches side by side may have seen two states of the index, and the old text of a note is not to
            stand beside its new text. None where nothing changes.
    """

    options: RetrievalOptions
    limit: int
    living: Living | None = None

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with the passages, best first."""
        return {"evidence": self.fuse(self._living(state["rankings"]))}

    def fuse(self, rankings: Mapping[str, list[Document]]) -> list[Document]:
        """Return the passages of the best documents, best first; of several aspects, the best of each first."""
        aspects: dict[int, dict[str, list[Document]]] = {}
        for name, hits in rankings.items():
            if (number := aspect_of_ranking(name)) is not None:
                aspects.setdefault(number, {})[name] = hits
        if not aspects:
            return self._fused(rankings)
        return united({number: self._fused(own) for number, own in aspects.items()})

    def _fused(self, rankings: Mapping[str, list[Document]]) -> list[Document]:
        weights = {"vector_search": self.options.weights.vector, "keyword_search": self.options.weights.keyword}
        # By name, so that it doesn't matter which search ended first.
        names = sorted(rankings)
        return fuse(
            [rankings[name] for name in names],
            by=self.options.fusion,
            weights=[weights.get(search_of_ranking(name), 1.0) for name in names],
            rrf_k=self.options.rrf_k,
            chunks_per_document=self.options.chunks_per_document,
            limit=self.limit,
        )

    def _living(self, rankings: Mapping[str, list[Document]]) -> Mapping[str, list[Document]]:
        notes = {name: hits for name, hits in rankings.items() if search_of_ranking(name) != "web_search"}
        if self.living is None or not any(notes.values()):
            return rankings
        try:
            return {**rankings, **dict(zip(notes, self.living([*notes.values()]), strict=True))}
        except Exception as error:  # noqa: BLE001 - what was found shall not be lost for it
            _log.warning("it could not be checked whether hits are out of date (%s)", reason_of(error))
            return rankings
