"""Judge what was found, and say what follows."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from langchain_core.documents import Document
from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field, model_validator

from obsirag.config import GradingOptions
from obsirag.graphs.grading import NOISE, judge, next_strategy, relevance_by_words
from obsirag.graphs.language import language_of
from obsirag.graphs.model_calls import ModelCalls, Reply, Request, Work
from obsirag.graphs.passages import format_passages, harmless
from obsirag.graphs.prompts import Prompts
from obsirag.graphs.rounds import after_last_round
from obsirag.graphs.state import RagState, Verdict
from obsirag.graphs.structured import ask_for
from obsirag.retrievers.bounded_text import bounded_text
from obsirag.retrievers.grouping import source_of

__all__ = ["GradeNode", "Grades"]

_MOST = 50


class Grade(BaseModel):
    """How much one passage helps."""

    id: int = Field(description="The passage's number.")
    score: Annotated[float, Field(ge=0, le=1)] = Field(description="0: useless for the question; 1: it answers it.")


class Grades(BaseModel):
    """How much each passage helps to answer the question."""

    grades: list[Grade] = Field(max_length=_MOST, description="One entry for each passage.")

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """Take the list alone, and scores by number, as well."""
        if isinstance(value, list):
            return {"grades": value}
        if isinstance(value, Mapping) and "grades" not in value:
            return {"grades": [{"id": name, "score": score} for name, score in value.items()]}
        return value


@dataclass(frozen=True, slots=True)
class GradeNode:
    """Judge the notes that were found, by the chat model or by the question's words.

    Args:
        options: The thresholds.
        prompts: The prompts.
        calls: Asks the chat model; None to judge by words alone.
        has_web: Whether the web may be searched where the notes are not enough.
        steps_to_search: How many steps a further round takes, with all that comes after it.
    """

    options: GradingOptions
    prompts: Prompts
    calls: ModelCalls | None
    has_web: bool
    steps_to_search: int

    def work(self, state: RagState) -> Work:
        """Return the update with the verdict and with the passages that remain."""
        groups = _by_document(state["evidence"])
        scores = (yield from self._scores(state, groups)) if self.calls is not None else None
        hits = [hit for ranking in state["rankings"].values() for hit in ranking]
        if scores:
            relevance = max(scores.values())
            worthless = {name for name, score in scores.items() if score < NOISE <= relevance}
        else:
            relevance, worthless = relevance_by_words(state["standalone"], state["evidence"], hits), set()
        evidence = [each for each in state["evidence"] if source_of(each) not in worthless]
        verdict = judge(state["standalone"], relevance, evidence, hits, self.options)
        update = self._following(state, evidence, verdict)
        if groups and self.calls is not None and scores is None:
            update["degraded"] = ["grading"]
        return update

    def _scores(
        self, state: RagState, groups: Mapping[str, Sequence[Document]]
    ) -> Generator[Request, Reply, dict[str, float] | None]:
        """Return each judged document's score; None if the model gave none."""
        names = [*groups]
        scores: dict[str, float] = {}
        first = self.options.first
        for batch in (names[:first], names[first : first + _MOST]):
            # The others are worth a call only if the first ones fit at all.
            if not batch or (scores and sum(scores.values()) / len(scores) <= self.options.relevant):
                break
            judged = yield from self._judged(state, [groups[name] for name in batch])
            if judged is None:
                break
            scores |= {batch[number - 1]: score for number, score in judged.items()}
        return scores or None

    def _judged(
        self, state: RagState, groups: Sequence[Sequence[Document]]
    ) -> Generator[Request, Reply, dict[int, float] | None]:
        assert self.calls is not None  # noqa: S101 - asked before
        language = language_of(state["standalone"])
        passages = format_passages([_condensed(group, self.options.max_characters) for group in groups])
        messages = [
            SystemMessage(self.prompts.fill("grade_system", language)),
            HumanMessage(self.prompts.fill("grade", language, passages=passages, question=harmless(_asked(state)))),
        ]
        given = yield from ask_for(
            Grades,
            messages,
            self.calls,
            complaint=lambda error: self.prompts.fill("wrong_form", language, error=harmless(error)),
        )
        if given is None:
            return None
        return {grade.id: grade.score for grade in given.grades if 1 <= grade.id <= len(groups)} or None

    def _following(self, state: RagState, evidence: list[Document], verdict: Verdict) -> dict[str, Any]:
        """Return the update with the verdict, the passages, and what is done with them."""
        verdicts = [*state["verdicts"], verdict]
        may_go_on = state["remaining_steps"] >= self.steps_to_search and not state["asked_web"]
        strategy = next_strategy(verdicts, self.options) if may_go_on and self.calls is not None else None
        if strategy is not None:
            verdicts[-1] = {**verdict, "strategy": strategy}
            return {"verdicts": verdicts, "evidence": evidence, "following": "rewrite"}
        has_web = self.has_web and may_go_on
        return {"verdicts": verdicts, **after_last_round(state, evidence, verdict, has_web=has_web)}


def _asked(state: RagState) -> str:
    """Return the question with its aspects: a passage that answers one of them is good."""
    return "\n".join([state["standalone"], *(f"- {aspect['text']}" for aspect in state["aspects"])])


def _by_document(evidence: Sequence[Document]) -> dict[str, list[Document]]:
    groups: dict[str, list[Document]] = {}
    for each in evidence:
        groups.setdefault(source_of(each), []).append(each)
    return groups


def _condensed(group: Sequence[Document], max_characters: int) -> Document:
    """Return the beginning of a note's passages as one."""
    text = "\n\n".join(each.page_content for each in group)
    return Document(page_content=bounded_text(text, max_characters), metadata=group[0].metadata)
