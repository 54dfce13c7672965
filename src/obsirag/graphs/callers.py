"""Nodes that see of a run's state only what their caller may read.

A run that died can be taken up again by anybody who has its thread, with labels of their own: what the first caller's
labels brought into the state must not become the second one's answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.runtime import get_runtime
from langgraph.types import Command, Overwrite

from obsirag.graphs.aspects import number_of
from obsirag.graphs.progress import tell_progress
from obsirag.graphs.readable import readable_channels
from obsirag.graphs.state import REDUCERS, RagContext, RagState, clear_work, empty_state, labels_of, whole_state
from obsirag.graphs.thread_permissions import is_public, readable_turns, removals, turns_of
from obsirag.graphs.tracing.frame import Tracing
from obsirag.retrievers.deadlines import in_thread

__all__ = ["CallerLabels", "Place", "Update", "caller_labels", "for_caller", "readable_state", "threaded"]

Update = dict[str, Any]
CallerLabels = Callable[[], tuple[str, ...]]
"""Gives the labels of the present run's caller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What is done around a node, whoever made it.

    Args:
        view: What the node gets of the state.
        before: What its update begins with.
        after: What becomes of its update.
        needs_question: Whether the node is passed over where the caller may not read the question.
        may_clear: The channels from which it may take what its caller may not read; all if None. Of nodes side by side
            only one may write to a channel.
    """

    view: Callable[[RagState], Any] = lambda state: state
    before: Callable[[RagState], Update] = lambda state: {}  # noqa: ARG005
    after: Callable[[RagState, Any], Any] = lambda state, update: update  # noqa: ARG005
    needs_question: bool = True
    may_clear: Collection[str] | None = None


def for_caller(
    node: Callable[[Any], Any],
    node_async: Callable[[Any], Awaitable[Any]] | None = None,
    place: Place | None = None,
    tracing: Tracing | None = None,
    version: str = "1",
    labels: CallerLabels | None = None,
) -> Runnable[RagState, Any]:
    """Return a node that gets the state as its caller may read it, and takes the rest out of the thread.

    It tells its progress to whoever streams the run, and what it gets and gives to those that watch the graph.

    Args:
        node: The node: returns an update, or a ``Command`` with one.
        node_async: The same without blocking, if there is such a way.
        place: What is done around it.
        tracing: Those that watch.
        version: The node's version, for them.
        labels: Gives the caller's labels; those of the run's context if None.
    """
    return _CallersNode(node, node_async, place or Place(), tracing or Tracing(), version, labels or caller_labels)


def threaded(node: Callable[[Any], Any]) -> Callable[[Any], Awaitable[Any]]:
    """Return a node that blocks as one that doesn't hold up the event loop."""
    return lambda state: in_thread(node, state)


def caller_labels() -> tuple[str, ...]:
    """Return the labels of the present run's caller, as its context has them."""
    return labels_of(get_runtime(RagContext).context)


class _CallersNode(Runnable[RagState, Any]):
    """No RunnableLambda: that costs as much again as a small node does, and traces each node twice."""

    def __init__(
        self,
        node: Callable[[Any], Any],
        node_async: Callable[[Any], Awaitable[Any]] | None,
        place: Place,
        tracing: Tracing,
        version: str,
        labels: CallerLabels,
    ) -> None:
        self._node, self._node_async, self._place = node, node_async, place
        self._tracing, self._version, self._labels = tracing, version, labels

    def invoke(self, input: RagState, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002, ARG002
        tell_progress("started")
        state, update = self._begin(input)
        seen = self._seen(state)
        with self._tracing.around(state, seen, self._version) as visit:
            if self._is_to_run(state):
                update = _joined(update, self._place.after(state, self._node(seen)))
            visit.given = update
        tell_progress("ended")
        return update

    async def ainvoke(self, input: RagState, config: RunnableConfig | None = None, **kwargs: Any) -> Any:  # noqa: A002, ARG002
        tell_progress("started")
        state, update = self._begin(input)
        seen = self._seen(state)
        with self._tracing.around(state, seen, self._version) as visit:
            if self._is_to_run(state):
                given = self._node(seen) if self._node_async is None else await self._node_async(seen)
                update = _joined(update, self._place.after(state, given))
            visit.given = update
        tell_progress("ended")
        return update

    def _seen(self, state: RagState) -> Any:
        # Of an empty state no view need be possible: an aspect that was sent is not there any more.
        return self._place.view(state) if self._is_to_run(state) else state

    def _is_to_run(self, state: RagState) -> bool:
        return bool(state["question"]) or not self._place.needs_question

    def _begin(self, state: RagState) -> tuple[RagState, Update]:
        readable, removal = readable_state(state, self._labels())
        if number_of(state) is not None:
            removal = {}  # a part of the state, sent here: of the thread nothing is taken out from its side
        elif (channels := self._place.may_clear) is not None:
            removal = {name: value for name, value in removal.items() if name in channels}
        return readable, _joined(removal, self._place.before(readable))


def readable_state(state: Mapping[str, Any], labels: tuple[str, ...]) -> tuple[RagState, Update]:
    """Return the state as a caller with ``labels`` may read it, and the update that takes the rest out of it.

    A channel that nothing was written to yet is there, and empty. Without the present question nothing of the run is
    left.
    """
    whole = whole_state(state)
    turns = [] if is_public(whole["messages"]) else turns_of(whole["messages"])
    readable, withheld = readable_turns(turns, labels)
    removal: Update = {}
    if withheld:
        # Until the question is taken, the output is the last one's; it is cleared then, whoever asks.
        whole |= {"answer": "", "citations": []}
        whole["messages"] = [message for turn in readable for message in turn.messages]
        removal["messages"] = removals(withheld)
        if withheld[-1] is turns[-1]:
            removal |= clear_work()
            empty = empty_state()
            whole |= {name: empty[name] for name in clear_work() if name != "usage"}
    for name, value in readable_channels(whole, labels).items():
        if value is not whole[name]:
            whole[name] = value
            removal[name] = Overwrite(value) if name in REDUCERS else value
    return whole, removal


def _joined(before: Update, update: Any) -> Any:
    """Return both updates as one, the later one over the earlier one; what is for a parent graph is left alone."""
    if isinstance(update, Command):
        return update if update.graph else replace(update, update=_joined(before, update.update or {}))
    joined = {**before, **update}
    for name in before.keys() & update.keys():
        is_overwritten = isinstance(before[name], Overwrite) and not isinstance(update[name], Overwrite)
        if is_overwritten:
            joined[name] = Overwrite(REDUCERS[name](before[name].value, update[name]))
        elif name == "messages":
            joined[name] = [*before[name], *update[name]]
    return joined
