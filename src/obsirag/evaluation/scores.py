"""The figures of groups of questions, whatever was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from obsirag.evaluation.results import Result

__all__ = ["GroupScore", "Measure", "groups_by", "score_group"]

R = TypeVar("R", bound=Result)

_QUANTILES = {"median": 0.5, "p95": 0.95}


class Measure(NamedTuple, Generic[R]):
    """A figure: the mean of a number over the questions that have it.

    Args:
        name: Its name in reports and thresholds, e.g. ``recall@5``.
        title: Its name at the head of a table.
        of: The number for one question; None if it has none, e.g. since there is nothing to find.
        is_cost: Whether less of it is better.
        is_share: Whether it lies between 0 and 1.
    """

    name: str
    title: str
    of: Callable[[R], float | None]
    is_cost: bool = False
    is_share: bool = True


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The figures of one group of questions, or of all.

    Args:
        questions: Number of questions with gold.
        without_gold: Number of questions that have nothing to find.
        leaked: Number of all questions, with or without gold, that were given something their caller may not read.
        degraded: Number of all questions for which a part failed.
        figures: The mean of each measure, by its name; None where no question has it.
        times: How many seconds half of the questions took at most (``median_…``), and how many 95 in 100 took
            (``p95_…``, interpolated linearly), by what was timed; None if it wasn't.
    """

    questions: int
    without_gold: int
    leaked: int
    degraded: int
    figures: dict[str, float | None]
    times: dict[str, float | None]


def score_group(
    results: Sequence[R],
    measures: Iterable[Measure[R]],
    timings: Mapping[str, Callable[[R], float | None]],
) -> GroupScore:
    """Return the figures of a group.

    Args:
        results: The results of its questions.
        measures: What is reported.
        timings: What was timed, by its name, and how to get the seconds from a result.
    """
    asked = sum(result.has_gold for result in results)
    return GroupScore(
        questions=asked,
        without_gold=len(results) - asked,
        leaked=sum(each.leaked for each in results),
        degraded=sum(each.degraded for each in results),
        figures={measure.name: _mean(map(measure.of, results)) for measure in measures},
        times={
            f"{name}_{timed}": _quantile(map(seconds, results), share)
            for timed, seconds in timings.items()
            for name, share in _QUANTILES.items()
        },
    )


def groups_by(field: str, results: Iterable[R]) -> dict[str, list[R]]:
    """Return the results by one of their fields, in order of first appearance."""
    groups: dict[str, list[R]] = {}
    for result in results:
        groups.setdefault(getattr(result, field), []).append(result)
    return groups


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


def _quantile(values: Iterable[float | None], share: float) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.quantile(known, share)) if known else None
