"""What a person is asked before an answer is made, and what they say, in the form that chat front ends know.

It is that of LangChain's human-in-the-loop middleware (``HITLRequest``, ``HITLResponse``): ``action_requests`` and
``review_configs`` one way, ``decisions`` the other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from langchain_core.documents import Document
from langgraph.types import StateSnapshot

from obsirag.graphs.callers import readable_state
from obsirag.graphs.language import Language, language_of
from obsirag.graphs.links import NOWHERE
from obsirag.graphs.prompts import notice
from obsirag.graphs.state import RagContext, RagState, labels_of
from obsirag.graphs.thread_permissions import permissions_of_document
from obsirag.records import merge_permissions, permissions_of, permissions_to_json
from obsirag.records.places import Place, locate_quote, places_to_json
from obsirag.retrievers.fusion import chunk_id_of

__all__ = [
    "ACTION",
    "Decision",
    "WaitingReview",
    "WrongDecisionError",
    "read_decision",
    "review_request",
    "waiting_review",
]

ACTION = "answer"
"""The name of the action that is asked for."""

_ALLOWED = ("approve", "edit", "reject")


class WrongDecisionError(ValueError):
    """What came back is no decision; says what is wrong with it."""


class Decision(NamedTuple):
    """What a person decided.

    Args:
        kind: To answer from the passages, to answer from others, or not to answer.
        evidence: The passages to answer from.
        message: What a rejection says to whoever asked.
    """

    kind: Literal["approve", "edit", "reject"]
    evidence: list[Document]
    message: str = ""


class WaitingReview(NamedTuple):
    """A question of a thread that waits for a person.

    Args:
        id: The interrupt's: ``Command(resume={id: decision})`` decides on this question, and on no other that waits
            there by then.
        request: What they are asked.
    """

    id: str
    request: dict[str, Any]

    @property
    def action(self) -> dict[str, Any]:
        """The action that they are asked to allow."""
        action: dict[str, Any] = self.request["action_requests"][0]
        return action

    @property
    def evidence(self) -> list[dict[str, Any]]:
        """The passages that the question would be answered from."""
        evidence: list[dict[str, Any]] = self.action["args"]["evidence"]
        return evidence


def waiting_review(snapshot: StateSnapshot, context: RagContext | None = None) -> WaitingReview | None:
    """Return the question that waits in a thread, with what a caller may read of its evidence; None if none does.

    For whoever opens a thread that somebody else's question waits in: the interrupt itself holds what whoever asked may
    read.

    Args:
        snapshot: What ``get_state`` gives for the thread.
        context: The run's context of the caller.
    """
    state, _ = readable_state(snapshot.values, labels_of(context))
    waits = state["status"] == "awaiting_review" and state["question"]
    if not (waits and snapshot.interrupts):
        return None
    return WaitingReview(snapshot.interrupts[0].id, review_request(state, language_of(state["question"])))


def review_request(state: RagState, language: Language, wrong: str = "") -> dict[str, Any]:
    """Return what a person is asked: the question, and the passages that it would be answered from.

    Args:
        state: The state.
        language: The question's language.
        wrong: What is wrong with what was said before; empty if nothing was.
    """
    asked = notice("review", language)
    action = {
        "name": ACTION,
        "args": {"question": state["standalone"], "evidence": [*map(_shown, state["evidence"])]},
        "description": f"{wrong}\n\n{asked}" if wrong else asked,
    }
    return {
        "action_requests": [action],
        "review_configs": [{"action_name": ACTION, "allowed_decisions": list(_ALLOWED)}],
    }


def _shown(passage: Document) -> dict[str, Any]:
    metadata = passage.metadata
    place = locate_quote(passage, 0, len(passage.page_content))
    return {
        "id": chunk_id_of(passage),
        "source": str(metadata.get("source", "")),
        "title": str(metadata.get("title") or ""),
        "headings": [str(heading) for heading in metadata.get("headings") or ()],
        "start_line": place.start_line,
        "end_line": place.end_line,
        "text": passage.page_content,
    }


def read_decision(given: object, evidence: Sequence[Document], question: str) -> Decision:
    """Return the decision that a person sent, ``{"decisions": [{"type": "approve"}]}`` or the one decision alone.

    Args:
        given: What was sent.
        evidence: The passages that they were asked about.
        question: The question that they were asked about.

    Raises:
        WrongDecisionError: If it is none.
    """
    if isinstance(given, Mapping) and "decisions" in given:
        given = given["decisions"]
    if isinstance(given, Sequence) and not isinstance(given, str):
        if len(given) != 1:
            raise WrongDecisionError(f"There is one action to decide on, and {len(given)} decisions were sent.")
        given = given[0]
    if isinstance(given, str):
        given = {"type": given}
    kind = given.get("type") if isinstance(given, Mapping) else None
    if not isinstance(given, Mapping) or kind not in _ALLOWED:
        raise WrongDecisionError('A decision is {"decisions": [{"type": "approve" | "edit" | "reject", …}]}.')
    if kind == "approve":
        return Decision("approve", list(evidence))
    if kind == "reject":
        message = given.get("message")
        return Decision("reject", [], message.strip() if isinstance(message, str) else "")
    return Decision("edit", _edited(given, evidence, question))


def _edited(given: Mapping[str, Any], evidence: Sequence[Document], question: str) -> list[Document]:
    action = given.get("edited_action")
    args = action.get("args") if isinstance(action, Mapping) else None
    args = args if isinstance(args, Mapping) else {}
    if args.get("question", question) != question:
        raise WrongDecisionError("Only the passages can be edited: for another question, reject this one and ask that.")
    items = args.get("evidence")
    if isinstance(items, str):
        # Front ends let people edit what is no text as JSON, and send the text.
        with suppress(ValueError, RecursionError):
            items = json.loads(items)
    if not isinstance(items, list) or not all(isinstance(each, Mapping) for each in items):
        raise WrongDecisionError(
            'An edit has "edited_action": {"name": "answer", "args": {"evidence": […]}}, the passages to answer from.'
        )
    known = {chunk_id_of(each): each for each in evidence}
    shown = permissions_to_json(merge_permissions(*map(permissions_of_document, evidence)))
    return [_passage(item, number, known, shown) for number, item in enumerate(items, 1)]


def _passage(
    item: Mapping[str, Any], number: int, known: Mapping[str, Document], permissions: Sequence[str]
) -> Document:
    """Return one that was found, as it was found, or one that the person added."""
    found = known.get(str(item.get("id")))
    if found is None:
        return _added(item, number, permissions)
    text = item.get("text", found.page_content)
    if not isinstance(text, str) or text.split() != found.page_content.split():
        raise WrongDecisionError(
            f"Passage {number} stands in the notes as it was shown, and cannot be changed: leave it out, and add one "
            "with other words and no id."
        )
    return found


def _added(item: Mapping[str, Any], number: int, permissions: Sequence[str]) -> Document:
    """Return a passage that the person added; if they don't say who may read it, who may read what they were shown."""
    text, source, title = item.get("text"), item.get("source") or NOWHERE, item.get("title") or ""
    if not isinstance(text, str) or not text.strip():
        raise WrongDecisionError(f"Passage {number} is none of those that were found, and has no text of its own.")
    if not isinstance(source, str) or not isinstance(title, str):
        raise WrongDecisionError(f"Of passage {number}, source and title must be text.")
    name = f"review-{number}"
    metadata = {
        "source": source,
        "title": title,
        "headings": [],
        "chunk_id": name,
        "places": places_to_json([Place(0, source, 1, ())]),
        "permissions": (
            permissions_to_json(permissions_of(item["permissions"])) if "permissions" in item else list(permissions)
        ),
    }
    return Document(text, id=name, metadata=metadata)
