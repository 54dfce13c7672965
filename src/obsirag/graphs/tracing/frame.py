"""What is done around each node so that it can be watched; with nobody watching it is a look at the clock."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from secrets import token_hex
from threading import Lock
from time import perf_counter
from typing import Any
from weakref import WeakKeyDictionary

from langgraph.config import get_config, get_stream_writer

from obsirag.config import TracingOptions
from obsirag.errors import reason_of
from obsirag.graphs.tracing.log_lines import LOGGER, LogLines
from obsirag.graphs.tracing.visits import NodeEnd, NodeStart, Observer

__all__ = ["Tracing", "Visit"]

_log = logging.getLogger(LOGGER)


class Visit:
    """A node at work; what it gave is put here."""

    given: Any = None


class Tracing:
    """Lets observers watch the nodes of a graph, the log first.

    Args:
        options: When a node is slow.
        observers: The other observers.
    """

    def __init__(self, options: TracingOptions | None = None, observers: Sequence[Observer] = ()) -> None:
        self._lines = LogLines(options or TracingOptions())
        self._observers = tuple(observers)
        self._runs: WeakKeyDictionary[Callable[[Any], None], _Run] = WeakKeyDictionary()
        self._lock = Lock()

    @contextmanager
    def around(self, state: Mapping[str, Any], given: Any, version: str) -> Iterator[Visit]:
        """Watch a node.

        Args:
            state: The state as its caller may read it.
            given: What the node gets of it.
            version: The node's version.
        """
        is_watched = bool(self._observers) or _log.isEnabledFor(logging.INFO)
        begun = self._begin(state, given, version) if is_watched else []
        visit = Visit()
        error: BaseException | None = None
        began = perf_counter()
        try:
            yield visit
        except BaseException as raised:
            error = raised
            raise
        finally:
            seconds = perf_counter() - began
            if begun or seconds > self._lines.shortest_limit:
                end = NodeEnd(seconds=seconds, given=visit.given, error=error)
                for each in reversed(begun or [self._lines.ends(self._start(state, given, version))]):
                    _told(each, end)

    def _begin(self, state: Mapping[str, Any], given: Any, version: str) -> list[Callable[[NodeEnd], object]]:
        start = self._start(state, given, version)
        observers: tuple[Observer, ...] = (self._lines, *self._observers)
        begun = [_told(observer, start) for observer in observers]
        return [each for each in begun if each is not None]

    def _start(self, state: Mapping[str, Any], given: Any, version: str) -> NodeStart:
        config = get_config()
        thread = config.get("configurable", {}).get("thread_id")
        known = config.get("metadata", {})
        run = self._run()
        return NodeStart(
            run=run.name,
            number=next(run.numbers),
            thread=None if thread is None else str(thread),
            step=int(known.get("langgraph_step", 0)),
            node=str(known.get("langgraph_node", "")),
            version=version,
            state=state,
            given=given,
        )

    def _run(self) -> _Run:
        # LangGraph names no run; but each has a stream writer of its own.
        writer = get_stream_writer()
        with self._lock:
            return self._runs.setdefault(writer, _Run())


class _Run:
    """A run's name, and the numbers of its nodes."""

    def __init__(self) -> None:
        self.name = f"{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}-{token_hex(3)}"
        self.numbers = count(1)


def _told(observer: Callable[[Any], Any], what: NodeStart | NodeEnd) -> Any:
    """Let an observer know, whose fault is no fault of the run."""
    try:
        return observer(what)
    except Exception as error:  # noqa: BLE001 - an observer may be anybody's code
        _log.warning("an observer of the graph failed (%s); the run goes on", reason_of(error))
        return None
