"""Take the question from the messages, and make the state ready for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AnyMessage
from langgraph.runtime import Runtime

from obsirag.graphs.follow_up import refers_back
from obsirag.graphs.progress import Progress
from obsirag.graphs.state import EarlierTurn, RagContext, RagState, clear_output, clear_work, labels_of
from obsirag.graphs.thread_permissions import Turn, marked, readable_turns, removals, turns_of
from obsirag.records import merge_permissions, permissions_from_json, permissions_to_json

__all__ = ["TakeQuestionNode"]


@dataclass(frozen=True, slots=True)
class TakeQuestionNode:
    """Start a question: the state cleared, the question, and what it refers to.

    Turns of the thread that the caller may not read are taken out of it. A question that refers to others is marked
    with their permissions at once: the run may die before there is an answer to carry them.

    Args:
        max_turns: How far a follow-up of a follow-up goes back to the question that stands alone, at most.
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
    earlier = _earlier_turns(question, readable[:last], max_turns) if question else []
    permissions = merge_permissions(*(permissions_from_json(turn["permissions"]) for turn in earlier))
    mark = [marked(readable[last].messages[0], permissions)] if last is not None and permissions else []
    standalone = "\n".join([*(turn["question"] for turn in earlier), question])
    return {
        **clear_work(),
        **clear_output(),
        "messages": [*removals(withheld), *mark],
        "question": question,
        "standalone": standalone,
        "search_text": standalone,
        "queries": [standalone] if question else [],
        "earlier": earlier,
    }


def _earlier_turns(question: str, turns: Sequence[Turn], max_turns: int) -> list[EarlierTurn]:
    earlier: list[EarlierTurn] = []
    for turn in reversed(turns):
        if len(earlier) == max_turns or not refers_back(question):
            break
        if turn.messages[0].type != "human" or not (question := str(turn.messages[0].text).strip()):
            break
        answer = "\n".join(_text(message) for message in turn.messages[1:])
        earlier.insert(
            0, EarlierTurn(question=question, answer=answer, permissions=permissions_to_json(turn.permissions))
        )
    return earlier


def _text(message: AnyMessage) -> str:
    return str(message.text) if message.type == "ai" else ""
