from obsirag.evaluation import AnswerReport, AnswerResult, QuestionResult, RetrievalReport, Threshold, find_faults
from obsirag.evaluation.comparison import compare
from obsirag.evaluation.faults import _SAID


def test_every_kind_of_fault_is_a_sentence() -> None:
    report = AnswerReport(
        tuple(
            AnswerResult(id=f"q{n}", leaked=n == 1, degraded_parts=("chat_model",), tokens=9, key_points=(0.0,))
            for n in range(20)
        )
    )
    other = AnswerReport(tuple(AnswerResult(id=f"q{n}", tokens=1, key_points=(1.0,)) for n in range(20)))
    wishes = [Threshold("accuracy", 0.5), Threshold("tokens", 5, is_most=True), Threshold("refusal", 1)]
    compared = compare(report, other, samples=100)
    faults = find_faults(report, wishes, comparison=compared, not_worse=["tokens", "refusal"])
    assert {fault.kind for fault in faults} == set(_SAID)
    assert [str(fault) for fault in faults] == [
        "text that the caller may not read came back for 1 of the questions: q1",
        "a part failed for 20 of the questions; the figures hold for what was left of it",
        "accuracy is 0.0000, less than 0.5",
        "tokens is 9.0000, more than 5",
        "refusal has no value, since no question has one",
        "tokens is worse than the other's: +8.000* [+8.000, +8.000]",
        "refusal cannot be compared, since no question has it in both reports",
    ]


def test_what_went_wrong_with_a_question_is_named_the_worst_first() -> None:
    retrieval = RetrievalReport((), k=(1, 5))
    assert retrieval.failings(QuestionResult(id="q", ranks=(5,))) == ()
    assert retrieval.failings(QuestionResult(id="q", ranks=(6,))) == ("not_found",)
    assert retrieval.failings(QuestionResult(id="q", ranks=(1, None))) == ("not_found",)
    assert retrieval.failings(QuestionResult(id="q", has_gold=False)) == ()
    all_of_it = QuestionResult(id="q", ranks=(None,), leaked=True, degraded=True)
    assert retrieval.failings(all_of_it) == ("leaked", "degraded", "not_found")
    answers = AnswerReport(())
    assert answers.failings(AnswerResult(id="q", key_points=(1, 1), citation_validity=1.0)) == ()
    worst = AnswerResult(
        id="q", key_points=(1, 0.5), citation_validity=0.5, ends_right=False, leaked=True, degraded_parts=("reranker",)
    )
    assert answers.failings(worst) == ("leaked", "degraded", "wrong_ending", "missing_points", "invalid_citations")
