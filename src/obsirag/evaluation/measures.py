"""The measures of retrieval: numbers of the questions with gold, whose means are reported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import fsum, log2

from obsirag.evaluation.results import QuestionResult
from obsirag.evaluation.scores import Measure

__all__ = ["discounted_gain", "retrieval_measures"]

_MRR_DEPTH = 10


def retrieval_measures(k: Sequence[int], characters: int, top: int) -> tuple[Measure[QuestionResult], ...]:
    """Return every measure, in the order of a report.

    Args:
        k: The ranks at which recall, hits and gain are measured.
        characters: The length of text within which ``text_recall`` is measured.
        top: The number of chunks of which lines and notes are counted.
    """
    measures = (
        *(Measure(f"recall@{each}", f"R@{each}", partial(_recall, k=each)) for each in k),
        *(Measure(f"hit@{each}", f"hit@{each}", partial(_hit, k=each)) for each in k),
        Measure("mrr", f"MRR@{_MRR_DEPTH}", _reciprocal_rank),
        *(Measure(f"ndcg@{each}", f"nDCG@{each}", partial(_gain, k=each)) for each in k),
        *(Measure(f"note_recall@{each}", f"notes R@{each}", partial(_note_recall, k=each)) for each in k),
        Measure("text_recall", f"R in {characters:,} chars", partial(_text_recall, characters=characters)),
        Measure("line_precision", f"line P@{top}", lambda result: result.line_precision),
        Measure("line_recall", f"line R@{top}", lambda result: result.line_recall),
        Measure("distinct_notes", f"notes in {top}", lambda result: result.distinct_notes, is_share=False),
    )
    return tuple(measure._replace(of=partial(_with_gold, measure.of)) for measure in measures)


def discounted_gain(ranks: Sequence[int | None], k: int) -> float:
    """Return the normalised discounted cumulative gain within the first ``k`` chunks, 0–1.

    A need gains 1 / log2(1 + rank) where it is first met, and nothing when met again; the sum is divided by that of
    the best order, which meets one need with each chunk. Where one chunk meets several, they count at its rank and the
    ranks behind it, so that no order passes the best one.

    The discount and the norm are those of Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR techniques"
    (ACM TOIS 20, 2002) in their usual form; counting each need once is α-nDCG with α = 1 of Clarke et al., "Novelty and
    diversity in information retrieval evaluation" (SIGIR 2008).

    Args:
        ranks: For each need its 1-based rank, None if it was never met; at least one need.
        k: Number of chunks that count.
    """
    place, places = 0, []
    for rank in sorted(rank for rank in ranks if rank is not None):
        place = max(rank, place + 1)
        places.append(place)
    best = range(1, min(len(ranks), k) + 1)
    return _discounts([each for each in places if each <= k]) / _discounts(best)


def _discounts(ranks: Sequence[int]) -> float:
    return fsum(1 / log2(1 + rank) for rank in ranks)


def _with_gold(of: Callable[[QuestionResult], float | None], result: QuestionResult) -> float | None:
    return of(result) if result.has_gold else None


def _within(rank: int | None, limit: int) -> float:
    return float(rank is not None and rank <= limit)


def _recall(result: QuestionResult, k: int) -> float:
    return _within(result.chunk_rank, k)


def _hit(result: QuestionResult, k: int) -> float:
    return _within(result.hit_rank, k)


def _note_recall(result: QuestionResult, k: int) -> float:
    return _within(result.note_rank, k)


def _reciprocal_rank(result: QuestionResult) -> float:
    rank = result.chunk_rank
    return 1 / rank if rank is not None and rank <= _MRR_DEPTH else 0.0


def _gain(result: QuestionResult, k: int) -> float:
    return discounted_gain(result.ranks, k)


def _text_recall(result: QuestionResult, characters: int) -> float:
    # A chunk longer than the whole budget still reaches the reader when it comes first.
    return 1.0 if result.chunk_rank == 1 else _within(result.characters, characters)
