"""Answer one aspect of a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from obsirag.graphs.aspects import number_of
from obsirag.graphs.model_calls import Work
from obsirag.graphs.nodes.answer import AnswerNode
from obsirag.graphs.nodes.verify_citations import VerifyCitationsNode
from obsirag.graphs.state import RagState

__all__ = ["AnswerAspectNode"]


@dataclass(frozen=True, slots=True)
class AnswerAspectNode:
    """Write and check the answer of one aspect as that of a question of its own, from this aspect's passages only.

    Args:
        answer: Writes it.
        verify: Checks its citations, and has it written again.
    """

    answer: AnswerNode
    verify: VerifyCitationsNode

    def work(self, state: RagState) -> Work:
        """Return the update with the aspect's answer, from the part of the state that was sent for it."""
        number = number_of(state)
        assert number is not None  # noqa: S101 - the edge to this node sends it
        text = state["aspects"][number - 1]["text"]
        own: Any = {**state, "question": text, "standalone": text}
        degraded: set[str] = set()
        while True:
            written = yield from self.answer.work(own)
            degraded.update(written.get("degraded", []))
            own = {**own, **written}
            own |= self.verify(own)
            if not own["complaint"]:
                return {"aspect_drafts": {str(number): own["draft"]}, "degraded": sorted(degraded)}
