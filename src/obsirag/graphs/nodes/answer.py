"""Write an answer from the passages: by the chat model, or quoted."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage

from obsirag.errors import reason_of
from obsirag.graphs.chat import LONGEST_ANSWER, answer_messages, says_not_found
from obsirag.graphs.citation_marks import says_something
from obsirag.graphs.drafts import citation_check, model_draft, no_answer, quoted_draft
from obsirag.graphs.language import language_of
from obsirag.graphs.link_filter import drop_unknown_links
from obsirag.graphs.model_calls import Reply, Request, Work, part_of
from obsirag.graphs.passages import within_budget
from obsirag.graphs.prompts import Prompts, notice
from obsirag.graphs.release import Release
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
        drops_unknown_links: Whether images and links are taken out whose address no passage holds.
        checks_content: Whether what is read while it is written is looked for in the passages.
        releases: Whether it may be read while it is written.
    """

    vault: str
    prompts: Prompts
    max_passage_tokens: int
    has_model: bool
    drops_unknown_links: bool = False
    checks_content: bool = True
    releases: bool = True

    def work(self, state: RagState) -> Work:
        """Return the update with a draft."""
        if not self.has_model or not state["evidence"]:
            return {"draft": quoted_draft(state, "no_chat_model", vault=self.vault)}
        given = within_budget(state["evidence"], self.max_passage_tokens)
        release = Release(
            citation_check(state, given, by_content=self.checks_content), partial(self._clean, given=given)
        )
        reply = yield Request(self._messages(state, given), release=release if self.releases else None)
        text = reply.text[:LONGEST_ANSWER].rstrip()
        if not text and not release.text:
            return self._without_model(state, reply.error)
        return {
            "draft": self._draft(state, text, given, release, _ending(reply)),
            "attempts": state["attempts"] + 1,
            "complaint": "",
            **({"degraded": [part_of(reply.error, "chat_model")]} if reply.error is not None else {}),
        }

    def _messages(self, state: RagState, given: Sequence[Document]) -> Sequence[BaseMessage]:
        draft = state["draft"]
        return answer_messages(
            # In the model's words if it was worded anew, else as it was asked, with what it refers to.
            state["standalone"] if state["earlier"] and not state["conversation"] else state["question"],
            given,
            state["conversation"],
            language_of(state["question"]),
            prompts=self.prompts,
            last_answer=draft["text"] if draft else "",
            complaint=state["complaint"],
        )

    def _draft(
        self,
        state: RagState,
        text: str,
        given: Sequence[Document],
        release: Release,
        ending: str,
    ) -> Draft:
        """Return the draft of what the model wrote, with a notice at its end if it didn't come to one."""
        if not release.text and says_not_found(text):
            return no_answer(state)
        written = self._clean(text, given)
        draft = model_draft(state, written, given, release)
        last = state["draft"]
        if last is not None and last["text"] == written:
            draft["final"] = True  # it would go on like that
        if ending and (release.text or says_something(written)):
            draft["text"] = f"{draft['text']}\n\n{notice(ending, language_of(state['question']))}"
        return draft

    def _clean(self, text: str, given: Sequence[Document]) -> str:
        return drop_unknown_links(text, given) if self.drops_unknown_links else text

    def _without_model(self, state: RagState, error: Exception | None) -> dict[str, Any]:
        _log.warning("the chat model gave no answer (%s)", reason_of(error) if error else "empty")
        last = state["draft"]
        # An earlier draft may have good citations beside the bad ones, which verification takes out.
        draft: Draft = {**last, "final": True} if last else quoted_draft(state, "chat_model_failed", vault=self.vault)
        return {
            "draft": draft,
            "attempts": state["attempts"] + 1,
            "complaint": "",
            "degraded": [part_of(error, "chat_model")],
        }


def _ending(reply: Reply) -> str:
    """Return the notice that says why an answer has no end; empty if it has one."""
    if reply.error is not None:
        return "answer_broken"
    return "answer_cut" if len(reply.text) > LONGEST_ANSWER else ""
