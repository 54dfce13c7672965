"""What a report has to reach, so that a job in CI can fail."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from typing import Any, NamedTuple

from obsirag.config import nearest_names
from obsirag.errors import EvaluationError
from obsirag.evaluation.comparison import Comparison, show_interval
from obsirag.evaluation.report import Report

__all__ = ["Threshold", "check_measure", "faults_of", "parse_threshold"]


class Threshold(NamedTuple):
    """A measure with the least value that it may have, or the most, on all questions together.

    Args:
        measure: The measure's name.
        value: The value; reaching it is enough, and allowed.
        is_most: Whether it is the most.
    """

    measure: str
    value: float
    is_most: bool = False


def parse_threshold(text: str, known: Collection[str], *, is_most: bool = False) -> Threshold:
    """Return the threshold that ``text`` states as ``name=value``, e.g. ``recall@5=.8``.

    Args:
        text: The threshold.
        known: The names of the measures that are reported.
        is_most: Whether the value is the most that the measure may have.

    Raises:
        EvaluationError: If it has another form, or there is no such measure.
    """
    name, equals, value = text.partition("=")
    try:
        bound = float(value)
    except ValueError:
        bound = math.nan
    if not equals or not math.isfinite(bound):
        raise EvaluationError(
            f"{text!r} is no threshold; write a measure and a number, such as {next(iter(known), 'recall@5')}=.8"
        )
    return Threshold(check_measure(name.strip(), known), bound, is_most)


def check_measure(name: str, known: Collection[str]) -> str:
    """Return ``name`` if it is one of the measures that are reported.

    Raises:
        EvaluationError: If it isn't.
    """
    if name in known:
        return name
    kind, at, rank = name.partition("@")
    if at and rank.isdecimal() and any(each.startswith(f"{kind}@") for each in known):
        raise EvaluationError(f"{name} is not measured: add {rank} to the ranks k")
    nearest = nearest_names(name, known)
    told = f"did you mean {nearest[0]}?" if nearest else f"there are {', '.join(known)}"
    raise EvaluationError(f"there is no measure {name!r}; {told}")


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
    return [*_faults(report, thresholds, comparison, not_worse)]


def _faults(
    report: Report[Any], thresholds: Iterable[Threshold], comparison: Comparison | None, not_worse: Iterable[str]
) -> Iterator[str]:
    if leaked := [result.id for result in report.results if result.leaked]:
        yield f"text that the caller may not read came back for {len(leaked)} of the questions: {', '.join(leaked)}"
    if degraded := sum(result.degraded for result in report.results):
        yield f"a part failed for {degraded} of the questions; the figures hold for what was left of it"
    for measure, value, is_most in thresholds:
        figure = report.overall.figures[measure]
        if figure is None:
            yield f"{measure} has no value, since no question has one"
        elif is_most and figure > value:
            yield f"{measure} is {figure:.4f}, more than {value:g}"
        elif not is_most and figure < value:
            yield f"{measure} is {figure:.4f}, less than {value:g}"
    costs = {measure.name for measure in report.measures if measure.is_cost}
    for measure in not_worse:
        interval = comparison.overall.intervals.get(measure) if comparison else None
        if interval is None:
            yield f"{measure} cannot be compared, since no question has it in both reports"
        elif interval.is_better if measure in costs else interval.is_worse:
            yield f"{measure} is worse than the other's: {show_interval(interval)}"
