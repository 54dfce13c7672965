"""What an evaluation of retrieval found: a result for each question, and their means by kind and language."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from math import fsum
from typing import Any, Self

import numpy as np

from obsirag.evaluation.measures import Measure, retrieval_measures
from obsirag.evaluation.results import QuestionResult
from obsirag.evaluation.tables import show_figure, show_seconds, to_markdown

__all__ = ["GroupScore", "RetrievalReport"]


@dataclass(frozen=True, slots=True)
class GroupScore:
    """The figures of one group of questions, or of all.

    Args:
        questions: Number of questions with gold: what the figures are means of.
        without_gold: Number of questions that have nothing to find.
        leaked: Number of all questions, with or without gold, that were given something their caller may not read.
        degraded: Number of all questions for which a part of the search failed.
        figures: The mean of each measure, by its name; None where no question has it.
        median_seconds: How long the retriever took for half of all questions at most; None if it wasn't measured.
        p95_seconds: The same for 95 in 100, interpolated linearly.
    """

    questions: int
    without_gold: int
    leaked: int
    degraded: int
    figures: dict[str, float | None]
    median_seconds: float | None
    p95_seconds: float | None


@dataclass(frozen=True)
class RetrievalReport:
    """The results of all questions, and what follows from them.

    Args:
        results: One for each question, in the order asked.
        k: The ranks at which recall, hits and gain are reported.
        characters: The length of text within which recall is reported.
        top: The number of chunks of which lines and notes were counted.
    """

    results: tuple[QuestionResult, ...]
    k: tuple[int, ...] = (1, 5, 10)
    characters: int = 4000
    top: int = 5

    def __add__(self, other: Self) -> Self:
        """Return the report of both reports' questions, e.g. those of several vaults."""
        mine, theirs = (self.k, self.characters, self.top), (other.k, other.characters, other.top)
        if mine != theirs:
            raise ValueError(f"reports at {mine} and {theirs} (k, characters, top) don't add up")
        return type(self)(self.results + other.results, *mine)

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """What is reported of each group."""
        return retrieval_measures(self.k, self.characters, self.top)

    @cached_property
    def overall(self) -> GroupScore:
        """The figures of all questions together; a kind weighs as much as it has questions."""
        return self._score(self.results)

    @cached_property
    def by_kind(self) -> dict[str, GroupScore]:
        """The figures of each kind, in order of first appearance."""
        return self._groups("kind")

    @cached_property
    def by_lang(self) -> dict[str, GroupScore]:
        """The figures of each language, in order of first appearance."""
        return self._groups("lang")

    def to_markdown(self) -> str:
        """Return a table with a row for each kind and language, and one for all."""
        header = ["kind", "questions", *(measure.title for measure in self.measures)]
        header += ["median s", "p95 s", "without gold", "leaked"]
        rows = [(kind or "(no kind)", score) for kind, score in self.by_kind.items()]
        rows += [(lang or "(no language)", score) for lang, score in self.by_lang.items()]
        rows += [("**all**", self.overall)]
        return to_markdown(header, [self._row(name, score) for name, score in rows])

    def as_dict(self) -> dict[str, Any]:
        """Return the figures and every question's result as what JSON can hold."""
        return {
            "k": list(self.k),
            "characters": self.characters,
            "top": self.top,
            "overall": asdict(self.overall),
            "by_kind": {kind: asdict(score) for kind, score in self.by_kind.items()},
            "by_lang": {lang: asdict(score) for lang, score in self.by_lang.items()},
            "results": [asdict(each) | {"chunk_rank": each.chunk_rank} for each in self.results],
        }

    def to_json(self) -> str:
        """Return the figures and every question's result as a JSON object."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=2)

    def _groups(self, field: str) -> dict[str, GroupScore]:
        groups: dict[str, list[QuestionResult]] = {}
        for result in self.results:
            groups.setdefault(getattr(result, field), []).append(result)
        return {name: self._score(results) for name, results in groups.items()}

    def _score(self, results: Iterable[QuestionResult]) -> GroupScore:
        results = tuple(results)
        asked = [result for result in results if result.has_gold]
        seconds = [result.seconds for result in results if result.seconds is not None]
        return GroupScore(
            questions=len(asked),
            without_gold=len(results) - len(asked),
            leaked=sum(each.leaked for each in results),
            degraded=sum(each.degraded for each in results),
            figures={measure.name: _mean(measure.of(each) for each in asked) for measure in self.measures},
            median_seconds=float(np.quantile(seconds, 0.5)) if seconds else None,
            p95_seconds=float(np.quantile(seconds, 0.95)) if seconds else None,
        )

    def _row(self, name: str, score: GroupScore) -> list[str]:
        figures = [*map(show_figure, score.figures.values())]
        times = [show_seconds(score.median_seconds), show_seconds(score.p95_seconds)]
        return [name, str(score.questions), *figures, *times, str(score.without_gold), str(score.leaked)]


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None
