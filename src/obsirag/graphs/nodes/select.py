"""Choose the passages to go on with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.documents import Document

from obsirag.graphs.aspects import by_aspect, has_aspects, united
from obsirag.graphs.callers import CallerLabels, caller_labels
from obsirag.graphs.failures import go_without
from obsirag.graphs.state import RagState

__all__ = ["Select", "SelectNode"]

Select = Callable[[list[Document], Sequence[str]], list[Document]]
"""Takes passages, best first, and the caller's labels; returns those that remain."""


@dataclass(frozen=True, slots=True)
class SelectNode:
    """Merge near-duplicates, keep the best documents, and put sections in the place of chunks, as configured.

    Of a question with several aspects, the best documents of each. Where that fails, all passages stay.

    Args:
        select: Does that.
        labels: Gives the labels of a run's caller.
    """

    select: Select
    labels: CallerLabels = caller_labels

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with the passages that remain."""
        labels = self.labels()
        try:
            if not has_aspects(state):
                return {"evidence": self.select(state["evidence"], labels)}
            passages = by_aspect(state["evidence"], len(state["aspects"]))
            return {"evidence": united({number: self.select(each, labels) for number, each in passages.items()})}
        except Exception as error:  # noqa: BLE001 - nothing that was found shall be lost for it
            return go_without("select", error)
