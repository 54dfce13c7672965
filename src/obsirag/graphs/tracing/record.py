"""The record of a whole run: what each node got and gave, what was searched for and found, and what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from langgraph.types import Overwrite
from pydantic import TypeAdapter, ValidationError

from obsirag._version import installed_version
from obsirag.errors import TraceError
from obsirag.graphs.state import empty_state
from obsirag.graphs.tracing.files import read_json
from obsirag.graphs.tracing.log_lines import facts_of_end, facts_of_start
from obsirag.graphs.tracing.plain_data import to_plain
from obsirag.graphs.tracing.rounds import is_search, last_passages, rounds_of
from obsirag.graphs.tracing.shape import RunRecord, StepRecord
from obsirag.graphs.tracing.visits import NodeEnd, NodeStart
from obsirag.graphs.usage import NOTHING, add_usage

__all__ = ["RECORD_KIND", "RunRecorder", "Step", "read_record", "record_of"]

RECORD_KIND = "obsirag_run"
_VERSION = 1


@dataclass(slots=True)
class Step:
    """A node's part of a run.

    Args:
        start: What it got.
        began: When, in seconds from the run's beginning.
        end: How it ended; None while it works.
    """

    start: NodeStart
    began: float
    end: NodeEnd | None = None

    @property
    def update(self) -> Mapping[str, Any]:
        """What it gave, each channel's value as it was given; empty if it gave nothing."""
        update = self.end.update if self.end is not None else {}
        return {name: each.value if isinstance(each, Overwrite) else each for name, each in update.items()}


@dataclass(slots=True)
class RunRecorder:
    """An observer that keeps all of one run, with all texts: for those who may read the run.

    Give it to ``build_rag_graph`` as one of ``observers``; it keeps the last run of the graph, so that a graph with
    one works on one question at a time.
    """

    _run: str = ""
    _steps: list[Step] = field(default_factory=list)
    _time: datetime = field(default_factory=lambda: datetime.now(UTC))
    _began: float = 0.0

    def __call__(self, start: NodeStart) -> Callable[[NodeEnd], None]:
        """Begin a step; return what ends it."""
        if start.run != self._run:
            self._run, self._steps, self._began = start.run, [], perf_counter()
            self._time = datetime.now(UTC)
        step = Step(start, perf_counter() - self._began)
        self._steps.append(step)
        return partial(setattr, step, "end")

    def record(self) -> RunRecord:
        """Return the record of the last run, as plain data that JSON can hold."""
        return record_of(self._steps, time=self._time)


def record_of(steps: list[Step], *, time: datetime) -> RunRecord:
    """Return the record of these steps.

    Args:
        steps: The steps.
        time: When the run began.
    """
    steps = sorted(steps, key=lambda step: (step.start.step, step.start.number))
    ends = [step.end for step in steps if step.end is not None]
    usage = NOTHING
    for end in ends:
        usage = add_usage(usage, end.usage)
    output = _last_of(steps, ("answer", "citations", "status"))
    rounds = rounds_of(steps)
    return {
        "obsirag_run": _VERSION,
        "obsirag": installed_version(),
        "run": steps[0].start.run if steps else "",
        "thread": steps[0].start.thread if steps else None,
        "time": time.isoformat(timespec="milliseconds"),
        "seconds": round(max((step.began + step.end.seconds for step in steps if step.end is not None), default=0), 4),
        "usage": usage,
        "question": str(_last_of(steps, ("question",)).get("question", "")),
        "plan": to_plain(_plan(steps)),
        "rounds": to_plain(rounds),
        "passages": to_plain(last_passages(steps)),
        "draft": (_last_of(steps, ("draft",)).get("draft") or {}).get("text", ""),
        "answer": output.get("answer", ""),
        # What is emptied before a question has a status too.
        "status": output.get("status") if output.get("answer") else None,
        "citations": to_plain(output.get("citations", [])),
        "degraded": _degraded(steps),
        "error": next((type(end.error).__name__ for end in ends if end.error is not None and not end.is_paused), None),
        "steps": [_told(step) for step in steps],
    }


def read_record(file: Path) -> RunRecord:
    """Return the record of a run from its file.

    Raises:
        TraceError: If the file cannot be read, or holds none.
    """
    told = read_json(file, RECORD_KIND, _VERSION, what="record of a run")
    try:
        return TypeAdapter(RunRecord).validate_python(told)
    except ValidationError as error:
        fault = error.errors(include_input=False, include_url=False)[0]
        place = ".".join(map(str, fault["loc"]))
        raise TraceError(f"{file} is no record of a run: `{place}`: {fault['msg']}") from error


def _plan(steps: list[Step]) -> dict[str, Any]:
    """Return what was settled before the first search, but for what is as it is before any question."""
    first = next((index for index, step in enumerate(steps) if is_search(step)), len(steps))
    empty = empty_state()
    plan: dict[str, Any] = {}
    for step in steps[:first]:
        plan |= step.update
    return {
        name: value for name, value in plan.items() if name not in ("messages", "usage") and value != empty.get(name)
    }


def _degraded(steps: list[Step]) -> list[str]:
    """Return what failed on the way; of a run that died, nobody has put that together."""
    told = (step.update.get("degraded") for step in steps)
    return sorted({str(name) for names in told if isinstance(names, list) for name in names})


def _last_of(steps: list[Step], channels: tuple[str, ...]) -> dict[str, Any]:
    """Return the last value of each of these channels that is not empty."""
    return {name: step.update[name] for step in steps for name in channels if step.update.get(name)}


def _told(step: Step) -> StepRecord:
    start, end = step.start, step.end
    # A whole state says nothing that the updates before it don't.
    has_task = isinstance(start.given, Mapping) and "messages" not in start.given
    about_end = facts_of_end(end) if end is not None else {}
    told = {
        "began": round(step.began, 4),
        **{name: value for name, value in facts_of_start(start).items() if name not in ("run", "thread")},
        **{name: value for name, value in about_end.items() if name != "update"},
        "task": to_plain(start.given) if has_task else None,
        "update": to_plain(end.update) if end is not None else None,
    }
    return cast("StepRecord", told)
