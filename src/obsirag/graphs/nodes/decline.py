"""Turn a question away that isn't for the notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from obsirag.config import IntentOptions
from obsirag.graphs.drafts import said_draft
from obsirag.graphs.language import Language, language_of
from obsirag.graphs.prompts import notice
from obsirag.graphs.state import RagState

__all__ = ["DeclineNode"]


@dataclass(frozen=True, slots=True)
class DeclineNode:
    """Say politely that there will be no answer, without looking for one.

    Args:
        options: What the notes are about, and what is said.
    """

    options: IntentOptions

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with what is said."""
        return {"draft": said_draft(state, self._text(state, language_of(state["question"])), "refusal")}

    def _text(self, state: RagState, language: Language) -> str:
        messages, domain = self.options.messages, self.options.domain.strip()
        if state["intent"]["kind"] == "unsafe":
            return messages.unsafe or notice("unsafe", language)
        if messages.off_topic or not domain:
            return messages.off_topic or notice("off_topic", language)
        return notice("off_topic_domain", language, domain=domain.rstrip(".。"))
