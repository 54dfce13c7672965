"""The last answer of a thread, for those who have something to say about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from langchain_core.messages import AnyMessage

from obsirag.graphs.state import RagContext, labels_of
from obsirag.graphs.thread_permissions import MESSAGE_KEY, readable_turns, turns_of
from obsirag.records import Citation, Permissions

__all__ = ["AnsweredTurn", "last_answer"]


class AnsweredTurn(NamedTuple):
    """A question with its answer.

    Args:
        question: The question, as it was understood alone.
        answer: The answer's text.
        citations: Where its statements come from.
        permissions: Who may read the answer.
    """

    question: str
    answer: str
    citations: list[Citation]
    permissions: Permissions


def last_answer(messages: Sequence[AnyMessage], context: RagContext | None) -> AnsweredTurn | None:
    """Return the last turn of a thread if its question was answered from the notes, and the caller may read it.

    Args:
        messages: The thread's messages.
        context: Whose labels count.
    """
    turns = turns_of(messages)
    if not turns or not readable_turns(turns[-1:], labels_of(context))[0]:
        return None
    asked, answer = turns[-1].messages[0], turns[-1].messages[-1]
    mark: Any = answer.additional_kwargs.get(MESSAGE_KEY)
    if asked.type != "human" or not isinstance(mark, dict) or mark.get("status") != "answered":
        return None
    return AnsweredTurn(mark.get("standalone") or asked.text, answer.text, mark["citations"], turns[-1].permissions)
