"""Take a question about several things apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from obsirag.graphs.aspects import may_have_aspects, split_by_rule, usable_aspects
from obsirag.graphs.language import language_of
from obsirag.graphs.model_calls import ModelCalls, Work
from obsirag.graphs.passages import harmless
from obsirag.graphs.prompts import Prompts
from obsirag.graphs.state import Aspect, RagState
from obsirag.graphs.structured import ask_for

__all__ = ["PlanNode"]


class Part(BaseModel):
    """One part of a question."""

    question: str = Field(description="The part as a question that can be understood alone.")
    keywords: str = Field(default="", description="A few words to search for.")


class Parts(BaseModel):
    """The parts of a question."""

    parts: list[Part] = Field(max_length=50, description="One entry if the question is about one thing.")


@dataclass(frozen=True, slots=True)
class PlanNode:
    """Say which aspects a question has, by the chat model, else by its sentences; most have one.

    Args:
        prompts: The prompts.
        calls: Asks the chat model; None to go by rule alone.
        most: Most aspects.
    """

    prompts: Prompts
    calls: ModelCalls | None
    most: int

    def work(self, state: RagState) -> Work:
        """Return the update with the aspects; none for a question about one thing."""
        question = state["standalone"]
        # With the questions that it refers to, it is of several lines, and those aren't asked again.
        is_alone = not state["conversation"]
        if not question or self.most < 2 or not is_alone or not may_have_aspects(question):
            return {}
        by_rule = split_by_rule(question)[: self.most]
        if self.calls is None:
            return {"aspects": by_rule}
        language = language_of(question)
        messages = [
            SystemMessage(self.prompts.fill("plan_system", language, most=str(self.most))),
            HumanMessage(self.prompts.fill("plan", language, question=harmless(question))),
        ]
        given = yield from ask_for(
            Parts,
            messages,
            self.calls,
            complaint=self.prompts.wrong_form(language),
        )
        if given is None:
            return {"aspects": by_rule, "degraded": ["plan"]}
        return {"aspects": self._aspects(given.parts, question) or by_rule}

    def _aspects(self, parts: Sequence[Part], question: str) -> list[Aspect]:
        return usable_aspects([(part.question, part.keywords) for part in parts], question, self.most)
