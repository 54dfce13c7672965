import json

import pytest

from obsirag.evaluation import QuestionResult, RetrievalReport


def result(name: str, kind: str, rank: int | None, **changes: object) -> QuestionResult:
    fields: dict[str, object] = {
        "has_gold": True,
        "returned": 10,
        "chunk_rank": rank,
        "note_rank": rank,
        "characters": None if rank is None else rank * 1000,
        "leaked": False,
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
    assert score.recall == {1: pytest.approx(1 / 3), 5: pytest.approx(2 / 3), 10: pytest.approx(2 / 3)}
    assert score.note_recall == {k: pytest.approx(2 / 3) for k in (1, 5, 10)}
    assert score.mrr == pytest.approx((1 + 1 / 4 + 0) / 3)
    assert score.text_recall == pytest.approx(2 / 3)

    everything = REPORT.overall
    assert (everything.questions, everything.without_gold, everything.leaked) == (4, 2, 1)
    assert everything.recall == {1: 0.25, 5: 0.5, 10: 0.5}
    assert everything.note_recall == {1: 0.5, 5: 0.5, 10: 0.75}
    assert everything.mrr == pytest.approx((1 + 1 / 4) / 4)  # rank 20 lies past 10
    assert everything.text_recall == 0.5


def test_questions_without_gold_have_no_shares() -> None:
    score = REPORT.by_kind["restricted"]
    assert (score.questions, score.without_gold, score.leaked) == (0, 2, 1)
    assert score.mrr is None
    assert score.text_recall is None
    assert set(score.recall.values()) == {None}


def test_the_text_budget_is_inclusive_and_always_holds_the_first_chunk() -> None:
    def text_recall(rank: int, characters: int) -> float | None:
        only = (result("q", "", rank, characters=characters),)
        return RetrievalReport(only, characters=4000).overall.text_recall

    assert text_recall(3, 4000) == 1.0
    assert text_recall(3, 4001) == 0.0
    assert text_recall(1, 9000) == 1.0


def test_reports_add_up_where_they_measure_the_same() -> None:
    first, second = RetrievalReport(REPORT.results[:2]), RetrievalReport(REPORT.results[2:])
    assert first + second == REPORT
    with pytest.raises(ValueError, match="don't add up"):
        first + RetrievalReport((), k=(1,))


def test_markdown_is_a_table_with_a_row_a_kind() -> None:
    assert REPORT.to_markdown() == (
        "| kind | questions | R@1 | R@5 | R@10 | MRR@10 | notes R@1 | notes R@5 | notes R@10"
        " | R in 4,000 chars | without gold | leaked |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        "| paraphrase | 3 | 0.33 | 0.67 | 0.67 | 0.42 | 0.67 | 0.67 | 0.67 | 0.67 | 0 | 0 |\n"
        "| code | 1 | 0.00 | 0.00 | 0.00 | 0.00 | 0.00 | 0.00 | 1.00 | 0.00 | 0 | 0 |\n"
        "| restricted | 0 | – | – | – | – | – | – | – | – | 2 | 1 |\n"
        "| **all** | 4 | 0.25 | 0.50 | 0.50 | 0.31 | 0.50 | 0.50 | 0.75 | 0.50 | 2 | 1 |\n"
    )


def test_json_holds_the_figures_and_every_result() -> None:
    content = json.loads(REPORT.to_json())
    assert content["overall"]["recall"] == {"1": 0.25, "5": 0.5, "10": 0.5}
    assert content["by_kind"]["restricted"]["mrr"] is None
    assert [each["id"] for each in content["results"]] == ["a1", "a2", "a3", "b1", "n1", "n2"]
    assert content["results"][1]["note_rank"] == 1


def test_a_report_of_nothing_is_still_a_report() -> None:
    empty = RetrievalReport(())
    assert empty.overall.questions == 0
    assert empty.by_kind == {}
    assert "| **all** | 0 | – |" in empty.to_markdown()
