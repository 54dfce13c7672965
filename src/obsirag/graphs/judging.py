"""What follows from how relevant the notes are that were found; who says how relevant is another matter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.documents import Document

from obsirag.config import GradingOptions
from obsirag.graphs.asked import wordings
from obsirag.graphs.grading import NOISE, judge, next_strategy, relevance_by_words
from obsirag.graphs.rounds import after_last_round
from obsirag.graphs.state import RagState, Verdict
from obsirag.retrievers.bounded_text import bounded_text
from obsirag.retrievers.grouping import source_of

if TYPE_CHECKING:
    from obsirag.graphs.parts import RagParts

__all__ = ["Judging", "by_document", "condensed", "judging_of"]


@dataclass(frozen=True, slots=True)
class Judging:
    """Judges a round by the scores of its notes, else by the question's words.

    Args:
        options: The thresholds.
        may_rewrite: Whether the question may be put in other words and searched for again.
        has_web: Whether the web may be searched where the notes are not enough.
        steps_to_search: How many steps a further round takes, with all that comes after it.
    """

    options: GradingOptions
    may_rewrite: bool
    has_web: bool
    steps_to_search: int

    def update(self, state: RagState, scores: Mapping[str, float] | None) -> dict[str, Any]:
        """Return the update with the verdict, the passages that remain, and what is done with them.

        Args:
            state: The state.
            scores: How relevant each note is, 0 to 1, by its source; nothing to go by words alone.
        """
        hits = [hit for ranking in state["rankings"].values() for hit in ranking]
        if scores:
            relevance = max(scores.values())
            worthless = {name for name, score in scores.items() if score < NOISE <= relevance}
        else:
            relevance = max(relevance_by_words(each, state["evidence"], hits) for each in wordings(state))
            worthless = set()
        evidence = [each for each in state["evidence"] if source_of(each) not in worthless]
        verdicts = [judge(each, relevance, evidence, hits, self.options) for each in wordings(state)]
        # What is missing is told to the chat model, and so in the question's own words.
        verdict: Verdict = {**max(verdicts, key=lambda each: each["score"]), "missing": verdicts[0]["missing"]}
        return self._following(state, evidence, verdict)

    def _following(self, state: RagState, evidence: list[Document], verdict: Verdict) -> dict[str, Any]:
        verdicts = [*state["verdicts"], verdict]
        may_go_on = state["remaining_steps"] >= self.steps_to_search and not state["asked_web"]
        strategy = next_strategy(verdicts, self.options) if may_go_on and self.may_rewrite else None
        if strategy is not None:
            verdicts[-1] = {**verdict, "strategy": strategy}
            return {"verdicts": verdicts, "evidence": evidence, "following": "rewrite"}
        has_web = self.has_web and may_go_on
        return {"verdicts": verdicts, **after_last_round(state, evidence, verdict, has_web=has_web)}


def judging_of(parts: RagParts) -> Judging:
    """Return what judges in a graph of these parts."""
    return Judging(parts.grading, parts.may_rewrite, parts.falls_back_on_web, parts.steps_to_search)


def by_document(evidence: Sequence[Document]) -> dict[str, list[Document]]:
    """Return the passages of each note, by its source."""
    groups: dict[str, list[Document]] = {}
    for each in evidence:
        groups.setdefault(source_of(each), []).append(each)
    return groups


def condensed(group: Sequence[Document], max_characters: int) -> Document:
    """Return the beginning of a note's passages as one."""
    text = "\n\n".join(each.page_content for each in group)
    return Document(page_content=bounded_text(text, max_characters), metadata=group[0].metadata)
