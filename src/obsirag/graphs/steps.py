"""Which steps a configuration asks for, and how many LangGraph steps must be left for what comes after them."""

from __future__ import annotations

from obsirag.config import RagConfig

__all__ = ["TO_ANSWER", "TO_PUBLISH_HITS", "grades", "rewrites_follow_ups"]

# LangGraph wants a step to be left when the last node has run.
_OWN = 1
TO_PUBLISH_HITS = 3 + _OWN
"""Steps to search, to fuse and to publish."""
TO_ANSWER = 3 + _OWN
"""Steps to answer, to verify and to publish."""


def rewrites_follow_ups(config: RagConfig) -> bool:
    """Say whether a chat model words follow-ups so that they stand alone."""
    own = config.conversation.rewrite
    return config.preset != "naive" if own is None else own


def grades(config: RagConfig) -> bool:
    """Say whether it is judged if what was found can answer the question."""
    own = config.grading.enabled
    return config.preset != "naive" if own is None else own
