"""How much work Python does, counted: the same on every machine, however busy."""

from __future__ import annotations

import sys
from collections.abc import Callable

__all__ = ["steps_of"]


def steps_of(work: Callable[[], object]) -> int:
    """Return how many calls ``work`` makes and how many lines it runs, each turn of a loop counted."""
    count = 0

    def on_call(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    def on_line(frame: object, event: str, argument: object) -> object:
        nonlocal count
        count += event == "line"
        return on_line

    tracer, profiler = sys.gettrace(), sys.getprofile()
    sys.settrace(on_line)  # type: ignore[arg-type]
    sys.setprofile(on_call)
    try:
        work()
    finally:
        sys.setprofile(profiler)
        sys.settrace(tracer)
    return count
