import json
from dataclasses import replace
from math import log2

import pytest

from obsirag.evaluation import QuestionResult, RetrievalReport


def result(name: str, kind: str, rank: int | None, **changes: object) -> QuestionResult:
    fields: dict[str, object] = {
        "lang": "en",
        "returned": 10,
        "ranks": (rank,),
        "note_rank": rank,
        "characters": None if rank is None else rank * 1000,
        "line_precision": 0.5 if rank == 1 else 0.0,
        "line_recall": float(rank is not None),
        "distinct_notes": 3,
    }
    return QuestionResult(id=name, kind=kind, **(fields | changes))  # type: ignore[arg-type]


REPORT = RetrievalReport(
    (
        result("a1", "paraphrase", 1),
        result("a2", "paraphrase", 4, note_rank=1),
        result("a3", "paraphrase", None),
        result("b1", "code", 20, note_rank=8),
        result("n1", "restricted", None, has_gold=False, leaked=True),
        result("n2", "restricted", None, has_gold=False),
    )
)


def test_figures_are_those_computed_by_hand() -> None:
    score = REPORT.by_kind["paraphrase"]
    assert score.questions == 3
    figures = score.figures
    assert [figures[f"recall@{k}"] for k in (1, 5, 10)] == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    assert [figures[f"note_recall@{k}"] for k in (1, 5, 10)] == pytest.approx([2 / 3] * 3)
    assert figures["mrr"] == pytest.approx((1 + 1 / 4 + 0) / 3)
    assert figures["ndcg@5"] == pytest.approx((1 + 1 / log2(5) + 0) / 3)
    assert figures["text_recall"] == pytest.approx(2 / 3)
    assert figures["line_precision"] == pytest.approx(0.5 / 3)
    assert figures["line_recall"] == pytest.approx(2 / 3)
    assert figures["distinct_notes"] == 3

    everything = REPORT.overall
    assert (everything.questions, everything.without_gold, everything.leaked) == (4, 2, 1)
    figures = everything.figures
    assert [figures[f"recall@{k}"] for k in (1, 5, 10)] == [0.25, 0.5, 0.5]
    assert [figures[f"note_recall@{k}"] for k in (1, 5, 10)] == [0.5, 0.5, 0.75]
    assert figures["mrr"] == (1 + 1 / 4) / 4  # rank 20 lies past 10
    assert figures["text_recall"] == 0.5


def test_half_of_what_is_needed_is_a_hit_and_no_recall() -> None:
    half = RetrievalReport((result("q", "", None, ranks=(2, None)), result("r", "", None, ranks=(1, 7))))
    assert half.overall.figures["recall@5"] == 0.0
    assert half.overall.figures["recall@10"] == 0.5
    assert half.overall.figures["hit@1"] == 0.5
    assert half.overall.figures["hit@5"] == 1.0


def test_questions_without_gold_have_no_shares() -> None:
    score = REPORT.by_kind["restricted"]
    assert (score.questions, score.without_gold, score.leaked) == (0, 2, 1)
    assert set(score.figures.values()) == {None}


def test_languages_are_groups_too() -> None:
    mixed = RetrievalReport((result("a", "", 1, lang="zh"), result("b", "", None, lang="en")))
    assert {lang: score.figures["recall@1"] for lang, score in mixed.by_lang.items()} == {"zh": 1.0, "en": 0.0}


def test_times_are_of_all_questions_that_have_one() -> None:
    seconds = [0.4, 0.1, 0.2, 0.3]
    timed = [result(f"{each}", "", 1, seconds=each, has_gold=each > 0.2) for each in seconds]
    score = RetrievalReport((*timed, result("untimed", "", 1))).overall
    assert score.times["median_seconds"] == pytest.approx(0.25)
    assert score.times["p95_seconds"] == pytest.approx(0.3 + 0.85 * 0.1)
    assert REPORT.overall.times["median_seconds"] is None


def test_searches_that_failed_in_part_are_counted() -> None:
    assert RetrievalReport((result("a", "", 1, degraded=True), result("b", "", 1))).overall.degraded == 1


def test_the_text_budget_is_inclusive_and_always_holds_the_first_chunk() -> None:
    def text_recall(rank: int, characters: int) -> float | None:
        only = (result("q", "", rank, characters=characters),)
        return RetrievalReport(only, characters=4000).overall.figures["text_recall"]

    assert text_recall(3, 4000) == 1.0
    assert text_recall(3, 4001) == 0.0
    assert text_recall(1, 9000) == 1.0


def test_reports_add_up_where_they_measure_the_same() -> None:
    first, second = RetrievalReport(REPORT.results[:2]), RetrievalReport(REPORT.results[2:])
    assert first + second == REPORT
    with pytest.raises(ValueError, match="don't add up"):
        first + RetrievalReport((), k=(1,))


def test_markdown_is_a_table_with_a_row_a_group() -> None:
    small = RetrievalReport(tuple(replace(each, seconds=0.25) for each in REPORT.results[2:]), k=(5,))
    zeros = " | ".join(["0.000"] * 7)
    assert small.to_markdown() == (
        "| kind | questions | R@5 | hit@5 | MRR@10 | nDCG@5 | notes R@5 | R in 4,000 chars | line P@5 | line R@5"
        " | notes in 5 | median s | p95 s | without gold | leaked |\n"
        f"| --- | {' | '.join(['---:'] * 14)} |\n"
        f"| paraphrase | 1 | {zeros} | 0.000 | 3.000 | 0.250 | 0.250 | 0 | 0 |\n"
        f"| code | 1 | {zeros} | 1.000 | 3.000 | 0.250 | 0.250 | 0 | 0 |\n"
        f"| restricted | 0 | {' | '.join('–' * 9)} | 0.250 | 0.250 | 2 | 1 |\n"
        f"| en | 2 | {zeros} | 0.500 | 3.000 | 0.250 | 0.250 | 2 | 1 |\n"
        f"| **all** | 2 | {zeros} | 0.500 | 3.000 | 0.250 | 0.250 | 2 | 1 |\n"
    )


def test_what_would_break_a_table_is_made_harmless() -> None:
    odd = RetrievalReport((result("q", "a|b\nc", 1),))
    assert "| a\\|b c | 1 |" in odd.to_markdown()


def test_json_holds_the_figures_and_every_result() -> None:
    content = json.loads(REPORT.to_json())
    assert content["overall"]["figures"]["recall@5"] == 0.5
    assert content["by_kind"]["restricted"]["figures"]["mrr"] is None
    assert content["by_lang"]["en"]["questions"] == 4
    assert [each["id"] for each in content["results"]] == ["a1", "a2", "a3", "b1", "n1", "n2"]
    assert (content["results"][1]["chunk_rank"], content["results"][1]["note_rank"]) == (4, 1)


def test_a_report_of_nothing_is_still_a_report() -> None:
    empty = RetrievalReport(())
    assert empty.overall.questions == 0
    assert empty.by_kind == {}
    assert "| **all** | 0 | – |" in empty.to_markdown()
