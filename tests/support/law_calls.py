"""Ways to call a graph, with what its caller reads and what is logged meanwhile."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

__all__ = ["CALLS", "LogLines"]

MODES = ["values", "updates", "messages", "custom"]


class LogLines(logging.Handler):
    """Keeps all log lines of a call, whoever writes them."""

    def __init__(self) -> None:
        super().__init__(logging.DEBUG)
        self.setFormatter(logging.Formatter())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))

    def __enter__(self) -> None:
        root = logging.getLogger()
        self._level = root.level
        root.setLevel(logging.DEBUG)
        root.addHandler(self)

    def __exit__(self, *_: object) -> None:
        root = logging.getLogger()
        root.removeHandler(self)
        root.setLevel(self._level)


Called = tuple[dict[str, Any], list[Any]]


def _invoke(graph: Any, given: Any, config: Any, context: Any, stop: list[str]) -> Called:
    return graph.invoke(given, config, context=context, interrupt_before=stop) or {}, []


def _ainvoke(graph: Any, given: Any, config: Any, context: Any, stop: list[str]) -> Called:
    return asyncio.run(graph.ainvoke(given, config, context=context, interrupt_before=stop)) or {}, []


def _stream(graph: Any, given: Any, config: Any, context: Any, stop: list[str]) -> Called:
    return _read(list(graph.stream(given, config, context=context, interrupt_before=stop, stream_mode=MODES)))


def _astream(graph: Any, given: Any, config: Any, context: Any, stop: list[str]) -> Called:
    async def collected() -> list[Any]:
        events = graph.astream(given, config, context=context, interrupt_before=stop, stream_mode=MODES)
        return [each async for each in events]

    return _read(asyncio.run(collected()))


CALLS = {"invoke": _invoke, "ainvoke": _ainvoke, "stream": _stream, "astream": _astream}


def _read(events: list[Any]) -> Called:
    """Return the last values, and what was streamed from the first node on.

    What there is of the thread LangGraph shows before a node has run, and until one has ended.
    """
    ended = next(
        (index for index, (mode, event) in enumerate(events) if mode == "custom" and event["event"] == "ended"),
        len(events),
    )
    begun = next((index for index, (mode, _) in enumerate(events) if mode == "custom"), len(events))
    shown = [
        (mode, event) for index, (mode, event) in enumerate(events) if index > (ended if mode == "values" else begun)
    ]
    values = [event for mode, event in shown if mode == "values"]
    return values[-1] if values else {}, shown
