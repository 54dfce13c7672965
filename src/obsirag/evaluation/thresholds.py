"""What a report has to reach, so that a job in CI can fail."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from obsirag.config import nearest_names
from obsirag.errors import EvaluationError
from obsirag.evaluation.comparison import Comparison, show_interval
from obsirag.evaluation.report import RetrievalReport

__all__ = ["Threshold", "check_measure", "faults_of", "parse_threshold"]


class Threshold(NamedTuple):
    """A measure with the least value that it may have, on all questions together.

    Args:
        measure: The measure's name.
        least: The value; reaching it is enough.
    """

    measure: str
    least: float


def parse_threshold(text: str, known: Collection[str]) -> Threshold:
    """Return the threshold that ``text`` states as ``name=value``, e.g. ``recall@5=.8``.

    Args:
        text: The threshold.
        known: The names of the measures that are reported.

    Raises:
        EvaluationError: If it has another form, or there is no such measure.
    """
    name, equals, value = text.partition("=")
    try:
        least = float(value)
    except ValueError:
        least = math.nan
    if not equals or not math.isfinite(least):
        raise EvaluationError(f"{text!r} is no threshold; write a measure and a number, such as recall@5=.8")
    return Threshold(check_measure(name.strip(), known), least)


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
    report: RetrievalReport,
    thresholds: Iterable[Threshold] = (),
    *,
    comparison: Comparison | None = None,
    not_worse: Iterable[str] = (),
) -> list[str]:
    """Return why a report doesn't pass, one sentence for each reason; none if it does.

    Leaks and failed parts of a search never pass: a leak is a fault whatever else was found, and the figures of a
    search that failed in part aren't those of the configuration.

    Args:
        report: The report.
        thresholds: What it has to reach.
        comparison: The report compared with another one.
        not_worse: Names of measures in which it may not be worse than the other one by more than chance, i.e. with all
            of the interval below 0.
    """
    return [*_faults(report, thresholds, comparison, not_worse)]


def _faults(
    report: RetrievalReport, thresholds: Iterable[Threshold], comparison: Comparison | None, not_worse: Iterable[str]
) -> Iterator[str]:
    if leaked := [result.id for result in report.results if result.leaked]:
        yield f"text that the caller may not read came back for {len(leaked)} of the questions: {', '.join(leaked)}"
    if degraded := sum(result.degraded for result in report.results):
        yield f"a part of the search failed for {degraded} of the questions; the figures hold for what was left of it"
    for measure, least in thresholds:
        figure = report.overall.figures[measure]
        if figure is None:
            yield f"{measure} has no value, since no question has gold"
        elif figure < least:
            yield f"{measure} is {figure:.4f}, less than {least:g}"
    for measure in not_worse:
        interval = comparison.overall.intervals.get(measure) if comparison else None
        if interval is None:
            yield f"{measure} cannot be compared, since no question has gold"
        elif interval.is_worse:
            yield f"{measure} is worse than the other's: {show_interval(interval)}"
