"""Write an answer from the passages: by the chat model, or quoted."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage

from obsirag.errors import reason_of
from obsirag.graphs.chat import LONGEST_ANSWER, answer_messages, says_not_found, text_of
from obsirag.graphs.drafts import model_draft, no_answer, quoted_draft
from obsirag.graphs.language import language_of
from obsirag.graphs.model_calls import BudgetSpentError, Request, Work
from obsirag.graphs.passages import within_budget
from obsirag.graphs.prompts import Prompts, notice
from obsirag.graphs.state import Draft, RagState

__all__ = ["AnswerNode"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class AnswerNode:
    """Write a draft; after a complaint, write it again.

    Args:
        vault: The vault's name, for links.
        prompts: The prompts.
        max_passage_tokens: What the passages may take of a prompt, in estimated tokens.
        has_model: Whether there is a chat model; else passages are quoted.
    """

    vault: str
    prompts: Prompts
    max_passage_tokens: int
    has_model: bool

    def work(self, state: RagState) -> Work:
        """Return the update with a draft."""
        if not self.has_model or not state["evidence"]:
            return {"draft": quoted_draft(state, "no_chat_model", vault=self.vault)}
        reply = yield Request(self._messages(state))
        return self._written(state, text_of(reply.answer), reply.error)

    def _messages(self, state: RagState) -> Sequence[BaseMessage]:
        draft = state["draft"]
        return answer_messages(
            state["question"],
            within_budget(state["evidence"], self.max_passage_tokens),
            state["earlier"],
            language_of(state["question"]),
            prompts=self.prompts,
            last_answer=draft["text"] if draft else "",
            complaint=state["complaint"],
        )

    def _written(self, state: RagState, text: str, error: Exception | None) -> dict[str, Any]:
        if not text:
            return self._without_model(state, error)
        if len(text) > LONGEST_ANSWER:
            text = f"{text[:LONGEST_ANSWER].rstrip()}\n\n{notice('answer_cut', language_of(state['question']))}"
        given = within_budget(state["evidence"], self.max_passage_tokens)
        draft = no_answer(state) if says_not_found(text) else model_draft(state, text, given)
        return {"draft": draft, "attempts": state["attempts"] + 1, "complaint": ""}

    def _without_model(self, state: RagState, error: Exception | None) -> dict[str, Any]:
        _log.warning("the chat model gave no answer (%s)", reason_of(error) if error else "empty")
        last = state["draft"]
        # An earlier draft may have good citations beside the bad ones, which verification takes out.
        draft: Draft = {**last, "final": True} if last else quoted_draft(state, "chat_model_failed", vault=self.vault)
        part = "budget" if isinstance(error, BudgetSpentError) else "chat_model"
        return {"draft": draft, "attempts": state["attempts"] + 1, "complaint": "", "degraded": [part]}
