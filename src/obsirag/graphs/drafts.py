"""Drafts of all origins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from langchain_core.documents import Document

from obsirag.graphs.asked import wordings
from obsirag.graphs.citation_check import CitationCheck
from obsirag.graphs.extractive import quote_passages
from obsirag.graphs.language import language_of
from obsirag.graphs.prompts import notice
from obsirag.graphs.release import Release
from obsirag.graphs.state import Draft, RagState
from obsirag.graphs.thread_permissions import permissions_of_document
from obsirag.records import Citation, merge_permissions, permissions_from_json, permissions_to_json

__all__ = ["citation_check", "model_draft", "no_answer", "quoted_draft", "said_draft"]


def citation_check(state: RagState, given: Sequence[Document], *, by_content: bool) -> CitationCheck:
    """Return the check of an answer's citations.

    Args:
        state: The state.
        given: The passages that the model is given.
        by_content: Whether what it says is looked for in them.
    """
    earlier = [f"{turn['question']}\n{turn['answer']}" for turn in state["earlier"]]
    said = "\n".join([state["question"], *earlier])
    return CitationCheck(given, state["standalone"], said, by_content=by_content)


def model_draft(state: RagState, text: str, given: Sequence[Document], release: Release) -> Draft:
    """Return the draft that a chat model wrote; it is for those who may read all that the model was given.

    Args:
        state: The state.
        text: What the model wrote.
        given: The passages that it was given.
        release: What of it was read while it was written: then that is the draft.
    """
    permissions = _permissions_of(state, given)
    if release.text:
        language = language_of(state["question"])
        numbers = ", ".join(map(str, release.removed))
        removal = f"\n\n{notice('marks_removed', language, numbers=numbers)}" if numbers else ""
        return Draft(
            text=release.text + removal,
            origin="model",
            citations=[],
            permissions=permissions,
            final=True,
            read=release.text,
            message_id=release.message_id,
        )
    return Draft(text=text, origin="model", citations=[], permissions=permissions, final=False, read="", message_id="")


def quoted_draft(state: RagState, reason: str, *, vault: str, evidence: list[Document] | None = None) -> Draft:
    """Return the draft that quotes the passages that fit best, or says that none does.

    Args:
        state: The state.
        reason: The notice that says why the passages are quoted.
        vault: The vault's name, for links.
        evidence: The passages; the state's if None.
    """
    passages = state["evidence"] if evidence is None else evidence
    # In the vault's words first: in the question's own, the glossary itself would be the best answer.
    attempts = (quote_passages(each, passages, state["rankings"], vault=vault) for each in reversed(wordings(state)))
    quotes = next((each for each in attempts if each.citations), None)
    if quotes is None:
        return no_answer(state)
    return Draft(
        text=f"{notice(reason, language_of(state['question']))}\n\n{quotes.text}",
        origin="quoted",
        citations=quotes.citations,
        permissions=_permissions_of(state, quotes.documents),
        final=True,
        read="",
        message_id="",
    )


def no_answer(state: RagState) -> Draft:
    """Return the draft of an answer that isn't in the notes."""
    permissions = _permissions_of(state, ())
    return Draft(text="", origin="none", citations=[], permissions=permissions, final=True, read="", message_id="")


def said_draft(
    state: RagState, text: str, origin: Literal["conversation", "refusal", "none"], citations: Sequence[Citation] = ()
) -> Draft:
    """Return the draft of what is said without the notes; it is for those who may read what the question refers to.

    Args:
        state: The state.
        text: What is said.
        origin: Whether that goes on with the conversation, turns the question away, or says that there is no answer.
        citations: Those of the answer that it is about.
    """
    return Draft(
        text=text,
        origin=origin,
        citations=list(citations),
        permissions=_permissions_of(state, ()),
        final=True,
        read="",
        message_id="",
    )


def _permissions_of(state: RagState, documents: Iterable[Document]) -> list[str]:
    """Return who may read an answer from ``documents``, and the question, which may repeat what it refers to."""
    earlier = [permissions_from_json(turn["permissions"]) for turn in state["earlier"]]
    return permissions_to_json(merge_permissions(*earlier, *map(permissions_of_document, documents)))
