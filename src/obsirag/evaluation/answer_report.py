"""What an evaluation of answers found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from obsirag.evaluation.answer_results import AnswerResult
from obsirag.evaluation.report import Report
from obsirag.evaluation.scores import Measure

__all__ = ["AnswerReport"]

_MEASURES: tuple[Measure[AnswerResult], ...] = (
    Measure("accuracy", "accuracy", lambda result: result.accuracy),
    Measure("complete", "complete", lambda result: _share(_is_complete(result))),
    Measure("followup_accuracy", "follow-ups", lambda result: result.accuracy if result.is_followup else None),
    Measure("right_ending", "right end", lambda result: float(result.ends_right)),
    Measure("answered", "answered", lambda result: float(result.is_answered) if result.has_gold else None),
    Measure("refusal", "refused", lambda result: _share(result.is_refused)),
    Measure("interception", "stopped", lambda result: _share(result.is_stopped)),
    Measure("cited", "cited", lambda result: float(bool(result.citations)) if result.is_answered else None),
    Measure("citation_validity", "valid", lambda result: result.citation_validity),
    Measure("citation_precision", "cit. P", lambda result: result.citation_precision),
    Measure("citation_recall", "cit. R", lambda result: result.citation_recall),
    Measure("support", "support", lambda result: result.support),
    Measure("model_calls", "calls", lambda result: result.model_calls, is_cost=True, is_share=False),
    Measure("tokens", "tokens", lambda result: result.tokens, is_cost=True, is_share=False),
)


@dataclass(frozen=True)
class AnswerReport(Report[AnswerResult]):
    """What a question graph answered; see ``evaluate_answers`` for what is counted.

    Args:
        results: One for each question, in the order asked.
        judge: What judged the key points: ``rule``, or the judge's name.
    """

    title = "Answers"
    success = "Answered with all key points"

    judge: str = "rule"

    @property
    def measures(self) -> tuple[Measure[AnswerResult], ...]:
        """What is reported of each group."""
        return _MEASURES

    @property
    def main_measures(self) -> tuple[Measure[AnswerResult], ...]:
        """Those that a narrow table shows."""
        return tuple(measure for measure in _MEASURES if not measure.is_cost and measure.name != "followup_accuracy")

    @property
    def timings(self) -> Mapping[str, Callable[[AnswerResult], float | None]]:
        """What was timed: the whole answer, and its first text."""
        return {
            "seconds": lambda result: result.seconds,
            "first_token_seconds": lambda result: result.first_token_seconds,
        }

    def succeeded(self, result: AnswerResult) -> bool:
        """Say whether an answer states all key points."""
        return bool(_is_complete(result))

    def _shortcomings(self, result: AnswerResult) -> Iterator[str]:
        if not result.ends_right:
            yield "wrong_ending"
        if _is_complete(result) is False:
            yield "missing_points"
        if result.citation_validity is not None and result.citation_validity < 1:
            yield "invalid_citations"

    def _result_as_dict(self, result: AnswerResult) -> dict[str, Any]:
        return asdict(result) | {"accuracy": result.accuracy}


def _is_complete(result: AnswerResult) -> bool | None:
    return min(result.key_points) >= 1 if result.key_points else None


def _share(known: bool | None) -> float | None:
    return None if known is None else float(known)
