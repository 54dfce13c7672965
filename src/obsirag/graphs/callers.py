"""Nodes that see of a run's state only what their caller may read.

A run that died can be taken up again by anybody who has its thread, with labels of their own: what the first caller's
labels brought into the state must not become the second one's answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any

from langchain_core.documents import Document
from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import get_runtime

from obsirag.errors import ConfigError
from obsirag.graphs.failures import go_without
from obsirag.graphs.progress import tell_progress
from obsirag.graphs.state import EarlierTurn, RagContext, RagState, clear_work, labels_of
from obsirag.graphs.thread_permissions import is_public, permissions_of_document, readable_turns, removals, turns_of
from obsirag.records import may_read, permissions_from_json

__all__ = ["Node", "for_caller", "in_thread", "node_of", "readable_state"]

Update = dict[str, Any]
Node = Callable[[Any], Update | Awaitable[Update]]
"""A node of one's own: gets the state and returns an update; async ones need an async run."""


def for_caller(
    node: Callable[[RagState], Update], node_async: Callable[[RagState], Awaitable[Update]] | None = None
) -> Runnable[RagState, Update]:
    """Return a node that gets the state as its caller may read it, and takes the rest out of the thread.

    It tells its progress to whoever streams the run.

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
        tell_progress("started")
        readable, removal = readable_state(input, _labels())
        update = _joined(removal, self._node(readable))
        tell_progress("ended")
        return update

    async def ainvoke(self, input: RagState, config: RunnableConfig | None = None, **kwargs: Any) -> Update:  # noqa: A002, ARG002
        tell_progress("started")
        readable, removal = readable_state(input, _labels())
        update = self._node(readable) if self._node_async is None else await self._node_async(readable)
        update = _joined(removal, update)
        tell_progress("ended")
        return update


def node_of(given: Node, part: str = "") -> Runnable[RagState, Update]:
    """Return somebody's own node, seeing only what its caller may read.

    Args:
        given: The node.
        part: What ``degraded`` names if it fails; if empty, its errors are raised.
    """

    def failed(error: Exception) -> Update:
        if not part or isinstance(error, GraphBubbleUp):  # such as an interrupt
            raise error
        return go_without(part, error)

    def call(state: RagState) -> Update:
        readable, removal = _readable(state)
        try:
            update = given(readable)
        except Exception as error:  # noqa: BLE001 - somebody's own code, and what else was found is there
            update = failed(error)
        if isinstance(update, Awaitable):
            if isinstance(update, Coroutine):
                update.close()
            raise ConfigError("nodes: an async node needs an async run (`ainvoke`, `astream`)")
        return _joined(removal, update)

    async def call_async(state: RagState) -> Update:
        readable, removal = _readable(state)
        try:
            update = given(readable)
            update = await update if isinstance(update, Awaitable) else update
        except Exception as error:  # noqa: BLE001 - as above
            update = failed(error)
        return _joined(removal, update)

    return RunnableLambda(call, afunc=call_async)


def _readable(state: RagState) -> tuple[RagState, Update]:
    # A search gets nothing of the state but its query.
    return readable_state(state, _labels()) if "messages" in state else (state, {})


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

    def readable_earlier(turns: Iterable[EarlierTurn]) -> list[EarlierTurn]:
        return [turn for turn in turns if may_read(permissions_from_json(turn["permissions"]), labels)]

    draft, summary = state["draft"], state.get("summary")
    filtered: Any = {
        **state,
        "earlier": readable_earlier(state["earlier"]),
        "conversation": readable_earlier(state["conversation"]),
        "older": readable_earlier(state["older"]),
        "summary": summary if summary and may_read(permissions_from_json(summary["permissions"]), labels) else None,
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
