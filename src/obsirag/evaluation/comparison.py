"""Two retrievers on the same questions, side by side."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from obsirag.evaluation.bootstrap import Interval, paired_bootstrap
from obsirag.evaluation.measures import Measure
from obsirag.evaluation.report import RetrievalReport
from obsirag.evaluation.results import QuestionResult
from obsirag.evaluation.tables import show_difference, show_figure, to_markdown

__all__ = ["Comparison", "GroupDifference", "compare", "show_interval"]

_FEWEST = 10
"""Of fewer pairs a table shows no interval: it would be far too narrow, and of one pair have no width at all."""


@dataclass(frozen=True, slots=True)
class GroupDifference:
    """The differences on one group of questions, or on all.

    Args:
        questions: Number of pairs with gold.
        intervals: The difference of each measure with its interval, by the measure's name; a measure that no pair has
            is left out.
    """

    questions: int
    intervals: dict[str, Interval]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much better one report is than another, question by question.

    Args:
        overall: The differences on all questions.
        by_kind: Those on each kind.
        by_lang: Those on each language.
        gained: Ids of the questions that only the first report found within its largest k.
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

        Groups of fewer than 10 pairs come without intervals.
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
    report: RetrievalReport,
    against: RetrievalReport,
    *,
    samples: int = 10_000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Comparison:
    """Return the differences between two reports, each with the interval of a paired bootstrap.

    Results are paired by the question's id. Differences are those of ``report`` minus ``against``.

    Args:
        report: The report in question.
        against: What it is compared with, measured at the same ranks.
        samples: How many samples are drawn for each interval.
        confidence: The share of the samples that an interval holds.
        seed: The seed of the draws: with the same one, the intervals are the same.

    Raises:
        ValueError: If the reports were measured differently, an id comes twice, or no id is in both.
    """
    settings = [(each.k, each.characters, each.top) for each in (report, against)]
    if settings[0] != settings[1]:
        raise ValueError(f"reports at {settings[0]} and {settings[1]} (k, characters, top) cannot be compared")
    mine, theirs = _by_id(report), _by_id(against)
    pairs = [(result, theirs[name]) for name, result in mine.items() if name in theirs]
    if not pairs:
        raise ValueError("the reports have no question in common: give both the same questions")

    def differences(chosen: Sequence[_Pair]) -> GroupDifference:
        with_gold = [pair for pair in chosen if pair[0].has_gold and pair[1].has_gold]
        intervals = {
            measure.name: paired_bootstrap(
                *values, samples=samples, confidence=confidence, generator=np.random.default_rng(seed)
            )
            for measure in report.measures
            if (values := _values(measure, with_gold))[0]
        }
        return GroupDifference(len(with_gold), intervals)

    found = [tuple((each.chunk_rank or np.inf) <= max(report.k) for each in pair) for pair in pairs]
    return Comparison(
        overall=differences(pairs),
        by_kind={name: differences(group) for name, group in _grouped(pairs, "kind").items()},
        by_lang={name: differences(group) for name, group in _grouped(pairs, "lang").items()},
        gained=tuple(pair[0].id for pair, each in zip(pairs, found, strict=True) if each == (True, False)),
        lost=tuple(pair[0].id for pair, each in zip(pairs, found, strict=True) if each == (False, True)),
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
    if interval is not None and group.questions < _FEWEST:
        return show_difference(interval.difference)
    return show_interval(interval)


_Pair = tuple[QuestionResult, QuestionResult]


def _by_id(report: RetrievalReport) -> dict[str, QuestionResult]:
    results: dict[str, QuestionResult] = {}
    for result in report.results:
        if results.setdefault(result.id, result) is not result:
            raise ValueError(f"the id {result.id!r} comes twice in a report; pairs are made by it")
    return results


def _values(measure: Measure, pairs: Sequence[_Pair]) -> tuple[list[float], list[float]]:
    values = [(measure.of(one), measure.of(other)) for one, other in pairs]
    known = [(one, other) for one, other in values if one is not None and other is not None]
    return [one for one, _ in known], [other for _, other in known]


def _grouped(pairs: Sequence[_Pair], field: str) -> Mapping[str, list[_Pair]]:
    groups: dict[str, list[_Pair]] = {}
    for pair in pairs:
        groups.setdefault(getattr(pair[0], field), []).append(pair)
    return groups


def _as_dict(group: GroupDifference) -> dict[str, Any]:
    intervals = {name: interval._asdict() for name, interval in group.intervals.items()}
    return {"questions": group.questions, "intervals": intervals}
