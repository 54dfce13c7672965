"""Word a follow-up so that it can be understood alone."""

from __future__ import annotations

from dataclasses import dataclass

from langchain_core.messages import HumanMessage, SystemMessage

from obsirag.graphs.chat import conversation_lines
from obsirag.graphs.language import language_of
from obsirag.graphs.model_calls import Request, Work, part_of
from obsirag.graphs.passages import harmless
from obsirag.graphs.prompts import Prompts
from obsirag.graphs.standalone import is_faithful, written_question
from obsirag.graphs.state import RagState

__all__ = ["ContextualiseNode"]


@dataclass(frozen=True, slots=True)
class ContextualiseNode:
    """Ask the chat model for the question with what "it" stands for; where that fails, the earlier questions do.

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
        prompt = self.prompts.fill(
            "contextualise", language, turns=conversation_lines(earlier), question=harmless(question)
        )
        reply = yield Request(
            [SystemMessage(self.prompts.fill("contextualise_system", language)), HumanMessage(prompt)]
        )
        if reply.failed:
            return {"degraded": [part_of(reply.error, "rewriting")]}
        rewritten = written_question(reply.text)
        if not is_faithful(rewritten, question, earlier):
            return {}
        return {"standalone": rewritten, "search_text": rewritten, "queries": [rewritten]}
