"""Judge what was found, and say what follows."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from langchain_core.documents import Document
from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field, model_validator

from obsirag.graphs.judging import Judging, by_document, condensed
from obsirag.graphs.language import language_of
from obsirag.graphs.model_calls import ModelCalls, Reply, Request, Work
from obsirag.graphs.passages import format_passages, harmless
from obsirag.graphs.prompts import Prompts
from obsirag.graphs.state import RagState
from obsirag.graphs.structured import ask_for

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
        judging: Says what follows.
        prompts: The prompts.
        calls: Asks the chat model; None to judge by words alone.
    """

    judging: Judging
    prompts: Prompts
    calls: ModelCalls | None

    def work(self, state: RagState) -> Work:
        """Return the update with the verdict and with the passages that remain."""
        groups = by_document(state["evidence"])
        scores = (yield from self._scores(state, groups)) if self.calls is not None else None
        update = self.judging.update(state, scores)
        if groups and self.calls is not None and scores is None:
            update["degraded"] = ["grading"]
        return update

    def _scores(
        self, state: RagState, groups: Mapping[str, Sequence[Document]]
    ) -> Generator[Request, Reply, dict[str, float] | None]:
        """Return each judged document's score; None if the model gave none."""
        names = [*groups]
        scores: dict[str, float] = {}
        first = self.judging.options.first
        for batch in (names[:first], names[first : first + _MOST]):
            # The others are worth a call only if the first ones fit at all.
            if not batch or (scores and sum(scores.values()) / len(scores) <= self.judging.options.relevant):
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
        passages = format_passages([condensed(group, self.judging.options.max_characters) for group in groups])
        messages = [
            SystemMessage(self.prompts.fill("grade_system", language)),
            HumanMessage(self.prompts.fill("grade", language, passages=passages, question=harmless(_asked(state)))),
        ]
        given = yield from ask_for(
            Grades,
            messages,
            self.calls,
            complaint=self.prompts.wrong_form(language),
        )
        if given is None:
            return None
        return {grade.id: grade.score for grade in given.grades if 1 <= grade.id <= len(groups)} or None


def _asked(state: RagState) -> str:
    """Return the question with its aspects: a passage that answers one of them is good."""
    return "\n".join([state["standalone"], *(f"- {aspect['text']}" for aspect in state["aspects"])])
