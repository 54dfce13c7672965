"""Fuse the hits of all searches into one order of passages."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langchain_core.documents import Document
from langgraph.runtime import get_runtime

from obsirag.config import RetrievalOptions
from obsirag.errors import reason_of
from obsirag.graphs.aspects import aspect_of_ranking, search_of_ranking, united
from obsirag.graphs.state import RagContext, RagState, labels_of
from obsirag.records import is_derived
from obsirag.retrievers import Preferring, SearchResult, fuse

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
        preferring: Moves documents as people's marks say; None if they stay.
    """

    options: RetrievalOptions
    limit: int
    living: Living | None = None
    preferring: Preferring | None = None

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with the passages, best first."""
        found = self.fuse(state, self._living(state["rankings"]))
        return {"evidence": found.documents, **({"degraded": [*found.degraded]} if found.degraded else {})}

    def fuse(self, state: RagState, rankings: Mapping[str, list[Document]]) -> SearchResult:
        """Return the passages of the best documents, best first; of several aspects, the best of each first.

        Args:
            state: The state.
            rankings: Hits by the name of the search that found them.
        """
        aspects: dict[int, dict[str, list[Document]]] = {}
        for name, hits in rankings.items():
            if (number := aspect_of_ranking(name)) is not None:
                aspects.setdefault(number, {})[name] = hits
        if not aspects:
            return self._fused(_asked(state, None), rankings)
        parts = {number: self._fused(_asked(state, number), own) for number, own in sorted(aspects.items())}
        degraded = tuple(sorted({name for part in parts.values() for name in part.degraded}))
        return SearchResult(united({number: part.documents for number, part in parts.items()}), degraded)

    def _fused(self, question: str, rankings: Mapping[str, list[Document]]) -> SearchResult:
        weights = {"vector_search": self.options.weights.vector, "keyword_search": self.options.weights.keyword}
        # By name, so that it doesn't matter which search ended first.
        names = sorted(rankings)
        found = fuse(
            # An answer is made from originals, not from what was answered before.
            [[hit for hit in rankings[name] if not is_derived(hit.metadata)] for name in names],
            by=self.options.fusion,
            weights=[weights.get(search_of_ranking(name), 1.0) for name in names],
            rrf_k=self.options.rrf_k,
            chunks_per_document=self.options.chunks_per_document,
            limit=self.limit + (self.preferring.max_shift if self.preferring is not None else 0),
        )
        if self.preferring is None:
            return SearchResult(found)
        labels = labels_of(get_runtime(RagContext).context)
        return self.preferring.prefer(question, SearchResult(found), labels=labels, limit=self.limit)

    def _living(self, rankings: Mapping[str, list[Document]]) -> Mapping[str, list[Document]]:
        notes = {name: hits for name, hits in rankings.items() if search_of_ranking(name) != "web_search"}
        if self.living is None or not any(notes.values()):
            return rankings
        try:
            return {**rankings, **dict(zip(notes, self.living([*notes.values()]), strict=True))}
        except Exception as error:  # noqa: BLE001 - what was found shall not be lost for it
            _log.warning("it could not be checked whether hits are out of date (%s)", reason_of(error))
            return rankings


def _asked(state: RagState, number: int | None) -> str:
    """Return what is asked, in whole or in one aspect; the search of somebody's own may name aspects that aren't."""
    aspects = state.get("aspects", [])
    if number is not None and 1 <= number <= len(aspects):
        return aspects[number - 1]["text"]
    return state.get("standalone") or state.get("question", "")
