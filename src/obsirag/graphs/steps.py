"""How many LangGraph steps must be left for what comes after a node."""

from __future__ import annotations

from typing import Any

from langgraph.config import get_config

__all__ = ["TO_ANSWER", "TO_PUBLISH_HITS", "with_steps_of_run"]

_MANY = 1_000_000

# LangGraph wants a step to be left when the last node has run.
_OWN = 1
TO_PUBLISH_HITS = 3 + _OWN
"""Steps to search, to fuse and to publish."""
TO_ANSWER = 3 + _OWN
"""Steps to answer, to verify and to publish."""


def with_steps_of_run(state: Any, node: str) -> Any:
    """Return the state, as a node's route sees it, with the steps that are really left.

    ``update_state`` asks the routes too, outside of any run, and tells them that the limit is all but reached. The run
    that goes on from there has steps of its own.

    Args:
        state: The state.
        node: The node.
    """
    is_run = get_config().get("metadata", {}).get("langgraph_node") == node
    return state if is_run else {**state, "remaining_steps": _MANY}
