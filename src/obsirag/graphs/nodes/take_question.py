"""Take the question from the messages, and make the state ready for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langgraph.runtime import Runtime

from obsirag.graphs.follow_up import refers_back
from obsirag.graphs.progress import Progress
from obsirag.graphs.state import EarlierTurn, RagContext, RagState, Summary, clear_output, clear_work, labels_of
from obsirag.graphs.thread_permissions import Turn, marked, readable_turns, removals, turns_of
from obsirag.records import merge_permissions, permissions_from_json, permissions_to_json

__all__ = ["TakeQuestionNode"]

# Of a long thread that was never summed up, the last of the older turns; they have to fit a prompt.
MOST_SUMMED_UP = 12


@dataclass(frozen=True, slots=True)
class TakeQuestionNode:
    """Start a question: the state cleared, the question, and what it refers to.

    Turns of the thread that the caller may not read are taken out of it. A question that refers to others is marked
    with their permissions at once: the run may die before there is an answer to carry them.

    Args:
        max_turns: How many turns a follow-up is read with; what was before them is summed up.
    """

    max_turns: int

    def __call__(self, state: RagState, runtime: Runtime[RagContext]) -> dict[str, Any]:
        """Return the update."""
        runtime.stream_writer(Progress(node="take_question", event="started"))
        update = _start(state, labels_of(runtime.context), self.max_turns)
        runtime.stream_writer(Progress(node="take_question", event="ended"))
        return update


def _start(state: RagState, labels: Sequence[str], max_turns: int) -> dict[str, Any]:
    readable, withheld = readable_turns(turns_of(state.get("messages", [])), labels)
    last = max((index for index, turn in enumerate(readable) if turn.messages[0].type == "human"), default=None)
    question = str(readable[last].messages[0].text).strip() if last is not None else ""
    before = [each for each in map(_earlier_turn, readable[:last]) if each is not None] if question else []
    if not before or not refers_back(question):
        before = []
    earlier = before[-max_turns:] if max_turns else []
    older = _not_summed_up(before[: len(before) - len(earlier)], state.get("summary"))
    conversation = _referred_to(question, earlier)
    # Whatever it is worded with, it may say.
    permissions = merge_permissions(*(permissions_from_json(turn["permissions"]) for turn in before))
    mark = [marked(readable[last].messages[0], permissions)] if last is not None and permissions else []
    standalone = "\n".join([*(turn["question"] for turn in conversation), question])
    return {
        **clear_work(),
        **clear_output(),
        "messages": [*removals(withheld), *mark],
        "question": question,
        "standalone": standalone,
        "search_text": standalone,
        "queries": [standalone] if question else [],
        "earlier": earlier,
        "conversation": conversation,
        "older": older,
    }


def _earlier_turn(turn: Turn) -> EarlierTurn | None:
    """Return a turn in short; None for what stands before the first question, or for a question without words."""
    first = turn.messages[0]
    question = str(first.text).strip() if first.type == "human" else ""
    if not question:
        return None
    answer = "\n".join(str(message.text) for message in turn.messages[1:] if message.type == "ai")
    permissions = permissions_to_json(turn.permissions)
    return EarlierTurn(message_id=str(first.id), question=question, answer=answer, permissions=permissions)


def _referred_to(question: str, earlier: Sequence[EarlierTurn]) -> list[EarlierTurn]:
    """Return the turns back to the question that stands alone: a follow-up may follow a follow-up."""
    chain: list[EarlierTurn] = []
    for turn in reversed(earlier):
        if not refers_back(question):
            break
        chain.insert(0, turn)
        question = turn["question"]
    return chain


def _not_summed_up(older: Sequence[EarlierTurn], summary: Summary | None) -> list[EarlierTurn]:
    ids = [turn["message_id"] for turn in older]
    told = ids.index(summary["until"]) + 1 if summary is not None and summary["until"] in ids else 0
    return list(older[told:])[-MOST_SUMMED_UP:]
