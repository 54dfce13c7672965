"""The version ``by-chat-model`` of ``compose``: the chat model puts the answers of a question's aspects into one text.

What it writes is used only if the rule of ``obsirag.graphs.joining`` finds nothing in it but the answers, and all of
them; else they stand one below the other, as without this version.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.messages import HumanMessage, SystemMessage

from obsirag.config import ConfigModel
from obsirag.errors import ConfigError, reason_of
from obsirag.graphs.chat import LONGEST_ANSWER
from obsirag.graphs.citation_marks import keep_marks
from obsirag.graphs.drafts import no_answer
from obsirag.graphs.joining import Answered, joins
from obsirag.graphs.language import Language, language_of
from obsirag.graphs.model_calls import ModelCalls, Request, Work, part_of
from obsirag.graphs.nodes.compose import Composition, composition_of
from obsirag.graphs.passages import harmless
from obsirag.graphs.prompts import Prompts, notice
from obsirag.graphs.state import RagState
from obsirag.graphs.versions import BY_CHAT_MODEL
from obsirag.plugins import hookimpl

if TYPE_CHECKING:
    from obsirag.graphs.parts import RagParts

__all__ = ["ComposeByChatModel", "nodes"]

_log = logging.getLogger(__name__)
_PLACE = f"nodes.compose ({BY_CHAT_MODEL})"
# What obsirag itself says below an answer: it is about that answer alone.
_BELOW = ("answer_cut", "answer_broken", "marks_removed")
_LANGUAGES: tuple[Language, ...] = ("en", "zh")


class ByChatModelOptions(ConfigModel):
    """What can be set for ``by-chat-model``: nothing."""


@dataclass(frozen=True, slots=True)
class ComposeByChatModel:
    """Let the chat model join the answers of the aspects, within the question's budget.

    Args:
        prompts: The prompts.
        calls: Asks the chat model.
    """

    prompts: Prompts
    calls: ModelCalls

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with one draft."""
        return self.calls.run(self.work(state), state["usage"])

    async def call_async(self, state: RagState) -> dict[str, Any]:
        """Do the same without blocking."""
        return await self.calls.arun(self.work(state), state["usage"])

    def work(self, state: RagState) -> Work:
        """Return the update with one draft: what the model wrote, or the answers one below the other."""
        composition = composition_of(state)
        if composition is None:
            return {"draft": no_answer(state)}
        answers = _joinable(composition)
        if not answers:
            return {"draft": composition.to_draft()}
        reply = yield Request(self._messages(state, answers))
        if reply.failed or not reply.text:
            _log.warning("the chat model joined no answers (%s)", reason_of(reply.error) if reply.error else "empty")
            return {"draft": composition.to_draft(), "degraded": [part_of(reply.error, "chat_model")]}
        known = {citation["number"] for citation in composition.citations}
        text, unknown = keep_marks(reply.text, known)
        if unknown or len(text) > LONGEST_ANSWER or not joins(text, answers):
            _log.info("what the chat model made of the answers isn't all of them, or more: they stand as they are")
            return {"draft": composition.to_draft()}
        # What has no answer is said in the rule's words.
        unanswered = [each.under_its_question for each in composition.told if each.origin == "none"]
        return {"draft": composition.to_draft("\n\n".join([text, *unanswered]))}

    def _messages(self, state: RagState, answers: list[Answered]) -> list[SystemMessage | HumanMessage]:
        language = language_of(state["question"])
        told = "\n\n".join(harmless(f"{each.question}\n{each.text}") for each in answers)
        return [
            SystemMessage(self.prompts.fill("compose_system", language)),
            HumanMessage(
                self.prompts.fill("compose", language, answers=told, question=harmless(state["standalone"])),
            ),
        ]


def _joinable(composition: Composition) -> list[Answered]:
    """Return the answers if they are several, all the chat model's, and nothing is said below one of them."""
    told = [each for each in composition.told if each.origin != "none"]
    if len(told) < 2 or not all(each.origin == "model" and not _is_annotated(each.text) for each in told):
        return []
    return [Answered(each.aspect, each.text) for each in told]


def _is_annotated(text: str) -> bool:
    beginnings = [notice(name, each, numbers="\0").partition("\0")[0] for name in _BELOW for each in _LANGUAGES]
    return any(f"\n\n{beginning}" in text for beginning in beginnings)


def _make_compose(options: dict[str, Any], parts: RagParts) -> ComposeByChatModel:
    ByChatModelOptions.parse(options, place=_PLACE)
    if parts.chat_model is None:
        raise ConfigError(
            f"{_PLACE}: there is no chat model to join answers: set `chat_model`, or leave the node as is"
        )
    return ComposeByChatModel(parts.prompts, ModelCalls(parts.chat_model, parts.budget))


@hookimpl
def nodes() -> dict[str, Callable[[dict[str, Any], RagParts], ComposeByChatModel]]:
    """Have a version of ``compose``."""
    return {"compose": _make_compose}
