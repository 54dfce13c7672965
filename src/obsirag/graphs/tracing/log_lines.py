"""A line of the log, JSON, as a node begins and as it ends."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from obsirag.config import TracingOptions
from obsirag.graphs.tracing.summary import summary_of
from obsirag.graphs.tracing.visits import NodeEnd, NodeStart

__all__ = ["LOGGER", "LogLines", "facts_of_end", "facts_of_start"]

LOGGER = "obsirag.graphs"

_log = logging.getLogger(LOGGER)


class LogLines:
    """Writes the lines: counts and kinds, never text of notes, questions, answers or prompts, nor labels.

    Args:
        options: When a node is slow; then its last line is a warning.
    """

    def __init__(self, options: TracingOptions) -> None:
        self._options = options
        self.shortest_limit = min(options.slow_seconds, options.slow_model_seconds)

    def __call__(self, start: NodeStart) -> Callable[[NodeEnd], None]:
        """Write the first line of a node; return what writes its last."""
        if _log.isEnabledFor(logging.INFO):
            _write(logging.INFO, {"event": "started", **facts_of_start(start)})
        return self.ends(start)

    def ends(self, start: NodeStart) -> Callable[[NodeEnd], None]:
        """Return what writes a node's last line."""
        return partial(self._end, start)

    def _end(self, start: NodeStart, end: NodeEnd) -> None:
        limit = self._options.slow_model_seconds if end.usage["calls"] else self._options.slow_seconds
        # One that waits for a person isn't slow, nor is one that was waited for in vain.
        is_slow = end.seconds > limit and end.error is None
        level = logging.WARNING if is_slow else logging.INFO
        # Where no log was set up, Python prints warnings; a line of JSON is nothing for the person at a terminal.
        if _log.isEnabledFor(level) and _log.hasHandlers():
            told = {**facts_of_start(start), **facts_of_end(end)}
            told.pop("state")
            slow = {"slow_over": limit} if is_slow else {}
            _write(level, {"event": "paused" if end.is_paused else "ended", **told, **slow})


def facts_of_start(start: NodeStart) -> dict[str, Any]:
    """Return what can be told of a node that begins, to anybody."""
    return {
        "run": start.run,
        "thread": start.thread,
        "step": start.step,
        "node": start.node,
        "version": start.version,
        "state": summary_of(start.state),
    }


def facts_of_end(end: NodeEnd) -> dict[str, Any]:
    """Return what can be told of a node that has ended, to anybody."""
    usage = end.usage
    error = {"error": type(end.error).__name__} if end.error is not None and not end.is_paused else {}
    return {
        "seconds": round(end.seconds, 4),
        "model_calls": usage["calls"],
        "tokens_in": usage["input_tokens"],
        "tokens_out": usage["output_tokens"],
        "update": summary_of(end.update),
        **error,
    }


def _write(level: int, told: dict[str, Any]) -> None:
    _log.log(level, "%s", json.dumps(told, ensure_ascii=False, default=str))
