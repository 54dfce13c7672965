"""Have a person look at the evidence before an answer is made of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from langgraph.config import get_config
from langgraph.types import interrupt

from obsirag.errors import ConfigError
from obsirag.graphs.drafts import said_draft
from obsirag.graphs.language import language_of
from obsirag.graphs.prompts import notice
from obsirag.graphs.reviews import WrongDecisionError, read_decision, review_request
from obsirag.graphs.state import RagState

__all__ = ["ReviewNode", "check_checkpointer", "request_review"]

# Where LangGraph tells a node which checkpointer the run has, a parent graph's included; it has no public name for it.
_CHECKPOINTER = "__pregel_checkpointer"


def check_checkpointer() -> None:
    """Make sure that the present run can wait for a person.

    Raises:
        ConfigError: If it has no checkpointer, so that nobody could take it up again.
    """
    configurable = get_config().get("configurable", {})
    if _CHECKPOINTER in configurable and not configurable[_CHECKPOINTER]:
        raise ConfigError(
            "review: a question may have to wait for a person, so the graph needs a checkpointer: "
            "build_rag_graph(config).compile(checkpointer=…); on a server that brings one, a run on a thread; or "
            "review: {mode: off}"
        )


def request_review(state: RagState) -> dict[str, Any]:
    """Return the update that says what is being waited for; the node after it waits."""
    return {"status": "awaiting_review", "answer": notice("awaiting_review", language_of(state["question"]))}


@dataclass(frozen=True, slots=True)
class ReviewNode:
    """Wait for a person's decision, and do what it says.

    Everything before this node is done once, however often the run is taken up again.

    Args:
        rejected: What whoever asked is told after a rejection without a message; a notice if empty.
    """

    rejected: str = ""

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with the passages to answer from, or with a refusal."""
        language = language_of(state["question"])
        wrong = ""
        while True:
            given = interrupt(review_request(state, language, wrong))
            try:
                decision = read_decision(given, state["evidence"], state["standalone"])
                break
            except WrongDecisionError as error:
                wrong = str(error)  # and the run waits again
        cleared = {"status": "not_found", "answer": ""}
        if decision.kind == "reject":
            text = decision.message or self.rejected or notice("rejected", language)
            return {**cleared, "draft": said_draft(state, text, "refusal"), "evidence": []}
        if not decision.evidence:
            return {**cleared, "draft": said_draft(state, notice("left_none", language), "none"), "evidence": []}
        return {**cleared, "evidence": decision.evidence}
