"""Take the question from the messages, with what it refers to."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from obsirag.graphs.asked import referred_to
from obsirag.graphs.earlier_turns import earlier_turn
from obsirag.graphs.follow_up import refers_back
from obsirag.graphs.intents import small_talk
from obsirag.graphs.state import EarlierTurn, RagState, Summary
from obsirag.graphs.thread_permissions import marked, turns_of
from obsirag.records import merge_permissions, permissions_from_json
from obsirag.retrievers.bounded_text import bounded_text

__all__ = ["TakeQuestionNode"]

_log = logging.getLogger(__name__)

LONGEST_QUESTION = 8000
"""Characters that are taken of a question."""

# Of a long thread that was never summed up, the last of the older turns; they have to fit a prompt.
MOST_SUMMED_UP = 12


@dataclass(frozen=True, slots=True)
class TakeQuestionNode:
    """Start a question: what is asked, and the turns that it refers to.

    A question that refers to others is marked with their permissions at once: the run may die before there is an answer
    to carry them.

    Args:
        max_turns: How many turns a follow-up is read with; what was before them is summed up.
    """

    max_turns: int

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update, from a state that holds nothing but what the caller may read of the thread."""
        turns = turns_of(state["messages"])
        last = max((index for index, turn in enumerate(turns) if turn.messages[0].type == "human"), default=None)
        if last is None:
            return {}
        asked = turns[last].messages[0]
        text = str(asked.text).strip()
        question = bounded_text(text, LONGEST_QUESTION)
        before = [each for each in map(earlier_turn, turns[:last]) if each is not None] if question else []
        if not refers_back(question):
            before = []
        elif not before and small_talk(question) is None:
            _log.warning(
                "the question seems to go on from an earlier one, but its thread holds none that its caller may read; "
                "a thread is kept by a checkpointer, under the same thread_id each time"
            )
        earlier = before[-self.max_turns :] if self.max_turns else []
        conversation = referred_to(question, earlier)
        # Whatever it is worded with, it may say.
        permissions = merge_permissions(*(permissions_from_json(turn["permissions"]) for turn in before))
        standalone = "\n".join([*(turn["question"] for turn in conversation), question])
        return {
            "messages": [marked(asked, permissions)] if permissions else [],
            "question": question,
            "standalone": standalone,
            "search_text": standalone,
            "queries": [standalone] if question else [],
            "earlier": earlier,
            "conversation": conversation,
            "older": _not_summed_up(before[: len(before) - len(earlier)], state["summary"]),
            "degraded": ["question"] if len(text) > LONGEST_QUESTION else [],
        }


def _not_summed_up(older: Sequence[EarlierTurn], summary: Summary | None) -> list[EarlierTurn]:
    ids = [turn["message_id"] for turn in older]
    told = ids.index(summary["until"]) + 1 if summary is not None and summary["until"] in ids else 0
    return list(older[told:])[-MOST_SUMMED_UP:]
