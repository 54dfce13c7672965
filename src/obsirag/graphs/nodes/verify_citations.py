"""Check that an answer's citations lead somewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from obsirag.graphs.citation_marks import find_marks, keep_marks
from obsirag.graphs.citations import cite_marks
from obsirag.graphs.drafts import quoted_draft
from obsirag.graphs.language import language_of
from obsirag.graphs.passages import within_budget
from obsirag.graphs.prompts import notice
from obsirag.graphs.state import Draft, RagState

__all__ = ["VerifyCitationsNode"]

_WORD = re.compile(r"[^\W_]")

# Writing again takes two steps, publishing one, and LangGraph wants one to be left.
STEPS_TO_WRITE_AGAIN = 4


@dataclass(frozen=True, slots=True)
class VerifyCitationsNode:
    """Check a model's citations by rule; quotes need no check, they are cut out of their passages.

    Args:
        vault: The vault's name, for links.
        max_regenerations: How often a bad answer is written again.
        max_passage_tokens: What the passages could take of the prompt, which says how many the model was given.
    """

    vault: str
    max_regenerations: int
    max_passage_tokens: int

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with a complaint, or with the draft and its citations."""
        draft = state["draft"]
        if draft is None or draft["origin"] != "model":
            return {"complaint": ""}
        complaint = self._complaint(state, draft)
        may_repeat = (
            not draft["final"]
            and state["attempts"] <= self.max_regenerations
            and state["remaining_steps"] >= STEPS_TO_WRITE_AGAIN
        )
        if complaint and may_repeat:
            return {"complaint": complaint}
        return {"complaint": "", "draft": self._finish(state, draft)}

    def _complaint(self, state: RagState, draft: Draft) -> str:
        language = language_of(state["question"])
        if not _says_something(draft["text"]):
            return notice("no_statement", language)
        cited = {number for mark in find_marks(draft["text"]) for number in mark.numbers}
        if not cited:
            return notice("no_citation", language)
        if unknown := sorted(cited.difference(self._numbers(state))):
            return notice("unknown_numbers", language, numbers=_listed(unknown))
        return ""

    def _finish(self, state: RagState, draft: Draft) -> Draft:
        """Return the draft with what is good of its citations, saying what was bad."""
        language = language_of(state["question"])
        text, removed = keep_marks(draft["text"], self._numbers(state))
        if draft["read"]:  # as it was checked when it was read
            text, removed = draft["text"], []
        citations = cite_marks(text, state["evidence"], state["question"], vault=self.vault)
        if draft["read"] and not citations:
            return self._below(state, draft)
        if not _says_something(text):
            return quoted_draft(state, "unbacked_answer", vault=self.vault)
        if citations and not removed:
            return {**draft, "text": text, "citations": citations}
        removal = notice("marks_removed", language, numbers=_listed(removed)) if removed else ""
        if citations:
            return {**draft, "text": f"{text}\n\n{removal}", "citations": citations}
        quoted = quoted_draft(state, "unbacked_answer", vault=self.vault)
        if not removed or quoted["origin"] == "none":
            # Nothing ties the model's words to the notes: they are not shown as an answer from the notes.
            return quoted
        permissions = sorted({*draft["permissions"], *quoted["permissions"]})
        return {**quoted, "text": f"{text}\n\n{removal}\n\n{quoted['text']}", "permissions": permissions}

    def _below(self, state: RagState, draft: Draft) -> Draft:
        """Return the draft that was read already, but leads nowhere, with quotes below it."""
        quoted = quoted_draft(state, "unbacked_answer", vault=self.vault)
        below = quoted["text"] or notice("not_found", language_of(state["question"]))
        return {
            **quoted,
            "text": f"{draft['text']}\n\n{below}",
            "permissions": sorted({*draft["permissions"], *quoted["permissions"]}),
            "read": draft["read"],
            "message_id": draft["message_id"],
        }

    def _numbers(self, state: RagState) -> range:
        return range(1, len(within_budget(state["evidence"], self.max_passage_tokens)) + 1)


def _says_something(text: str) -> bool:
    """Say whether there is a word beside the marks: small models answer with bare numbers."""
    return bool(_WORD.search(keep_marks(text, ())[0]))


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))
