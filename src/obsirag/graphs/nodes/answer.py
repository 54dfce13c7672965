"""Write an answer from the passages: by the chat model, or quoted."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.messages import BaseMessage
from langgraph.constants import TAG_NOSTREAM

from obsirag.errors import reason_of
from obsirag.graphs.chat import LONGEST_ANSWER, answer_messages, says_not_found, text_of
from obsirag.graphs.drafts import model_draft, no_answer, quoted_draft
from obsirag.graphs.language import language_of
from obsirag.graphs.passages import within_budget
from obsirag.graphs.prompts import notice
from obsirag.graphs.state import Draft, RagState

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import RunnableConfig

__all__ = ["AnswerNode"]

_log = logging.getLogger(__name__)

# Drafts are not streamed as messages: only what was verified reaches the user.
_QUIETLY: RunnableConfig = {"tags": [TAG_NOSTREAM]}


@dataclass(frozen=True, slots=True)
class AnswerNode:
    """Write a draft; after a complaint, write it again.

    Args:
        chat_model: The chat model; None to quote.
        vault: The vault's name, for links.
    """

    chat_model: BaseChatModel | None
    vault: str

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with a draft."""
        if self.chat_model is None or not state["evidence"]:
            return self._quoted(state)
        try:
            text = text_of(self.chat_model.invoke(self._messages(state), _QUIETLY))
        except Exception as error:  # noqa: BLE001 - whatever a model does wrong, the evidence remains an answer
            return self._without_model(state, error)
        return self._written(state, text)

    async def call_async(self, state: RagState) -> dict[str, Any]:
        """Do the same without blocking."""
        if self.chat_model is None or not state["evidence"]:
            return self._quoted(state)
        try:
            text = text_of(await self.chat_model.ainvoke(self._messages(state), _QUIETLY))
        except Exception as error:  # noqa: BLE001 - as above
            return self._without_model(state, error)
        return self._written(state, text)

    def _messages(self, state: RagState) -> Sequence[BaseMessage]:
        draft = state["draft"]
        return answer_messages(
            state["question"],
            within_budget(state["evidence"]),
            state["earlier"],
            language_of(state["question"]),
            last_answer=draft["text"] if draft else "",
            complaint=state["complaint"],
        )

    def _written(self, state: RagState, text: str) -> dict[str, Any]:
        if len(text) > LONGEST_ANSWER:
            text = f"{text[:LONGEST_ANSWER].rstrip()}\n\n{notice('answer_cut', language_of(state['question']))}"
        if not text:
            return self._without_model(state, None)
        draft = no_answer(state) if says_not_found(text) else model_draft(state, text)
        return {"draft": draft, "attempts": state["attempts"] + 1, "complaint": ""}

    def _without_model(self, state: RagState, error: Exception | None) -> dict[str, Any]:
        _log.warning("the chat model gave no answer (%s)", reason_of(error) if error else "empty")
        last = state["draft"]
        # An earlier draft may have good citations beside the bad ones, which verification takes out.
        draft: Draft = {**last, "final": True} if last else quoted_draft(state, "chat_model_failed", vault=self.vault)
        return {"draft": draft, "attempts": state["attempts"] + 1, "complaint": "", "degraded": ["chat_model"]}

    def _quoted(self, state: RagState) -> dict[str, Any]:
        return {"draft": quoted_draft(state, "no_chat_model", vault=self.vault)}
