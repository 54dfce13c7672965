"""What persons asked, in their own words."""

from __future__ import annotations

from collections.abc import Sequence

from obsirag.graphs.follow_up import refers_back
from obsirag.graphs.state import EarlierTurn, RagState

__all__ = ["referred_to", "web_query"]


def referred_to(question: str, earlier: Sequence[EarlierTurn]) -> list[EarlierTurn]:
    """Return the turns back to the question that stands alone: a follow-up may follow a follow-up.

    Args:
        question: The question.
        earlier: The turns before it, oldest first.
    """
    chain: list[EarlierTurn] = []
    for turn in reversed(earlier):
        if not refers_back(question):
            break
        chain.insert(0, turn)
        question = turn["question"]
    return chain


def web_query(state: RagState) -> str:
    """Return what the web is searched for: nothing that only notes say.

    A chat model that words a follow-up has seen earlier answers, and all later words for it are made of those. So a
    follow-up goes to the web as it was asked, with the questions that it refers to behind it. Of a question that stands
    alone the model saw nothing but the question itself.
    """
    if not state["earlier"]:
        return state["search_text"]
    before = [turn["question"] for turn in referred_to(state["question"], state["earlier"])]
    return "\n".join([state["question"], *reversed(before)])
