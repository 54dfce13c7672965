"""What a node that works on one aspect gets of the state, by ``Send``.

The question's turn goes with it, by which it is known who may read the rest: a run that stopped can be taken up by
anybody who has the thread, and a part is looked at like the state itself (``obsirag.graphs.callers``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph.types import Send

from obsirag.config import BudgetOptions
from obsirag.graphs.aspects import aspect_of_ranking, by_aspect, search_of_ranking
from obsirag.graphs.state import RagState
from obsirag.graphs.usage import Usage

__all__ = ["answer_parts", "search_parts"]

# Of each ranking, for the weights of words where an aspect's passages are quoted.
MOST_HITS = 30


def search_parts(state: RagState, searches: Sequence[str]) -> list[Send]:
    """Return one search for each aspect in each way.

    Args:
        state: The state.
        searches: The names of the searches.
    """
    numbers = range(1, len(state["aspects"]) + 1)
    return [Send(name, _part(state, number)) for number in numbers for name in searches]


def answer_parts(state: RagState, budget: BudgetOptions) -> list[Send]:
    """Return one answer for each aspect, from its own passages, each with its share of what the question may cost.

    Args:
        state: The state.
        budget: What the question may cost.
    """
    aspects = len(state["aspects"])
    return [
        Send(
            "answer_aspect",
            _part(
                state,
                number,
                evidence=passages,
                rankings=_rankings(state, number),
                usage=_share(state["usage"], budget, number, aspects),
                remaining_steps=state["remaining_steps"],
            ),
        )
        for number, passages in by_aspect(state["evidence"], aspects).items()
    ]


def _part(state: RagState, number: int, **more: Any) -> dict[str, Any]:
    messages = state["messages"]
    last = max((index for index, message in enumerate(messages) if message.type == "human"), default=0)
    return {
        "messages": messages[last:],
        "question": state["question"],
        "standalone": state["standalone"],
        "search_text": state["search_text"],
        "earlier": state["earlier"],
        "aspects": state["aspects"],
        "aspect": number,
        **more,
    }


def _rankings(state: RagState, number: int) -> dict[str, Any]:
    """Return the best hits for an aspect, and those for all."""
    return {
        search_of_ranking(name): hits[:MOST_HITS]
        for name, hits in sorted(state["rankings"].items(), key=lambda each: each[0], reverse=True)
        if aspect_of_ranking(name) in (None, number)
    }


def _share(spent: Usage, budget: BudgetOptions, number: int, aspects: int) -> Usage:
    """Return what has been spent from the point of view of one of several that spend at the same time."""
    calls = max(0, budget.model_calls - spent["calls"])
    tokens = max(0, budget.tokens - spent["input_tokens"] - spent["output_tokens"])
    own_calls = calls // aspects + (number <= calls % aspects)
    return Usage(calls=budget.model_calls - own_calls, input_tokens=budget.tokens - tokens // aspects, output_tokens=0)
