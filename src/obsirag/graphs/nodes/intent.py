"""Look what a question is after, before anything is searched for."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field, field_validator

from obsirag.config import IntentOptions
from obsirag.graphs.earlier_turns import flagged, last_answered
from obsirag.graphs.follow_up import refers_back
from obsirag.graphs.intents import intent_by_rule
from obsirag.graphs.intents.high_risk import is_request
from obsirag.graphs.language import language_of
from obsirag.graphs.model_calls import ModelCalls, Reply, Request, Work
from obsirag.graphs.passages import harmless
from obsirag.graphs.prompts import Prompts, notice
from obsirag.graphs.state import KNOWLEDGE, EarlierTurn, Intent, IntentKind, RagState
from obsirag.graphs.structured import ask_for
from obsirag.graphs.terms import content_terms
from obsirag.graphs.thread_permissions import marked, permissions_of_message
from obsirag.records import merge_permissions, permissions_from_json

__all__ = ["IntentNode", "Judgement"]

# With a rule it is right or wrong, but not unsure.
_SURE = 1.0
MOST_WORDS_OF_TALK = 1
"""Content words that small talk may have; with more, something may be asked for, and the notes cost nobody anything."""


class Judgement(BaseModel):
    """What kind of question one is."""

    kind: Literal["knowledge", "high_risk", "about_answer", "chitchat", "off_topic", "unsafe"] = Field(
        description="The kind of question."
    )
    confidence: Annotated[float, Field(ge=0, le=1)] = Field(description="0: a guess; 1: no doubt.")

    @field_validator("kind", mode="before")
    @classmethod
    def _plain(cls, kind: Any) -> Any:
        """Take other ways to write the kinds: Off-topic, chit-chat."""
        if not isinstance(kind, str):
            return kind
        plain = "_".join(kind.casefold().replace("-", " ").replace("_", " ").split())
        return "chitchat" if plain == "chit_chat" else plain


@dataclass(frozen=True, slots=True)
class IntentNode:
    """Tell by rule what a question is after; where no rule is sure, by the chat model, if it may be asked.

    Whatever is in doubt goes to the notes. What isn't for them is marked so in its message, and later questions don't
    refer to it.

    Args:
        options: What the notes are about, and how sure the model has to be.
        prompts: The prompts.
        calls: Asks the chat model; None to go by rules alone.
        has_model: Whether there is a chat model to answer what is asked about the last answer.
    """

    options: IntentOptions
    prompts: Prompts
    calls: ModelCalls | None
    has_model: bool

    def work(self, state: RagState) -> Work:
        """Return the update with what the question is after."""
        last = last_answered(state["messages"])
        found = intent_by_rule(
            state["question"],
            before=last["question"] if last else "",
            referred_to="\n".join(turn["question"] for turn in state["conversation"]),
            domain=self.options.domain,
        )
        if found is not None:
            intent = Intent(kind=found.kind, confidence=_SURE, by="rule", is_request=found.is_request)
        elif self.calls is not None:
            judged = yield from self._judged(state, self.calls)
            if judged is None:
                return {"intent": dict(KNOWLEDGE), "degraded": ["intent"]}
            intent = self._believed(judged, state["question"])
        else:
            intent = KNOWLEDGE
        if intent["kind"] == "about_answer" and (last is None or not self.has_model):
            intent = KNOWLEDGE
        return {"intent": dict(intent), **_marking(state, intent, last)}

    def _judged(self, state: RagState, calls: ModelCalls) -> Generator[Request, Reply, Judgement | None]:
        language = language_of(state["question"])
        domain = self.options.domain.strip() or notice("any_domain", language)
        messages = [
            SystemMessage(self.prompts.fill("intent_system", language, domain=domain)),
            # With the questions that it refers to: "And on mobile?" alone could be about anything.
            HumanMessage(self.prompts.fill("intent", language, question=harmless(state["standalone"]))),
        ]
        return (
            yield from ask_for(
                Judgement,
                messages,
                calls,
                complaint=self.prompts.wrong_form(language),
            )
        )

    def _believed(self, judged: Judgement, question: str) -> Intent:
        """Return what is believed of a model's judgement: nothing in doubt, and of no domain that it cannot know.

        Nor is it believed that a question which says something is small talk, or about the answer before it without
        pointing to it: what is said without the notes may be made up.
        """
        kind: IntentKind = judged.kind
        says_little = len(content_terms(question)) <= MOST_WORDS_OF_TALK
        is_unknowable = kind == "off_topic" and not self.options.domain.strip()
        is_no_talk = (kind == "chitchat" and not says_little) or (
            kind == "about_answer" and not says_little and not refers_back(question)
        )
        if judged.confidence < self.options.min_confidence or is_unknowable or is_no_talk:
            kind = "knowledge"
        asks_to_act = kind == "high_risk" and is_request(question)
        return Intent(kind=kind, confidence=judged.confidence, by="model", is_request=asks_to_act)


def _marking(state: RagState, intent: Intent, last: EarlierTurn | None) -> Mapping[str, Any]:
    """Return the update that keeps a question out of later ones, with the answer that it is about."""
    if intent["kind"] in ("knowledge", "high_risk"):
        return {}
    asked = next(each for each in reversed(state["messages"]) if each.type == "human")
    if intent["kind"] != "about_answer" or last is None:
        return {"messages": [flagged(asked, intent)]}
    # It may repeat what it is about, and the run may die before there is an answer to carry that.
    permissions = merge_permissions(permissions_of_message(asked), permissions_from_json(last["permissions"]))
    return {
        "messages": [flagged(marked(asked, permissions), intent)],
        "earlier": [last],
        "conversation": [],
        "older": [],
    }
