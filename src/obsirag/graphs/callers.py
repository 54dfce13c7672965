"""Nodes that see of a run's state only what their caller may read.

A run that died can be taken up again by anybody who has its thread, with labels of their own: what the first caller's
labels brought into the state must not become the second one's answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.runtime import get_runtime

from obsirag.graphs.state import RagContext, RagState, clear_work, labels_of
from obsirag.graphs.thread_permissions import is_public, permissions_of_document, readable_turns, removals, turns_of
from obsirag.records import may_read, permissions_from_json

__all__ = ["for_caller", "in_thread", "readable_state"]

Update = dict[str, Any]


def for_caller(
    node: Callable[[RagState], Update], node_async: Callable[[RagState], Awaitable[Update]] | None = None
) -> Runnable[RagState, Update]:
    """Return a node that gets the state as its caller may read it, and takes the rest out of the thread.

    Args:
        node: The node.
        node_async: The same without blocking, if there is such a way.
    """
    return _CallersNode(node, node_async)


def in_thread(node: Callable[[RagState], Update]) -> Callable[[RagState], Awaitable[Update]]:
    """Return a node that reads files as one that doesn't hold up the event loop."""
    return lambda state: asyncio.to_thread(node, state)


class _CallersNode(Runnable[RagState, Update]):
    """No RunnableLambda: that costs as much again as a small node does, and traces each node twice."""

    def __init__(
        self, node: Callable[[RagState], Update], node_async: Callable[[RagState], Awaitable[Update]] | None
    ) -> None:
        self._node, self._node_async = node, node_async

    def invoke(self, input: RagState, config: RunnableConfig | None = None, **kwargs: Any) -> Update:  # noqa: A002, ARG002
        readable, removal = readable_state(input, _labels())
        return _joined(removal, self._node(readable))

    async def ainvoke(self, input: RagState, config: RunnableConfig | None = None, **kwargs: Any) -> Update:  # noqa: A002, ARG002
        readable, removal = readable_state(input, _labels())
        update = self._node(readable) if self._node_async is None else await self._node_async(readable)
        return _joined(removal, update)


def readable_state(state: RagState, labels: tuple[str, ...]) -> tuple[RagState, Update]:
    """Return the state as a caller with ``labels`` may read it, and the update that takes out withheld turns.

    Without the present question nothing of the run is left.
    """
    messages = state.get("messages", [])
    turns = [] if is_public(messages) else turns_of(messages)
    withheld = readable_turns(turns, labels)[1]
    removal: Update = {"messages": removals(withheld)} if withheld else {}
    if withheld and withheld[-1] is turns[-1]:
        empty: Any = {**state, **clear_work(), "rankings": {}, "usage": state["usage"]}
        return empty, {**clear_work(), **removal}

    def readable(documents: Iterable[Document]) -> list[Document]:
        return [each for each in documents if may_read(permissions_of_document(each), labels)]

    draft = state["draft"]
    filtered: Any = {
        **state,
        "earlier": [turn for turn in state["earlier"] if may_read(permissions_from_json(turn["permissions"]), labels)],
        "rankings": {name: readable(hits) for name, hits in state["rankings"].items()},
        "kept": readable(state["kept"]),
        "evidence": readable(state["evidence"]),
        "draft": draft if draft and may_read(permissions_from_json(draft["permissions"]), labels) else None,
    }
    return filtered, removal


def _labels() -> tuple[str, ...]:
    return labels_of(get_runtime(RagContext).context)


def _joined(removal: Update, update: Update) -> Update:
    messages = [*removal.get("messages", []), *update.get("messages", [])]
    return {**removal, **update, **({"messages": messages} if messages else {})}
