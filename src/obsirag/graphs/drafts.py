"""Drafts of the three origins."""

from __future__ import annotations

from collections.abc import Iterable

from langchain_core.documents import Document

from obsirag.graphs.extractive import quote_passages
from obsirag.graphs.language import language_of
from obsirag.graphs.passages import within_budget
from obsirag.graphs.prompts import notice
from obsirag.graphs.state import Draft, RagState
from obsirag.graphs.thread_permissions import permissions_of_document
from obsirag.records import Permissions, merge_permissions, permissions_from_json, permissions_to_json

__all__ = ["model_draft", "no_answer", "quoted_draft"]


def model_draft(state: RagState, text: str) -> Draft:
    """Return the draft that a chat model wrote; it is for those who may read all that the model was given."""
    earlier = [permissions_from_json(turn["permissions"]) for turn in state["earlier"]]
    permissions = merge_permissions(_permissions_of(within_budget(state["evidence"])), *earlier)
    return Draft(text=text, origin="model", citations=[], permissions=permissions_to_json(permissions), final=False)


def quoted_draft(state: RagState, reason: str, *, vault: str, evidence: list[Document] | None = None) -> Draft:
    """Return the draft that quotes the passages that fit best, or says that none does.

    Args:
        state: The state.
        reason: The notice that says why the passages are quoted.
        vault: The vault's name, for links.
        evidence: The passages; the state's if None.
    """
    passages = state["evidence"] if evidence is None else evidence
    quotes = quote_passages(state["search_text"], passages, state["rankings"], vault=vault)
    if not quotes.citations:
        return no_answer()
    return Draft(
        text=f"{notice(reason, language_of(state['question']))}\n\n{quotes.text}",
        origin="quoted",
        citations=quotes.citations,
        permissions=permissions_to_json(_permissions_of(quotes.documents)),
        final=True,
    )


def no_answer() -> Draft:
    """Return the draft of an answer that isn't in the notes."""
    return Draft(text="", origin="none", citations=[], permissions=[], final=True)


def _permissions_of(documents: Iterable[Document]) -> Permissions:
    return merge_permissions(*map(permissions_of_document, documents))
