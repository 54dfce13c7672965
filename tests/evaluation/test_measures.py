from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.evaluation import QuestionResult, discounted_gain, retrieval_measures

RANKS = st.lists(st.none() | st.integers(1, 30), min_size=1, max_size=6).map(tuple)
K = tuple(range(1, 31))
BOUNDED = [measure for measure in retrieval_measures(K, 4000, 5) if measure.name != "distinct_notes"]


@st.composite
def results(draw: st.DrawFn) -> QuestionResult:
    ranks = draw(RANKS)
    found = None not in ranks
    return QuestionResult(
        id="q",
        ranks=ranks,
        note_rank=draw(st.integers(1, max(ranks))) if found else None,
        characters=draw(st.integers(1, 9000)) if found else None,
        line_precision=draw(st.floats(0, 1)),
        line_recall=draw(st.floats(0, 1)),
        distinct_notes=draw(st.integers(0, 5)),
    )


@given(results())
def test_every_measure_lies_between_0_and_1(result: QuestionResult) -> None:
    for measure in BOUNDED:
        value = measure.of(result)
        assert value is not None
        assert 0 <= value <= 1, measure.name


@given(results())
def test_recall_and_hits_never_fall_with_k_and_need_no_less_for_all(result: QuestionResult) -> None:
    values = {measure.name: measure.of(result) for measure in BOUNDED}
    for name in ("recall", "hit", "note_recall"):
        row = [values[f"{name}@{k}"] for k in K]
        assert row == sorted(row)
    for k in K:
        assert values[f"recall@{k}"] <= values[f"hit@{k}"]
    if len(result.ranks) == 1:
        gains = [values[f"ndcg@{k}"] for k in K]
        assert gains == sorted(gains)
        assert [values[f"recall@{k}"] for k in K] == [values[f"hit@{k}"] for k in K]


@given(results(), st.integers(1, 30))
def test_recall_hits_and_mrr_are_what_they_say(result: QuestionResult, k: int) -> None:
    values = {measure.name: measure.of(result) for measure in BOUNDED}
    met = [rank in range(1, k + 1) for rank in result.ranks]
    assert values[f"recall@{k}"] == all(met)
    assert values[f"hit@{k}"] == any(met)
    first = next((n for n in range(1, 11) if all(rank in range(1, n + 1) for rank in result.ranks)), None)
    assert values["mrr"] == (1 / first if first else 0)


@given(st.integers(1, 6), st.integers(1, 10))
def test_the_best_order_gains_1(needs: int, k: int) -> None:
    assert discounted_gain(range(1, needs + 1), k) == 1.0
    # One chunk that meets all needs at once is no worse, and no better.
    assert discounted_gain([1] * needs, k) == 1.0


@given(
    st.lists(st.none() | st.integers(1, 12), min_size=1, max_size=5, unique_by=lambda rank: rank or object()),
    st.integers(1, 12),
)
def test_gain_is_that_of_the_definition(ranks: list[int | None], k: int) -> None:
    relevance = [1 if rank in ranks else 0 for rank in range(1, 13)]
    ideal = sorted([1] * len(ranks) + [0] * 12, reverse=True)

    def dcg(gains: list[int]) -> float:
        return sum(gain / log2(place + 1) for place, gain in enumerate(gains[:k], 1))

    assert discounted_gain(ranks, k) == pytest.approx(dcg(relevance) / dcg(ideal))


@given(RANKS, st.integers(1, 30), st.data())
def test_gain_never_falls_when_something_is_found_earlier(
    ranks: tuple[int | None, ...], k: int, data: st.DataObject
) -> None:
    which = data.draw(st.integers(0, len(ranks) - 1))
    earlier = data.draw(st.integers(1, ranks[which] or 30))
    better = [earlier if index == which else rank for index, rank in enumerate(ranks)]
    assert discounted_gain(better, k) >= discounted_gain(ranks, k) - 1e-12


@given(RANKS, st.integers(1, 30), st.randoms())
def test_the_order_of_the_needs_does_not_matter(ranks: tuple[int | None, ...], k: int, random) -> None:
    shuffled = [*ranks]
    random.shuffle(shuffled)
    assert discounted_gain(shuffled, k) == discounted_gain(ranks, k)
