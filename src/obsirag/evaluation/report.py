"""What an evaluation found: a result for each question, and their means by kind and language."""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, Self, TypeVar

from obsirag.evaluation.measures import retrieval_measures
from obsirag.evaluation.results import QuestionResult, Result
from obsirag.evaluation.scores import GroupScore, Measure, groups_by, score_group
from obsirag.evaluation.tables import show_figure, show_seconds, to_markdown

__all__ = ["Report", "RetrievalReport"]

R = TypeVar("R", bound=Result)


@dataclass(frozen=True)
class Report(Generic[R]):
    """The results of all questions, and what follows from them; the fields after the results say how was measured.

    Args:
        results: One for each question, in the order asked.
    """

    title: ClassVar[str]
    """What was evaluated."""

    success: ClassVar[str]
    """What has become of a question that was served well."""

    results: tuple[R, ...]

    @property
    @abstractmethod
    def measures(self) -> tuple[Measure[R], ...]:
        """What is reported of each group."""

    @property
    @abstractmethod
    def main_measures(self) -> tuple[Measure[R], ...]:
        """Those that a narrow table shows."""

    @property
    @abstractmethod
    def timings(self) -> Mapping[str, Callable[[R], float | None]]:
        """What was timed, by its name."""

    @abstractmethod
    def succeeded(self, result: R) -> bool:
        """Say whether a question was served well, all in all."""

    @abstractmethod
    def _shortcomings(self, result: R) -> Iterator[str]:
        """Yield the names of what was wrong with what came of a question, but for leaks and failed parts."""

    def failings(self, result: R) -> tuple[str, ...]:
        """Return the names of what went wrong with a question, the worst first; none if nothing did.

        They are ``leaked`` and ``degraded``; for retrieval ``not_found``, within the largest rank; for answers
        ``wrong_ending``, ``missing_points`` and ``invalid_citations``.
        """
        worst = {"leaked": result.leaked, "degraded": result.degraded}
        return (*(name for name, is_so in worst.items() if is_so), *self._shortcomings(result))

    @property
    def settings(self) -> dict[str, Any]:
        """How was measured: reports that differ in it can be neither compared nor added."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name != "results"}

    def __add__(self, other: Self) -> Self:
        """Return the report of both reports' questions, e.g. those of several vaults."""
        if type(self) is not type(other) or self.settings != other.settings:
            raise ValueError(f"reports of {self.title} at {self.settings} and {other.settings} don't add up")
        return replace(self, results=self.results + other.results)

    @cached_property
    def overall(self) -> GroupScore:
        """The figures of all questions together; a kind weighs as much as it has questions."""
        return score_group(self.results, self.measures, self.timings)

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
        times = [name.replace("_", " ").replace("seconds", "s") for name in self.overall.times]
        rows = [(kind or "(no kind)", score) for kind, score in self.by_kind.items()]
        rows += [(lang or "(no language)", score) for lang, score in self.by_lang.items()]
        rows += [("**all**", self.overall)]
        return to_markdown([*header, *times, "without gold", "leaked"], [_row(name, score) for name, score in rows])

    def as_dict(self) -> dict[str, Any]:
        """Return the figures and every question's result as what JSON can hold."""
        settings = {name: list(each) if isinstance(each, tuple) else each for name, each in self.settings.items()}
        return settings | {
            "overall": asdict(self.overall),
            "by_kind": {kind: asdict(score) for kind, score in self.by_kind.items()},
            "by_lang": {lang: asdict(score) for lang, score in self.by_lang.items()},
            "results": [self._result_as_dict(result) for result in self.results],
        }

    def to_json(self) -> str:
        """Return the figures and every question's result as a JSON object."""
        return json.dumps(self.as_dict(), ensure_ascii=False, indent=2)

    def _result_as_dict(self, result: R) -> dict[str, Any]:
        return asdict(result)  # type: ignore[call-overload, no-any-return]

    def _groups(self, field: str) -> dict[str, GroupScore]:
        groups = groups_by(field, self.results)
        return {name: score_group(results, self.measures, self.timings) for name, results in groups.items()}


@dataclass(frozen=True)
class RetrievalReport(Report[QuestionResult]):
    """What retrieval found.

    Args:
        results: One for each question, in the order asked.
        k: The ranks at which recall, hits and gain are reported.
        characters: The length of text within which recall is reported.
        top: The number of chunks of which lines and notes were counted.
    """

    title = "Retrieval"
    success = "Found"

    k: tuple[int, ...] = (1, 5, 10)
    characters: int = 4000
    top: int = 5

    @cached_property
    def measures(self) -> tuple[Measure[QuestionResult], ...]:
        """What is reported of each group."""
        return retrieval_measures(self.k, self.characters, self.top)

    @property
    def main_measures(self) -> tuple[Measure[QuestionResult], ...]:
        """Those that a narrow table shows."""
        names = {*(f"recall@{k}" for k in self.k), "mrr", f"ndcg@{max(self.k)}", "line_recall"}
        return tuple(measure for measure in self.measures if measure.name in names)

    @property
    def timings(self) -> Mapping[str, Callable[[QuestionResult], float | None]]:
        """What was timed: the retriever."""
        return {"seconds": lambda result: result.seconds}

    def succeeded(self, result: QuestionResult) -> bool:
        """Say whether a question was found within the largest rank."""
        return result.chunk_rank is not None and result.chunk_rank <= max(self.k)

    def _shortcomings(self, result: QuestionResult) -> Iterator[str]:
        if result.has_gold and not self.succeeded(result):
            yield "not_found"

    def _result_as_dict(self, result: QuestionResult) -> dict[str, Any]:
        return asdict(result) | {"chunk_rank": result.chunk_rank}


def _row(name: str, score: GroupScore) -> list[str]:
    figures = [*map(show_figure, score.figures.values())]
    times = [*map(show_seconds, score.times.values())]
    return [name, str(score.questions), *figures, *times, str(score.without_gold), str(score.leaked)]
