"""Asks a question graph every question of a set and measures what it answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from obsirag.evaluation.answer_leaks import answer_leaks
from obsirag.evaluation.answer_report import AnswerReport
from obsirag.evaluation.answer_results import AnswerResult
from obsirag.evaluation.asking import QuestionGraph, Response, ask
from obsirag.evaluation.citation_checks import citation_precision, citation_recall, is_valid
from obsirag.evaluation.cited_statements import support
from obsirag.evaluation.endings import ends_right, is_small_talk, must_be_stopped
from obsirag.evaluation.key_points import Judge, judge_by_rule
from obsirag.evaluation.note_files import NoteFiles
from obsirag.evaluation.questions import Question
from obsirag.vault import Vault

__all__ = ["evaluate_answers", "score_response"]


def evaluate_answers(
    graph: QuestionGraph,
    questions: Iterable[Question],
    *,
    vault: Vault,
    judge: Judge | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    on_result: Callable[[Question, AnswerResult], None] | None = None,
) -> AnswerReport:
    """Ask every question and report what the answers are worth.

    Each question is asked in a thread of its own, under its labels, with its history as the thread's messages before.

    **What is reported**, each as the mean over the questions that have it:

    - ``accuracy``: the share of a question's key points that its answer states, by rule (see ``states``) or by a judge;
      of questions with gold, but for those that were rightly stopped. ``complete``: the share of the questions all of
      whose points are stated. ``followup_accuracy``: the accuracy of those with a history.
    - ``right_ending``: the share that ended as it should. ``answered``: the share of the questions with gold that were
      answered. ``refusal``: the share of those without gold, small talk aside, that weren't. ``interception``: the
      same of the questions that must not be answered right away. See ``obsirag.evaluation.endings``.
    - ``cited``: the share of the answered questions with citations. ``citation_validity``: the share of an answer's
      citations whose quote stands in the lines that they name, by the vault's files. ``citation_precision``: the share
      of them that hold a gold line. ``citation_recall``: the share of the needed gold spans that are cited; 0 for a
      question that wasn't answered. ``support``: the share of the cited statements that the cited passages state.
    - ``model_calls`` and ``tokens``: what a question cost.

    Median and 95th percentile are reported of the time to the whole answer and to its first text. Leaks, by the vault's
    permissions, and questions for which a part failed are counted.

    Args:
        graph: A compiled question graph; it needs a checkpointer only where questions may wait for a person.
        questions: What to ask.
        vault: The vault that the answers come from.
        judge: Says how far an answer states each key point of a question, instead of the rule.
        progress: Called with the number of questions done, the number of all, and the question's id.
        on_result: Called with each question and its result, before the next one is asked.

    Raises:
        ValueError: If the judge gives another number of scores than there are key points, or one outside 0–1.
        ObsiragError: If the graph raises one.
    """
    notes = NoteFiles(vault)
    questions, results = tuple(questions), []
    for done, question in enumerate(questions, 1):
        results.append(score_response(question, ask(graph, question), notes, judge=judge or judge_by_rule))
        if on_result is not None:
            on_result(question, results[-1])
        if progress is not None:
            progress(done, len(questions), question.id)
    name = "rule" if judge is None else str(getattr(judge, "__name__", type(judge).__name__))
    return AnswerReport(tuple(results), judge=name)


def score_response(
    question: Question, response: Response, notes: NoteFiles, *, judge: Judge = judge_by_rule
) -> AnswerResult:
    """Return what one answer is worth; see ``evaluate_answers``.

    Args:
        question: The question.
        response: What the graph gave.
        notes: The notes as the vault has them.
        judge: Says how far the answer states each key point.

    Raises:
        ValueError: If the judge gives another number of scores than there are key points, or one outside 0–1.
    """
    citations = response.citations
    valid = [is_valid(citation, notes) for citation in citations]
    is_open = response.status != "answered"
    ends_well = ends_right(question, response.status, citations)
    # A question of high risk that was rightly stopped has no answer whose content could be judged.
    is_due = not (is_open and ends_well)
    return AnswerResult(
        id=question.id,
        kind=question.kind,
        lang=question.lang,
        has_gold=bool(question.gold),
        is_followup=bool(question.history),
        status=response.status,
        answer=response.answer,
        citations=citations,
        key_points=_judged(question, response.answer, judge) if is_due else (),
        ends_right=ends_well,
        is_refused=None if question.gold or is_small_talk(question) else is_open,
        is_stopped=is_open if must_be_stopped(question) else None,
        citation_validity=sum(valid) / len(valid) if valid else None,
        citation_precision=citation_precision(question, citations),
        citation_recall=citation_recall(question, citations) if is_due else None,
        support=support(response.answer, citations, notes),
        leaked=answer_leaks(question, response, notes),
        degraded_parts=response.degraded,
        seconds=response.seconds,
        first_token_seconds=response.first_token_seconds,
        model_calls=response.model_calls,
        tokens=response.tokens,
    )


def _judged(question: Question, answer: str, judge: Judge) -> tuple[float, ...]:
    if not question.gold or not question.key_points:
        return ()
    scores = tuple(map(float, judge(question, answer)))
    if len(scores) != len(question.key_points) or not all(0 <= score <= 1 for score in scores):
        raise ValueError(
            f"the judge gave {scores} for the {len(question.key_points)} key points of {question.id!r}; "
            "give a number between 0 and 1 for each"
        )
    return scores
