"""What is told of one run of one node."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from langgraph.errors import GraphBubbleUp
from langgraph.types import Command, Overwrite

from obsirag.graphs.usage import NOTHING, Usage

__all__ = ["NodeEnd", "NodeStart", "Observer", "version_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStart:
    """A node that begins.

    Args:
        run: A name of the run, that of no other; names of runs sort by when they began.
        number: Which node of the run it is, from 1.
        thread: The run's ``thread_id``; None without one.
        step: The step's number, as LangGraph counts them; nodes side by side have the same.
        node: The node's name.
        version: The version of the node.
        state: The state as its caller may read it. It is the run's own: nothing in it is to be changed.
        given: What the node gets of it: the state itself, or what is made of it for the node.
    """

    run: str
    number: int
    thread: str | None
    step: int
    node: str
    version: str
    state: Mapping[str, Any]
    given: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeEnd:
    """How a node ended.

    Args:
        seconds: How long it took.
        given: What it gave: an update of the state, or a command with one; None if it gave nothing.
        error: What it raised; None if nothing.
    """

    seconds: float
    given: Any = None
    error: BaseException | None = None

    @property
    def update(self) -> Mapping[str, Any]:
        """The update that it gave; empty without one."""
        update = self.given.update if isinstance(self.given, Command) else self.given
        return update if isinstance(update, Mapping) else {}

    @property
    def usage(self) -> Usage:
        """What it cost."""
        told = self.update.get("usage")
        return NOTHING if told is None or isinstance(told, Overwrite) else Usage(**{**NOTHING, **told})

    @property
    def is_paused(self) -> bool:
        """Whether it waits for a person, or hands over: then what it raised is no fault."""
        return isinstance(self.error, GraphBubbleUp)


Observer = Callable[[NodeStart], Callable[[NodeEnd], object] | None]
"""Is called as a node begins; what it returns, if anything, is called as the node ends, in the same thread or task.

It may see text that not everybody may read. One that fails is told in the log, and the run goes on.
"""


def version_of(node: object) -> str:
    """Return what a node says of its version in its attribute ``version``; ``1`` if it says nothing."""
    told = getattr(node, "version", None)
    return str(told) if isinstance(told, (str, int)) else "1"
