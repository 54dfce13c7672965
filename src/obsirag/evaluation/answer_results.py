"""What a question graph answered to one question, and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass

from obsirag.records import Citation

__all__ = ["AnswerResult"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerResult:
    """One question's answer with its scores; a score is None where there is nothing that it could be of.

    Args:
        id: The question's id.
        kind: Its kind.
        lang: Its language.
        has_gold: Whether it is to be answered from the notes.
        is_followup: Whether it has a history.
        status: How the run ended.
        answer: The answer's text.
        citations: Its citations.
        key_points: How far each key point is stated, 0 to 1; none for a question without gold, or rightly stopped.
        ends_right: Whether it ended as it should; see ``obsirag.evaluation.endings``.
        is_refused: Whether it wasn't answered; None for a question with gold, and for small talk.
        is_stopped: Whether it wasn't answered; None for a question of a kind that may be.
        citation_validity: The share of the citations whose quote stands where they say.
        citation_precision: The share of the citations that hold gold.
        citation_recall: How much of the gold that is needed is cited.
        support: The share of the cited statements that their passages state.
        leaked: Whether something came back that the caller may not read.
        degraded_parts: Names of the parts that failed.
        seconds: How long it took.
        first_token_seconds: How long it took until the first text of the answer.
        model_calls: How often the chat model was asked.
        tokens: How many tokens it read and wrote.
    """

    id: str
    kind: str = ""
    lang: str = ""
    has_gold: bool = True
    is_followup: bool = False
    status: str = "answered"
    answer: str = ""
    citations: tuple[Citation, ...] = ()
    key_points: tuple[float, ...] = ()
    ends_right: bool = True
    is_refused: bool | None = None
    is_stopped: bool | None = None
    citation_validity: float | None = None
    citation_precision: float | None = None
    citation_recall: float | None = None
    support: float | None = None
    leaked: bool = False
    degraded_parts: tuple[str, ...] = ()
    seconds: float | None = None
    first_token_seconds: float | None = None
    model_calls: int | None = None
    tokens: int | None = None

    @property
    def is_answered(self) -> bool:
        """Whether it was answered."""
        return self.status == "answered"

    @property
    def degraded(self) -> bool:
        """Whether a part failed, so that the answer may be worse."""
        return bool(self.degraded_parts)

    @property
    def accuracy(self) -> float | None:
        """The share of the key points that the answer states; None if there are none."""
        return sum(self.key_points) / len(self.key_points) if self.key_points else None
