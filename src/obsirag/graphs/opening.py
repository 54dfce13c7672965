"""What stands before the answer to a request for a risky action, whatever the answer says."""

from __future__ import annotations

from obsirag.config import IntentMessages
from obsirag.graphs.language import language_of
from obsirag.graphs.prompts import notice
from obsirag.graphs.state import RagState

__all__ = ["opening_of"]


def opening_of(state: RagState, messages: IntentMessages) -> str:
    """Return that nothing was done and a person has to approve; empty for a question that asks for no such thing.

    Args:
        state: The state.
        messages: What is said in the place of obsirag's own words.
    """
    intent = state["intent"]
    if intent["kind"] != "high_risk" or not intent["is_request"]:
        return ""
    return f"{messages.high_risk or notice('nothing_done', language_of(state['question']))}\n\n"
