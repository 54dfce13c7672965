import json

import pytest

from obsirag.evaluation import AnswerReport, AnswerResult, RetrievalReport, Threshold, compare, faults_of


def result(name: str, *points: float, **fields) -> AnswerResult:
    return AnswerResult(id=name, key_points=points, **({"kind": "k", "lang": "en"} | fields))


REPORT = AnswerReport(
    (
        result("a", 1.0, 1.0, citation_validity=1.0, tokens=100, seconds=1.0, first_token_seconds=0.5),
        result("b", 1.0, 0.0, citation_validity=0.5, tokens=300, seconds=3.0, is_followup=True),
        result("c", 0.0, status="not_found", ends_right=False),
        result("n", has_gold=False, is_refused=True, is_stopped=True, status="refused"),
        result("o", has_gold=False, is_refused=False, ends_right=False, leaked=True, degraded_parts=("chat_model",)),
    )
)


def test_figures_are_those_computed_by_hand() -> None:
    score = REPORT.overall
    assert (score.questions, score.without_gold, score.leaked, score.degraded) == (3, 2, 1, 1)
    assert score.figures == {
        "accuracy": 0.5,
        "complete": pytest.approx(1 / 3),
        "followup_accuracy": 0.5,
        "right_ending": pytest.approx(3 / 5),
        "answered": pytest.approx(2 / 3),
        "refusal": 0.5,
        "interception": 1.0,
        "cited": 0.0,
        "citation_validity": 0.75,
        "citation_precision": None,
        "citation_recall": None,
        "support": None,
        "model_calls": None,
        "tokens": 200.0,
    }
    assert score.times == {
        "median_seconds": 2.0,
        "p95_seconds": pytest.approx(2.9),
        "median_first_token_seconds": 0.5,
        "p95_first_token_seconds": 0.5,
    }


def test_json_has_the_answers_and_the_judge() -> None:
    content = json.loads(REPORT.to_json())
    assert content["judge"] == "rule"
    assert [each["accuracy"] for each in content["results"]] == [1.0, 0.5, 0.0, None, None]
    assert content["by_kind"]["k"]["figures"]["accuracy"] == 0.5


def test_markdown_has_a_column_for_each_measure_and_time() -> None:
    header, _, *rows = REPORT.to_markdown().splitlines()
    assert header.count("|") == rows[0].count("|") == len(REPORT.measures) + len(REPORT.overall.times) + 5
    assert "| median s | p95 s | median first token s | p95 first token s | without gold | leaked |" in header


def test_reports_are_compared_where_both_have_the_measure() -> None:
    other = AnswerReport((result("a", 1.0, 0.0, tokens=50), result("c", 1.0), result("n", has_gold=False)))
    comparison = compare(REPORT, other, samples=50)
    assert comparison.overall.questions == 2
    assert comparison.overall.pairs == {"accuracy": 2, "complete": 2, "right_ending": 3, "answered": 2, "cited": 1} | {
        "tokens": 1
    }
    assert comparison.overall.intervals["tokens"].difference == 50
    assert (comparison.gained, comparison.lost) == (("a",), ("c",))
    assert comparison.unpaired == ("b", "o")


def test_what_was_judged_or_measured_otherwise_is_not_compared() -> None:
    with pytest.raises(ValueError, match="cannot be compared"):
        compare(REPORT, AnswerReport(REPORT.results, judge="strict"))
    with pytest.raises(ValueError, match=r"Retrieval at .* cannot be compared"):
        compare(REPORT, RetrievalReport(()))  # type: ignore[type-var]
    with pytest.raises(ValueError, match="don't add up"):
        REPORT + AnswerReport((), judge="strict")


def test_a_cost_may_have_a_most_and_is_worse_when_it_rises() -> None:
    cheap = AnswerReport(tuple(result(f"q{n}", 1.0, tokens=100) for n in range(20)))
    dear = AnswerReport(tuple(result(f"q{n}", 1.0, tokens=200) for n in range(20)))
    assert faults_of(dear, [Threshold("tokens", 200, is_most=True)]) == []
    assert faults_of(dear, [Threshold("tokens", 199, is_most=True)]) == ["tokens is 200.0000, more than 199"]
    assert faults_of(cheap, comparison=compare(cheap, dear), not_worse=["tokens", "accuracy"]) == []
    (fault,) = faults_of(dear, comparison=compare(dear, cheap), not_worse=["tokens", "accuracy"])
    assert fault.startswith("tokens is worse than the other's: +100.000*")
