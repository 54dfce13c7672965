"""What a question has cost so far."""

from __future__ import annotations

from collections.abc import Mapping

from langchain_core.messages import BaseMessage
from typing_extensions import TypedDict

from obsirag.text.lengths import estimate_tokens

__all__ = ["NOTHING", "Usage", "add_usage", "usage_of"]


class Usage(TypedDict):
    """Calls of the chat model, and the tokens it read and wrote.

    Tokens are the model's own count where it tells, else an estimate that is rather too high.
    """

    calls: int
    input_tokens: int
    output_tokens: int


NOTHING = Usage(calls=0, input_tokens=0, output_tokens=0)


def add_usage(spent: Usage, more: Usage) -> Usage:
    """Return both together."""
    before: Usage = {**NOTHING, **spent}  # on a new thread it has no keys
    return Usage(
        calls=before["calls"] + more["calls"],
        input_tokens=before["input_tokens"] + more["input_tokens"],
        output_tokens=before["output_tokens"] + more["output_tokens"],
    )


def usage_of(messages: list[BaseMessage], answer: object) -> Usage:
    """Return what one call cost.

    Args:
        messages: What was sent.
        answer: What came back; anything that isn't a message if the call failed.
    """
    written = answer.text if isinstance(answer, BaseMessage) else ""
    return Usage(
        calls=1,
        input_tokens=_told(answer, "input_tokens") or sum(estimate_tokens(message.text) for message in messages),
        output_tokens=_told(answer, "output_tokens") or estimate_tokens(written),
    )


def _told(answer: object, name: str) -> int:
    """Return the model's own count; 0 if it tells none, or what cannot be one."""
    counts = getattr(answer, "usage_metadata", None)
    count = counts.get(name) if isinstance(counts, Mapping) else None
    return max(count, 0) if isinstance(count, int) else 0
