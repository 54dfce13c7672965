"""What an evaluation of retrieval found: a result for each question, and their sums by kind."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from math import fsum
from typing import Any, Self

__all__ = ["KindScore", "QuestionResult", "RetrievalReport"]

_MRR_DEPTH = 10


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """When one question had found what it needs.

    Args:
        id: The question's id.
        kind: Its kind.
        has_gold: Whether there is anything to find.
        returned: Number of chunks that came back.
        chunk_rank: 1-based rank of the chunk with which the need was met; None if it never was.
        note_rank: The same, counted in notes.
        characters: Length of the text up to the end of that chunk.
        leaked: Whether a chunk came back that the caller may not read.
    """

    id: str
    kind: str
    has_gold: bool
    returned: int
    chunk_rank: int | None
    note_rank: int | None
    characters: int | None
    leaked: bool


@dataclass(frozen=True, slots=True)
class KindScore:
    """The figures of one kind of question, or of all; shares lie in 0–1 and are None where there is no question.

    Args:
        questions: Number of questions with gold: what the shares are of.
        recall: By ``k``: the share found within the first k chunks.
        note_recall: By ``k``: the share found within the first k notes.
        text_recall: The share found within the report's length of text.
        mrr: Mean reciprocal rank in chunks, 0 past rank 10.
        without_gold: Number of questions that have nothing to find.
        leaked: Number of all questions, with or without gold, that were given something their caller may not read.
    """

    questions: int
    recall: dict[int, float | None]
    note_recall: dict[int, float | None]
    text_recall: float | None
    mrr: float | None
    without_gold: int
    leaked: int


@dataclass(frozen=True)
class RetrievalReport:
    """The results of all questions, and what follows from them.

    Args:
        results: One for each question, in the order asked.
        k: The ranks at which recall is reported.
        characters: The length of text within which recall is reported.
    """

    results: tuple[QuestionResult, ...]
    k: tuple[int, ...] = (1, 5, 10)
    characters: int = 4000

    def __add__(self, other: Self) -> Self:
        """Return the report of both reports' questions, e.g. those of several vaults."""
        if (self.k, self.characters) != (other.k, other.characters):
            raise ValueError(f"reports at {self.k}, {self.characters} and {other.k}, {other.characters} don't add up")
        return type(self)(self.results + other.results, self.k, self.characters)

    @cached_property
    def overall(self) -> KindScore:
        """The figures of all questions together; a kind weighs as much as it has questions."""
        return self._score(self.results)

    @cached_property
    def by_kind(self) -> dict[str, KindScore]:
        """The figures of each kind, in order of first appearance."""
        kinds = dict.fromkeys(result.kind for result in self.results)
        return {kind: self._score(result for result in self.results if result.kind == kind) for kind in kinds}

    def to_markdown(self) -> str:
        """Return a table with a row for each kind and one for all."""
        header = (
            ["kind", "questions", *(f"R@{k}" for k in self.k), f"MRR@{_MRR_DEPTH}"]
            + [f"notes R@{k}" for k in self.k]
            + [f"R in {self.characters:,} chars", "without gold", "leaked"]
        )
        rows = [(kind or "(none)", score) for kind, score in self.by_kind.items()] + [("**all**", self.overall)]
        lines = [header, ["---", *["---:"] * (len(header) - 1)], *(self._row(name, score) for name, score in rows)]
        return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)

    def to_json(self) -> str:
        """Return the figures and every question's result as a JSON object."""
        content: dict[str, Any] = {
            "k": self.k,
            "characters": self.characters,
            "overall": asdict(self.overall),
            "by_kind": {kind: asdict(score) for kind, score in self.by_kind.items()},
            "results": [asdict(result) for result in self.results],
        }
        return json.dumps(content, ensure_ascii=False, indent=2)

    def _score(self, results: Iterable[QuestionResult]) -> KindScore:
        results = tuple(results)
        asked = [result for result in results if result.has_gold]
        return KindScore(
            questions=len(asked),
            recall={k: _share_within((each.chunk_rank for each in asked), k) for k in self.k},
            note_recall={k: _share_within((each.note_rank for each in asked), k) for k in self.k},
            # A chunk longer than the whole budget still reaches the reader when it comes first.
            text_recall=_mean(
                each.chunk_rank == 1 or (each.characters is not None and each.characters <= self.characters)
                for each in asked
            ),
            mrr=_mean(1 / rank if (rank := each.chunk_rank) and rank <= _MRR_DEPTH else 0.0 for each in asked),
            without_gold=len(results) - len(asked),
            leaked=sum(each.leaked for each in results),
        )

    def _row(self, name: str, score: KindScore) -> list[str]:
        figures = [*score.recall.values(), score.mrr, *score.note_recall.values(), score.text_recall]
        cells = ["–" if figure is None else f"{figure:.2f}" for figure in figures]
        return [name, str(score.questions), *cells, str(score.without_gold), str(score.leaked)]


def _share_within(ranks: Iterable[int | None], limit: int) -> float | None:
    return _mean(rank is not None and rank <= limit for rank in ranks)


def _mean(values: Iterable[float]) -> float | None:
    values = [*values]
    return fsum(values) / len(values) if values else None
