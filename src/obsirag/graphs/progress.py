"""Which node is at work, for LangGraph's stream mode ``custom``."""

from __future__ import annotations

from typing import Literal

from langgraph.config import get_config, get_stream_writer
from typing_extensions import TypedDict

__all__ = ["Progress", "tell_progress"]


class Progress(TypedDict):
    """What ``graph.stream(…, stream_mode="custom")`` gives as a question is worked on. It holds no text of notes.

    Args:
        node: The node.
        event: Whether it begins or has ended.
    """

    node: str
    event: Literal["started", "ended"]


def tell_progress(event: Literal["started", "ended"]) -> None:
    """Let whoever streams the run know that the present node begins or has ended."""
    name = str(get_config().get("metadata", {}).get("langgraph_node", ""))
    get_stream_writer()(Progress(node=name, event=event))
