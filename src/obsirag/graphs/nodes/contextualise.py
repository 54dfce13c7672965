"""Word a follow-up so that it can be understood alone."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from langchain_core.messages import HumanMessage, SystemMessage

from obsirag.graphs.chat import conversation_lines, text_of
from obsirag.graphs.language import Language, language_of
from obsirag.graphs.model_calls import Reply, Request, Work
from obsirag.graphs.passages import harmless
from obsirag.graphs.prompts import Prompts, notice
from obsirag.graphs.standalone import is_faithful, written_question
from obsirag.graphs.state import RagState, Summary
from obsirag.records import merge_permissions, permissions_from_json, permissions_to_json

__all__ = ["ContextualiseNode"]


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
        summary = (yield from self._summed_up(state, language)) if state["older"] else state["summary"]
        update = {"summary": summary}
        turns = conversation_lines(earlier)
        if summary is not None:
            turns = f"- {notice('before', language)} {harmless(summary['text'])}\n{turns}"
        reply = yield Request(
            [
                SystemMessage(self.prompts.fill("contextualise_system", language)),
                HumanMessage(self.prompts.fill("contextualise", language, turns=turns, question=harmless(question))),
            ]
        )
        rewritten = written_question(text_of(reply.answer))
        said = [f"{turn['question']}\n{turn['answer']}" for turn in earlier]
        if not is_faithful(rewritten, question, [*said, summary["text"] if summary else ""]):
            return update
        return {
            **update,
            "standalone": rewritten,
            "search_text": rewritten,
            "queries": [rewritten],
            "conversation": [],
        }

    def _summed_up(self, state: RagState, language: Language) -> Generator[Request, Reply, Summary | None]:
        """Return the summary with the older turns; as it was if the model gives none."""
        older, before = state["older"], state["summary"]
        told = f"{harmless(before['text'])}\n" if before else ""
        prompt = self.prompts.fill("summarise", language, turns=f"{told}{conversation_lines(older)}")
        reply = yield Request([SystemMessage(self.prompts.fill("summarise_system", language)), HumanMessage(prompt)])
        text = text_of(reply.answer)[:LONGEST_SUMMARY]
        if not text:
            return before
        parts = [turn["permissions"] for turn in older] + ([before["permissions"]] if before else [])
        permissions = permissions_to_json(merge_permissions(*map(permissions_from_json, parts)))
        return Summary(text=text, until=older[-1]["message_id"], permissions=permissions)
