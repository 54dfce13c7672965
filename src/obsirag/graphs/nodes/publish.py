"""Give the answer out, and clear the working state."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage
from langchain_core.messages.ai import UsageMetadata

from obsirag.config import IntentMessages
from obsirag.graphs.drafts import no_answer, quoted_draft, said_draft
from obsirag.graphs.earlier_turns import intent_mark
from obsirag.graphs.language import language_of
from obsirag.graphs.nodes.fuse import FuseNode
from obsirag.graphs.opening import opening_of
from obsirag.graphs.prompts import notice, part_names
from obsirag.graphs.speaking import is_read, say
from obsirag.graphs.state import Draft, RagState, Status, clear_work
from obsirag.graphs.thread_permissions import MESSAGE_KEY
from obsirag.graphs.usage import Usage

__all__ = ["PublishNode"]

_STATUS: Mapping[str, Status] = {"none": "not_found", "refusal": "refused"}


@dataclass(frozen=True, slots=True)
class PublishNode:
    """Append the answer to the messages, with what a front end needs to show it.

    Args:
        vault: The vault's name, for links.
        fuse: Fuses what was found if the graph had no step left for it.
        messages: What is said in the place of obsirag's own words.
        holds: Whether a question is not to be answered before a person has looked at it.
    """

    vault: str
    fuse: FuseNode
    messages: IntentMessages = field(default_factory=IntentMessages)
    holds: Callable[[RagState], bool] = lambda _: False

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with the output; the rest of the state is empty afterwards."""
        cut_short = bool(state["question"]) and state["draft"] is None
        degraded = sorted({*state["degraded"], *(["recursion_limit"] if cut_short else [])})
        draft = state["draft"] or (self._last_resort(state) if cut_short else no_answer(state))
        status = _STATUS.get(draft["origin"], "answered")
        answer = self._text(state, draft, degraded)
        usage = state["usage"]
        mark = {
            "status": status,
            "origin": draft["origin"],
            "citations": draft["citations"],
            "permissions": draft["permissions"],
            "chat_model_calls": usage["calls"],
            **({"standalone": state["standalone"]} if state["standalone"] not in ("", state["question"]) else {}),
            **intent_mark(state["intent"]),
        }
        name = draft["message_id"] or f"answer-{uuid4()}"
        message = AIMessage(
            answer, id=name, additional_kwargs={MESSAGE_KEY: mark}, usage_metadata=_usage_metadata(usage)
        )
        if draft["read"] and answer != draft["read"] and is_read():
            say(answer.removeprefix(draft["read"]), name)
        return {
            **clear_work(),
            "messages": [message],
            "answer": answer,
            "citations": draft["citations"],
            "status": status,
            "degraded": degraded,
        }

    def _last_resort(self, state: RagState) -> Draft:
        if self.holds(state):
            return said_draft(state, notice("no_steps_to_review", language_of(state["question"])), "refusal")
        evidence = state["evidence"] or self.fuse.fuse(state, state["rankings"]).documents
        return quoted_draft(state, "out_of_steps", vault=self.vault, evidence=evidence)

    def _text(self, state: RagState, draft: Draft, degraded: list[str]) -> str:
        language = language_of(state["question"])
        text = draft["text"] or notice(_reason(state), language)
        opening = opening_of(state, self.messages)
        if not text.startswith(opening):  # as what was read already does
            text = opening + text
        if not degraded:
            return text
        names = part_names(degraded, language)
        return f"{text}\n\n{notice('degraded', language, names=names)}"


def _usage_metadata(usage: Usage) -> UsageMetadata:
    read, written = usage["input_tokens"], usage["output_tokens"]
    return UsageMetadata(input_tokens=read, output_tokens=written, total_tokens=read + written)


def _reason(state: RagState) -> str:
    """Return the notice that says why there is no answer."""
    if not state["question"]:
        return "no_question"
    return "no_steps" if state["draft"] is None and not state["rankings"] else "not_found"
