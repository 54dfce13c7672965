"""Two reports on the same questions, side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

import numpy as np

from obsirag.evaluation.bootstrap import Interval, paired_bootstrap
from obsirag.evaluation.report import Report
from obsirag.evaluation.results import Result
from obsirag.evaluation.scores import Measure, groups_by
from obsirag.evaluation.tables import show_difference, show_figure, to_markdown

__all__ = ["FEWEST_PAIRS", "Comparison", "GroupDifference", "compare", "show_interval"]

R = TypeVar("R", bound=Result)

FEWEST_PAIRS = 10
"""Of fewer pairs a table shows no interval: it would be far too narrow, and of one pair have no width at all."""


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """The differences on one group of questions, or on all.

    Args:
        questions: Number of pairs with gold.
        intervals: The difference of each measure with its interval, by the measure's name; a measure that no pair has
            is left out.
        pairs: Of how many pairs each difference is the mean.
    """

    questions: int
    intervals: dict[str, Interval]
    pairs: dict[str, int]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much better one report is than another, question by question.

    Args:
        overall: The differences on all questions.
        by_kind: Those on each kind.
        by_lang: Those on each language.
        gained: Ids of the questions that only the first report served well: found within the largest k, or answered
            with all key points.
        lost: Ids of those that only the other one did.
        unpaired: Ids of the questions that only one of the reports has; they are left out.
        confidence: The share of the samples that an interval holds.
        samples: How many samples were drawn.
    """

    overall: GroupDifference
    by_kind: dict[str, GroupDifference]
    by_lang: dict[str, GroupDifference]
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    unpaired: tuple[str, ...]
    confidence: float
    samples: int

    def to_markdown(self) -> str:
        """Return a table with a row for each measure, and a column for all, each kind and each language.

        Differences of fewer than 10 pairs come without intervals.
        """
        groups = {"all": self.overall, **self.by_kind, **self.by_lang}
        header = ["difference", *(f"{name or '–'} ({group.questions})" for name, group in groups.items())]
        rows = [[name, *(_cell(group, name) for group in groups.values())] for name in self.overall.intervals]
        return to_markdown(header, rows)

    def as_dict(self) -> dict[str, Any]:
        """Return everything as what JSON can hold."""
        return asdict(self) | {
            "overall": _as_dict(self.overall),
            "by_kind": {name: _as_dict(group) for name, group in self.by_kind.items()},
            "by_lang": {name: _as_dict(group) for name, group in self.by_lang.items()},
        }

    def to_json(self) -> str:
        """Return everything as a JSON object."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=2)


def compare(
    report: Report[R],
    against: Report[R],
    *,
    samples: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Comparison:
    """Return the differences between two reports, each with the interval of a paired bootstrap.

    Results are paired by the question's id. Differences are those of ``report`` minus ``against``, on the questions
    for which both have the measure.

    Args:
        report: The report in question.
        against: What it is compared with, measured in the same way.
        samples: How many samples are drawn for each interval.
        confidence: The share of the samples that an interval holds.
        seed: The seed of the draws: with the same one, the intervals are the same.

    Raises:
        ValueError: If the reports were measured differently, an id comes twice, or no id is in both.
    """
    if type(report) is not type(against) or report.settings != against.settings:
        raise ValueError(
            f"reports of {report.title} at {report.settings} and of {against.title} at {against.settings} "
            "cannot be compared"
        )
    mine, theirs = _by_id(report), _by_id(against)
    pairs = [(result, theirs[name]) for name, result in mine.items() if name in theirs]
    if not pairs:
        raise ValueError("the reports have no question in common: give both the same questions")

    def differences(chosen: Sequence[tuple[R, R]]) -> GroupDifference:
        values = {measure.name: _values(measure, chosen) for measure in report.measures}
        known = {name: each for name, each in values.items() if each[0]}
        intervals = {
            name: paired_bootstrap(*each, samples=samples, confidence=confidence, generator=np.random.default_rng(seed))
            for name, each in known.items()
        }
        with_gold = sum(one.has_gold and other.has_gold for one, other in chosen)
        return GroupDifference(with_gold, intervals, {name: len(each[0]) for name, each in known.items()})

    def grouped(field: str) -> dict[str, GroupDifference]:
        groups = groups_by(field, [one for one, _ in pairs])
        return {name: differences([(one, theirs[one.id]) for one in group]) for name, group in groups.items()}

    served = [(report.succeeded(one), against.succeeded(other)) for one, other in pairs]
    return Comparison(
        overall=differences(pairs),
        by_kind=grouped("kind"),
        by_lang=grouped("lang"),
        gained=tuple(pair[0].id for pair, each in zip(pairs, served, strict=True) if each == (True, False)),
        lost=tuple(pair[0].id for pair, each in zip(pairs, served, strict=True) if each == (False, True)),
        unpaired=tuple(name for name in {**mine, **theirs} if name not in mine or name not in theirs),
        confidence=confidence,
        samples=samples,
    )


def show_interval(interval: Interval | None) -> str:
    """Return a difference and its interval as text, marked where the interval leaves out 0."""
    if interval is None:
        return show_figure(None)
    mark = "*" if interval.is_worse or interval.is_better else ""
    low, high = show_difference(interval.low), show_difference(interval.high)
    return f"{show_difference(interval.difference)}{mark} [{low}, {high}]"


def _cell(group: GroupDifference, name: str) -> str:
    interval = group.intervals.get(name)
    if interval is not None and group.pairs[name] < FEWEST_PAIRS:
        return show_difference(interval.difference)
    return show_interval(interval)


def _by_id(report: Report[R]) -> dict[str, R]:
    results: dict[str, R] = {}
    for result in report.results:
        if results.setdefault(result.id, result) is not result:
            raise ValueError(f"the id {result.id!r} comes twice in a report; pairs are made by it")
    return results


def _values(measure: Measure[R], pairs: Sequence[tuple[R, R]]) -> tuple[list[float], list[float]]:
    values = [(measure.of(one), measure.of(other)) for one, other in pairs]
    known = [(one, other) for one, other in values if one is not None and other is not None]
    return [one for one, _ in known], [other for _, other in known]


def _as_dict(group: GroupDifference) -> dict[str, Any]:
    return asdict(group) | {"intervals": {name: interval._asdict() for name, interval in group.intervals.items()}}
