"""The turns before a question: those that were about the notes, which alone are what later ones may refer to.

Small talk, questions that were turned away, and questions about an answer stay among the messages, with what they were
in ``additional_kwargs["obsirag"]["intent"]``, and are passed over here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage
from pydantic import TypeAdapter, ValidationError

from obsirag.graphs.links import opens_source
from obsirag.graphs.state import EarlierTurn, Intent, IntentKind
from obsirag.graphs.thread_permissions import MESSAGE_KEY, Turn, turns_of
from obsirag.records import Citation, permissions_to_json
from obsirag.retrievers.bounded_text import bounded_text

__all__ = ["citations_of", "earlier_turn", "flagged", "intent_mark", "is_from_notes", "last_answered"]

LONGEST_EARLIER_QUESTION = 1000
"""Characters that are taken of an earlier question: enough to see what "it" is."""

_FROM_NOTES: frozenset[IntentKind] = frozenset({"knowledge", "high_risk"})


def intent_mark(intent: Intent) -> dict[str, Any]:
    """Return what a message's mark says of what was asked: nothing of a plain question for the notes."""
    return {} if intent["kind"] == "knowledge" else {"intent": intent["kind"]}


def flagged(message: AnyMessage, intent: Intent) -> AnyMessage:
    """Return a question's message with what it was after beside what its mark says already."""
    mark = {**_mark_of(message), **intent_mark(intent)}
    return message.model_copy(update={"additional_kwargs": {**message.additional_kwargs, MESSAGE_KEY: mark}})


def is_from_notes(turn: Turn) -> bool:
    """Say whether a turn was about the notes, so that later questions may refer to it."""
    return all(str(_mark_of(message).get("intent", "knowledge")) in _FROM_NOTES for message in turn.messages)


def earlier_turn(turn: Turn) -> EarlierTurn | None:
    """Return a turn in short; None for what is before the first question, wordless, or not about the notes."""
    first = turn.messages[0]
    if first.type != "human" or not is_from_notes(turn):
        return None
    question = bounded_text(str(first.text).strip(), LONGEST_EARLIER_QUESTION)
    if not question:
        return None
    answer = "\n".join(str(message.text) for message in turn.messages[1:] if message.type == "ai")
    permissions = permissions_to_json(turn.permissions)
    return EarlierTurn(message_id=str(first.id), question=question, answer=answer, permissions=permissions)


def last_answered(messages: Sequence[AnyMessage]) -> EarlierTurn | None:
    """Return the last turn before the present question that was about the notes and has an answer."""
    turns = turns_of(messages)
    last = max((index for index, turn in enumerate(turns) if turn.messages[0].type == "human"), default=0)
    for turn in reversed(turns[:last]):
        short = earlier_turn(turn)
        if short is not None and short["answer"].strip():
            return short
    return None


def citations_of(messages: Sequence[AnyMessage], question_id: str) -> list[Citation]:
    """Return the citations of the answer to the question with an id; none where its message carries none."""
    for turn in turns_of(messages):
        if str(turn.messages[0].id) == question_id:
            marks = map(_mark_of, turn.messages[1:])
            given: object = next((mark["citations"] for mark in marks if "citations" in mark), [])
            try:
                citations = TypeAdapter(list[Citation]).validate_python(given)
            except ValidationError:  # a caller may bring any messages
                return []
            return [each for each in citations if opens_source(each["link"])]
    return []


def _mark_of(message: AnyMessage) -> dict[str, Any]:
    mark = message.additional_kwargs.get(MESSAGE_KEY)
    return mark if isinstance(mark, dict) else {}
