import pytest

from obsirag.errors import EvaluationError
from obsirag.evaluation import (
    QuestionResult,
    RetrievalReport,
    Threshold,
    check_measure,
    compare,
    faults_of,
    parse_threshold,
)

NAMES = [measure.name for measure in RetrievalReport(()).measures]


def report(*ranks: int | None, **fields) -> RetrievalReport:
    return RetrievalReport(
        tuple(QuestionResult(id=f"q{number}", ranks=(rank,), **fields) for number, rank in enumerate(ranks))
    )


@pytest.mark.parametrize("text", ["recall@5=.8", " recall@5 = 0.80"])
def test_a_threshold_is_a_name_and_a_number(text: str) -> None:
    assert parse_threshold(text, NAMES) == Threshold("recall@5", 0.8)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("recall@5", "is no threshold"),
        ("recall@5=", "is no threshold"),
        ("recall@5=high", "is no threshold"),
        ("recall@5=nan", "is no threshold"),
        ("recal@5=.8", "did you mean recall@5?"),
        ("recall@7=.8", "add 7 to the ranks k"),
        ("zzz=.8", "there are recall@1, recall@5"),
    ],
)
def test_anything_else_is_an_error_that_says_what_was_meant(text: str, said: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        parse_threshold(text, NAMES)
    assert said in str(caught.value)


def test_every_measure_is_known_by_its_name() -> None:
    assert [check_measure(name, NAMES) for name in NAMES] == NAMES


def test_reaching_a_threshold_is_enough() -> None:
    half = report(1, None)
    assert faults_of(half, [Threshold("recall@1", 0.5)]) == []
    assert faults_of(half, [Threshold("recall@1", 0.51), Threshold("mrr", 0.6)]) == [
        "recall@1 is 0.5000, less than 0.51",
        "mrr is 0.5000, less than 0.6",
    ]
    assert faults_of(RetrievalReport(()), [Threshold("mrr", 0.0)]) == ["mrr has no value, since no question has one"]


def test_being_worse_counts_only_beyond_the_interval() -> None:
    good, bad, slightly = report(*[1] * 20), report(*[None] * 20), report(None, *[1] * 19)
    assert faults_of(slightly, comparison=compare(slightly, good), not_worse=["recall@1"]) == []
    assert faults_of(good, comparison=compare(good, bad), not_worse=["recall@1"]) == []
    (fault,) = faults_of(bad, comparison=compare(bad, good), not_worse=["recall@1"])
    assert fault == "recall@1 is worse than the other's: -1.000* [-1.000, -1.000]"
    (fault,) = faults_of(bad, comparison=compare(bad, good), not_worse=["line_recall"])
    assert "cannot be compared" in fault


def test_leaks_and_failed_parts_never_pass() -> None:
    (leak,) = faults_of(report(1, 1, leaked=True))
    assert leak.endswith("for 2 of the questions: q0, q1")
    (degraded,) = faults_of(report(1, degraded=True))
    assert "a part failed for 1 " in degraded
