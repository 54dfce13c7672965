"""Check that an answer's citations lead somewhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from obsirag.graphs.citation_check import CitationCheck
from obsirag.graphs.citation_marks import find_marks, says_something
from obsirag.graphs.citations import cite_marks
from obsirag.graphs.drafts import citation_check, quoted_draft
from obsirag.graphs.language import Language, language_of
from obsirag.graphs.passages import within_budget
from obsirag.graphs.prompts import notice
from obsirag.graphs.state import Draft, RagState

__all__ = ["VerifyCitationsNode"]

# What is shown to the model of a statement that no passage holds.
LONGEST_STATEMENT = 300
# Writing again takes two steps, publishing one, and LangGraph wants one to be left.
STEPS_TO_WRITE_AGAIN = 4


@dataclass(frozen=True, slots=True)
class VerifyCitationsNode:
    """Put right and check a model's citations by rule; quotes need no check, they are cut out of their passages.

    Args:
        vault: The vault's name, for links.
        max_regenerations: How often a bad answer is written again.
        max_passage_tokens: What the passages could take of the prompt, which says how many the model was given.
        checks_content: Whether what the answer says is looked for in the passages that it cites; then statements
            without a good mark get that of the passage that states them.
    """

    vault: str
    max_regenerations: int
    max_passage_tokens: int
    checks_content: bool = True

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with a complaint, or with the draft and its citations."""
        draft = state["draft"]
        if draft is None or draft["origin"] != "model":
            return {"complaint": ""}
        given = within_budget(state["evidence"], self.max_passage_tokens)
        check = citation_check(state, given, by_content=self.checks_content)
        if not draft["read"]:  # what was read already was put right then
            draft = {**draft, "text": check.put_right(draft["text"])}
        may_repeat = (
            not draft["final"]
            and state["attempts"] <= self.max_regenerations
            and state["remaining_steps"] >= STEPS_TO_WRITE_AGAIN
        )
        if may_repeat and (complaint := _complaint(draft["text"], check, language_of(state["question"]))):
            return {"complaint": complaint}
        return {"complaint": "", "draft": self._finish(state, draft, check)}

    def _finish(self, state: RagState, draft: Draft, check: CitationCheck) -> Draft:
        """Return the draft with what is good of its citations, saying what was bad."""
        # What was read already was checked then.
        text, removed = (draft["text"], []) if draft["read"] else check.keep_good(draft["text"])
        citations = cite_marks(text, state["evidence"], state["question"], vault=self.vault)
        if not citations or not says_something(text):
            # Nothing ties the model's words to the notes: they are not shown as an answer from the notes.
            return (
                self._below(state, draft) if draft["read"] else quoted_draft(state, "unbacked_answer", vault=self.vault)
            )
        language = language_of(state["question"])
        if removed:
            text = f"{text}\n\n{notice('marks_removed', language, numbers=_listed(removed))}"
        return {**draft, "text": text, "citations": citations}

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


def _complaint(text: str, check: CitationCheck, language: Language) -> str:
    """Return what is wrong with an answer, for the model; empty if nothing."""
    if not says_something(text):
        return notice("no_statement", language)
    if not find_marks(text):
        return notice("no_citation", language)
    faults = check.faults(text)
    if faults.unknown:
        return notice("unknown_numbers", language, numbers=_listed(faults.unknown))
    if faults.unbacked:
        return notice("unbacked_statement", language, statement=faults.unbacked[0][:LONGEST_STATEMENT])
    return ""


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))
