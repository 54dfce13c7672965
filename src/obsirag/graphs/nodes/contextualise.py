"""Word a follow-up so that it can be understood alone."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from langchain_core.messages import HumanMessage, SystemMessage

from obsirag.graphs.chat import conversation_lines
from obsirag.graphs.follow_up import refers_back, without_opening
from obsirag.graphs.language import Language, language_of
from obsirag.graphs.model_calls import Reply, Request, Work, part_of
from obsirag.graphs.passages import harmless
from obsirag.graphs.prompts import Prompts, notice
from obsirag.graphs.standalone import adds_nothing, is_faithful, written_question
from obsirag.graphs.state import RagState, Summary
from obsirag.records import merge_permissions, permissions_from_json, permissions_to_json

__all__ = ["ContextualiseNode"]


_Summed = tuple[Summary | None, list[str]]

LONGEST_SUMMARY = 1500
"""Characters that are kept of a summary."""


@dataclass(frozen=True, slots=True)
class ContextualiseNode:
    """Ask the chat model for the question with what "it" stands for; where that fails, the earlier questions do.

    In a long thread what was before the last turns is summed up first, each time only what is new.

    Args:
        prompts: The prompts.
    """

    prompts: Prompts

    def work(self, state: RagState) -> Work:
        """Return the update with the question as it can be understood alone."""
        question, earlier = state["question"], state["earlier"]
        if not earlier:
            return {}
        language = language_of(question)
        summary, failed = state["summary"], list[str]()
        if state["older"]:
            summary, failed = yield from self._summed_up(state, language)
        turns = conversation_lines(earlier)
        if summary is not None:
            turns = f"- {notice('before', language)} {harmless(summary['text'])}\n{turns}"
        reply = yield Request(
            [
                SystemMessage(self.prompts.fill("contextualise_system", language)),
                HumanMessage(self.prompts.fill("contextualise", language, turns=turns, question=harmless(question))),
            ]
        )
        if reply.failed:
            failed = [part_of(reply.error, "rewriting")]
        update = {"summary": summary, "degraded": failed}
        said = [f"{turn['question']}\n{turn['answer']}" for turn in earlier]
        rewritten = written_question(reply.text)
        if adds_nothing(rewritten, question) and not refers_back(without_opening(question)):
            # "And how do I back up the database?" is understood alone, says the model, and so does the rule.
            rewritten = question
        elif not is_faithful(rewritten, question, [*said, summary["text"] if summary else ""]):
            return update
        return {
            **update,
            "standalone": rewritten,
            "search_text": rewritten,
            "queries": [rewritten],
            "conversation": [],
        }

    def _summed_up(self, state: RagState, language: Language) -> Generator[Request, Reply, _Summed]:
        """Return the summary with the older turns, as it was if the model gives none, and what failed."""
        older, before = state["older"], state["summary"]
        told = f"{harmless(before['text'])}\n" if before else ""
        prompt = self.prompts.fill("summarise", language, turns=f"{told}{conversation_lines(older)}")
        reply = yield Request([SystemMessage(self.prompts.fill("summarise_system", language)), HumanMessage(prompt)])
        text = reply.text[:LONGEST_SUMMARY]
        if not text:
            return before, [part_of(reply.error, "rewriting")] if reply.failed else []
        parts = [turn["permissions"] for turn in older] + ([before["permissions"]] if before else [])
        permissions = permissions_to_json(merge_permissions(*map(permissions_from_json, parts)))
        return Summary(text=text, until=older[-1]["message_id"], permissions=permissions), []
