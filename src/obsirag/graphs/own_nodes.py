"""Somebody's own nodes: what they may be, and what they may give."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from inspect import iscoroutinefunction, signature
from typing import Any, cast, get_type_hints

from langchain_core.runnables import Runnable
from langgraph.config import get_config
from langgraph.errors import GraphBubbleUp
from langgraph.runtime import get_runtime
from langgraph.types import Command, Overwrite
from pydantic import TypeAdapter, ValidationError

from obsirag.config import nearest_names
from obsirag.errors import ConfigError, PluginError, reason_of
from obsirag.graphs.callers import CallerLabels, Update, caller_labels
from obsirag.graphs.failures import go_without
from obsirag.graphs.readable import readable_channels
from obsirag.graphs.state import RagState
from obsirag.retrievers.deadlines import await_within, call_within, in_thread

__all__ = ["Node", "OwnNode"]

Given = Update | Command[Any] | None
Node = Callable[[Any], Given | Awaitable[Given]] | Runnable[Any, Any]
"""A node of one's own: gets the state and returns an update of it; async ones need an async run.

As in any LangGraph node, a second parameter ``config`` or ``runtime`` gets the run's. An object that has the method
``call_async`` beside ``__call__`` runs by that one in async runs.
"""


@dataclass(frozen=True, slots=True)
class OwnNode:
    """A node of one's own in the place of another; what it gives is checked, and what its caller may read of it taken.

    Args:
        given: The node: a function, plain or async, or a Runnable.
        name: Whose place it takes.
        may_fail: Whether there is an answer without it; then ``degraded`` names it if it fails. Else its errors are
            raised.
        gives: Channels without which the graph cannot go on.
        timeout: How many seconds it is waited for; None for ever.
        version: The name of the version that it is, for messages; empty for one that was given in Python.
        labels: Gives the labels of a run's caller.

    Raises:
        ConfigError: If it can't be called.
    """

    given: Node
    name: str
    may_fail: bool = False
    gives: Collection[str] = ()
    timeout: float | None = None
    version: str = ""
    labels: CallerLabels = caller_labels

    def __post_init__(self) -> None:
        if not callable(self.given) and not isinstance(self.given, Runnable):
            kind = type(self.given).__name__
            raise ConfigError(f"nodes: {self._told} must be a function or a Runnable; this {kind} is neither")

    @property
    def _told(self) -> str:
        """The node, as messages tell it."""
        return f"{self.name} ({self.version})" if self.version else self.name

    def __call__(self, state: Any) -> Given:
        """Return the node's update.

        Raises:
            ConfigError: If the node is async, or gave what is no update of the state.
        """
        own = self.given.invoke if isinstance(self.given, Runnable) else _with_run(self.given)
        call = partial(own, state)
        try:
            update = call() if self.timeout is None else call_within(self.timeout, call)
        except Exception as error:  # noqa: BLE001 - somebody's own code, and what else was found is there
            update = self._failed(error)
        if isinstance(update, Awaitable):
            if isinstance(update, Coroutine):
                update.close()
            raise ConfigError(f"nodes: {self._told} is async, and needs an async run (`ainvoke`, `astream`)")
        return self._checked(update)

    async def call_async(self, state: Any) -> Given:
        """Do the same in an async run."""
        try:
            if self.timeout is None:
                update = await self._called(state)
            else:
                update = await await_within(self.timeout, lambda: self._called(state))
        except Exception as error:  # noqa: BLE001 - as above
            update = self._failed(error)
        return self._checked(update)

    async def _called(self, state: Any) -> Any:
        if isinstance(self.given, Runnable):
            return await self.given.ainvoke(state)
        if (call_async := getattr(self.given, "call_async", None)) is not None:
            return await _with_run(call_async)(state)
        call = _with_run(self.given)
        if iscoroutinefunction(self.given) or iscoroutinefunction(getattr(self.given, "__call__", None)):  # noqa: B004
            return await cast("Awaitable[Any]", call(state))
        update = await in_thread(call, state)  # it may block
        return await update if isinstance(update, Awaitable) else update

    def _failed(self, error: Exception) -> Update:
        if isinstance(error, GraphBubbleUp):  # such as an interrupt
            raise error
        if self.may_fail:
            return go_without(self.name, error)
        if not self.version:
            raise error
        # Nobody who asks a question knows the plugin's code: they are told whose it is.
        named = ConfigError if isinstance(error, ConfigError) else PluginError
        raise named(f"nodes: {self._told} failed: {reason_of(error)}") from error

    def _checked(self, given: object) -> Given:
        """Return an update, or a command, of which every channel is of its type."""
        if isinstance(given, Command):
            if given.graph:
                return given
            if given.goto:
                raise ConfigError(f"nodes: {self._told} gave a `goto`, but the edges behind it lead on all the same")
            return replace(given, update=self._update_of(given.update))
        return self._update_of(given)

    def _update_of(self, given: object) -> Update:
        if given is None:
            given = {}
        if not isinstance(given, Mapping):
            raise ConfigError(f"nodes: {self._told} gave no update of the state, but {type(given).__name__}")
        channels = ["messages", *_adapters()]
        if unknown := [channel for channel in given if channel not in channels]:
            nearest = nearest_names(str(unknown[0]), channels)
            hint = f"; did you mean `{nearest[0]}`?" if nearest else ""
            raise ConfigError(f"nodes: {self.name} gave `{unknown[0]}`, which the state doesn't have{hint}")
        if missing := [channel for channel in self.gives if channel not in given]:
            raise ConfigError(f"nodes: {self._told} gave no `{missing[0]}`, without which there is no answer")
        labels = self.labels()
        return {channel: self._value(channel, value, labels) for channel, value in given.items()}

    def _value(self, channel: str, given: object, labels: Collection[str]) -> Any:
        if isinstance(given, Overwrite):
            return Overwrite(self._value(channel, given.value, labels))
        try:
            value = adapter.validate_python(given) if (adapter := _adapters().get(channel)) else given
        except ValidationError as error:
            # The value may be text of a note, and is not told.
            fault = error.errors(include_input=False, include_url=False)[0]
            place = ".".join(map(str, (channel, *fault["loc"])))
            raise ConfigError(f"nodes: {self._told} gave a wrong `{channel}` ({place}: {fault['msg']})") from None
        return readable_channels({channel: value}, labels).get(channel, value)


def _with_run(call: Callable[..., Any]) -> Callable[[Any], Any]:
    """Return a call with what it wants of the run, as LangGraph passes it to the nodes that name it."""
    try:
        wanted = signature(call).parameters
    except (TypeError, ValueError):  # of what is written in C there may be none
        return call
    given: dict[str, Any] = {}
    if "config" in wanted:
        given["config"] = get_config()
    if "runtime" in wanted:
        given["runtime"] = get_runtime()
    return partial(call, **given)


@cache
def _adapters() -> dict[str, TypeAdapter[Any]]:
    """Return what checks each channel; of the messages LangGraph takes many forms, and checks them itself."""
    types = get_type_hints(RagState)
    return {name: TypeAdapter(kind) for name, kind in types.items() if name not in ("messages", "remaining_steps")}
