"""Why a report doesn't pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from obsirag.evaluation.comparison import Comparison, show_interval
from obsirag.evaluation.report import Report
from obsirag.evaluation.thresholds import Threshold

__all__ = ["Fault", "faults_of", "find_faults"]

_SAID = {
    "leaked": "text that the caller may not read came back for {count} of the questions: {ids}",
    "degraded": "a part failed for {count} of the questions; the figures hold for what was left of it",
    "no_value": "{measure} has no value, since no question has one",
    "too_much": "{measure} is {figure}, more than {bound}",
    "too_little": "{measure} is {figure}, less than {bound}",
    "no_pairs": "{measure} cannot be compared, since no question has it in both reports",
    "worse": "{measure} is worse than the other's: {difference}",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """A reason why a report doesn't pass; as text, a sentence.

    Args:
        kind: ``leaked``, ``degraded``, ``no_value``, ``too_much``, ``too_little``, ``no_pairs`` or ``worse``.
        values: What the sentence names, as text, by name.
    """

    kind: str
    values: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return _SAID[self.kind].format_map(self.values)


def faults_of(
    report: Report[Any],
    thresholds: Iterable[Threshold] = (),
    *,
    comparison: Comparison | None = None,
    not_worse: Iterable[str] = (),
) -> list[str]:
    """Return why a report doesn't pass, one sentence for each reason; none if it does.

    Leaks and failed parts never pass: a leak is a fault whatever else was found, and the figures of questions for which
    a part failed aren't those of the configuration.

    Args:
        report: The report.
        thresholds: What it has to reach, or may not pass.
        comparison: The report compared with another one.
        not_worse: Names of measures in which it may not be worse than the other one by more than chance, i.e. with all
            of the interval below 0, for a cost above it.
    """
    return [*map(str, find_faults(report, thresholds, comparison=comparison, not_worse=not_worse))]


def find_faults(
    report: Report[Any],
    thresholds: Iterable[Threshold] = (),
    *,
    comparison: Comparison | None = None,
    not_worse: Iterable[str] = (),
) -> list[Fault]:
    """Return what ``faults_of`` says, by kind."""
    return [*_of_questions(report), *_of_figures(report, thresholds), *_of_differences(report, comparison, not_worse)]


def _of_questions(report: Report[Any]) -> Iterator[Fault]:
    if leaked := [result.id for result in report.results if result.leaked]:
        yield Fault("leaked", {"count": str(len(leaked)), "ids": ", ".join(leaked)})
    if degraded := sum(result.degraded for result in report.results):
        yield Fault("degraded", {"count": str(degraded)})


def _of_figures(report: Report[Any], thresholds: Iterable[Threshold]) -> Iterator[Fault]:
    for measure, value, is_most in thresholds:
        figure = report.overall.figures[measure]
        if figure is None:
            yield Fault("no_value", {"measure": measure})
        elif (figure > value) if is_most else (figure < value):
            told = {"measure": measure, "figure": f"{figure:.4f}", "bound": f"{value:g}"}
            yield Fault("too_much" if is_most else "too_little", told)


def _of_differences(report: Report[Any], comparison: Comparison | None, not_worse: Iterable[str]) -> Iterator[Fault]:
    costs = {measure.name for measure in report.measures if measure.is_cost}
    for measure in not_worse:
        interval = comparison.overall.intervals.get(measure) if comparison else None
        if interval is None:
            yield Fault("no_pairs", {"measure": measure})
        elif interval.is_better if measure in costs else interval.is_worse:
            yield Fault("worse", {"measure": measure, "difference": show_interval(interval)})
