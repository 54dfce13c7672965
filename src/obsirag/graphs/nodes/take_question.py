"""Take the question from the messages, and make the state ready for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage
from langgraph.runtime import Runtime

from obsirag.graphs.follow_up import refers_back
from obsirag.graphs.state import EarlierTurn, RagContext, RagState, clear_output, clear_work, labels_of
from obsirag.graphs.thread_permissions import Turn, marked, readable_turns, removals, turns_of
from obsirag.records import merge_permissions, permissions_from_json, permissions_to_json

__all__ = ["take_question"]

# A follow-up of a follow-up goes back to the question that stands alone, this far at most.
MAX_EARLIER_TURNS = 4


def take_question(state: RagState, runtime: Runtime[RagContext]) -> dict[str, Any]:
    """Return the update that starts a question: the state cleared, the question, and what it refers to.

    Turns of the thread that the caller may not read are taken out of it. A question that refers to others is marked
    with their permissions at once: the run may die before there is an answer to carry them.
    """
    readable, withheld = readable_turns(turns_of(state.get("messages", [])), labels_of(runtime.context))
    last = max((index for index, turn in enumerate(readable) if turn.messages[0].type == "human"), default=None)
    question = str(readable[last].messages[0].text).strip() if last is not None else ""
    earlier = _earlier_turns(question, readable[:last]) if question else []
    permissions = merge_permissions(*(permissions_from_json(turn["permissions"]) for turn in earlier))
    mark = [marked(readable[last].messages[0], permissions)] if last is not None and permissions else []
    return {
        **clear_work(),
        **clear_output(),
        "messages": [*removals(withheld), *mark],
        "question": question,
        "search_text": "\n".join([*(turn["question"] for turn in earlier), question]),
        "earlier": earlier,
    }


def _earlier_turns(question: str, turns: Sequence[Turn]) -> list[EarlierTurn]:
    earlier: list[EarlierTurn] = []
    for turn in reversed(turns):
        if len(earlier) == MAX_EARLIER_TURNS or not refers_back(question):
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
