"""What becomes of a round's passages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.documents import Document
from langgraph.types import Overwrite

from obsirag.graphs.state import RagState, Verdict
from obsirag.retrievers.fusion import chunk_id_of

__all__ = ["after_last_round", "next_round"]


def next_round(state: RagState, evidence: Sequence[Document], verdict: Verdict) -> dict[str, Any]:
    """Return the update that puts a round's passages by, so that they don't count in the next one's verdict.

    Args:
        state: The state.
        evidence: The round's passages.
        verdict: What was judged of them; those that tell nothing of the answer are dropped.
    """
    return {"rankings": Overwrite({}), "kept": _of_all_rounds(state, evidence, verdict), "evidence": []}


def after_last_round(
    state: RagState, evidence: Sequence[Document], verdict: Verdict, *, has_web: bool
) -> dict[str, Any]:
    """Return the update after the last round over the notes: the web is asked, or the question answered.

    Args:
        state: The state.
        evidence: The round's passages.
        verdict: What was judged of them.
        has_web: Whether the web may be searched, and wasn't yet.
    """
    if verdict["diagnosis"] != "enough" and has_web:
        update = next_round(state, evidence, verdict)
        return {**update, "search_text": state["standalone"], "following": "web_search", "asked_web": True}
    return {"evidence": _of_all_rounds(state, evidence, verdict), "following": "answer"}


def _of_all_rounds(state: RagState, evidence: Sequence[Document], verdict: Verdict) -> list[Document]:
    """Return the passages to answer from: the last round's, then those of the rounds before it."""
    own = [] if verdict["diagnosis"] == "not_relevant" else evidence
    return [*{chunk_id_of(each): each for each in [*own, *state["kept"]]}.values()]
