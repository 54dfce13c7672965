"""Put the question in other words, for a further search."""

from __future__ import annotations

from dataclasses import dataclass

from langchain_core.messages import HumanMessage, SystemMessage

from obsirag.graphs.language import language_of
from obsirag.graphs.model_calls import Request, Work, part_of
from obsirag.graphs.passages import harmless
from obsirag.graphs.prompts import Prompts, notice
from obsirag.graphs.rounds import after_last_round, next_round
from obsirag.graphs.standalone import written_question
from obsirag.graphs.state import RagState

__all__ = ["RewriteNode"]


@dataclass(frozen=True, slots=True)
class RewriteNode:
    """Ask the chat model for other words, by the strategy that the last verdict chose.

    Args:
        prompts: The prompts.
        has_web: Whether the web may be searched where the notes are not enough.
    """

    prompts: Prompts
    has_web: bool

    def work(self, state: RagState) -> Work:
        """Return the update with what to search for next; without new words, with what else can be done."""
        verdict = state["verdicts"][-1]
        language = language_of(state["standalone"])
        told = notice(f"strategy_{verdict['strategy']}", language, missing=", ".join(verdict["missing"]))
        tried = "\n".join(f"- {harmless(query)}" for query in state["queries"])
        prompt = self.prompts.fill(
            "rewrite", language, question=harmless(state["standalone"]), tried=tried, strategy=told
        )
        reply = yield Request([SystemMessage(self.prompts.fill("rewrite_system", language)), HumanMessage(prompt)])
        query = written_question(reply.text)
        if query and query.casefold() not in map(str.casefold, state["queries"]):
            update = next_round(state, state["evidence"], verdict)
            return {**update, "search_text": query, "queries": [*state["queries"], query], "following": "search"}
        update = after_last_round(state, state["evidence"], verdict, has_web=self.has_web)
        return {**update, "degraded": [part_of(reply.error, "rewriting")]} if reply.failed else update
