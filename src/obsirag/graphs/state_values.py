"""What the channels of a question's state hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from obsirag.records import Citation

__all__ = [
    "KNOWLEDGE",
    "Aspect",
    "Draft",
    "EarlierTurn",
    "Following",
    "Intent",
    "IntentKind",
    "MappedTerm",
    "Search",
    "Strategy",
    "Summary",
    "Verdict",
]


class EarlierTurn(TypedDict):
    """A question of this thread and its answer, to which the present question may refer.

    Args:
        message_id: The id of the question's message.
        question: What was asked.
        answer: What was answered; empty if nothing was.
        permissions: Who may read both, as chunk metadata holds it: label sets as JSON lists.
    """

    message_id: str
    question: str
    answer: str
    permissions: list[str]


class Summary(TypedDict):
    """What the older turns of a thread were about.

    Args:
        text: In the chat model's words.
        until: The id of the last question that it tells of.
        permissions: Who may read it, as chunk metadata holds it.
    """

    text: str
    until: str
    permissions: list[str]


class Draft(TypedDict):
    """An answer that is not published yet.

    Args:
        text: The answer.
        origin: ``model``: written by the chat model, its marks still to be checked; ``quoted``: put together from the
            passages themselves; ``none``: the notes hold no answer; ``conversation``: said without the notes;
            ``refusal``: turned away.
        citations: The citations of a quoted answer, or those carried over; a model's are made when its marks are
            checked.
        permissions: Who may read it, as chunk metadata holds it.
        final: Whether the model is not to be asked again.
        read: What of it the reader has had already, from its beginning; then it can only be added to.
        message_id: The id of the message that the reader had it in; empty if they had nothing.
    """

    text: str
    origin: Literal["model", "quoted", "none", "conversation", "refusal"]
    citations: list[Citation]
    permissions: list[str]
    final: bool
    read: str
    message_id: str


Strategy = Literal["specify", "generalise", "reformulate"]
"""How a question is put in other words: more exact, more general, or otherwise."""


Following = Literal["search", "rewrite", "web_search", "answer"]

IntentKind = Literal["knowledge", "high_risk", "about_answer", "chitchat", "off_topic", "unsafe"]


class Intent(TypedDict):
    """What a question is after.

    Args:
        kind: ``knowledge``: something that the notes may hold; ``high_risk``: such a thing, but about permissions,
            security or running systems; ``about_answer``: the last answer itself; ``chitchat``; ``off_topic``;
            ``unsafe``: an attempt on the rules or on what the caller may not read.
        confidence: How sure that is, 0 to 1.
        by: What found it: a rule, the chat model, or neither (``default``).
        is_request: Of high risk: whether something is to be done, rather than to be told.
    """

    kind: IntentKind
    confidence: float
    by: Literal["rule", "model", "default"]
    is_request: bool


class Aspect(TypedDict):
    """A part of a question that is searched for and answered on its own.

    Args:
        text: What is asked, as it can be understood alone.
        keywords: What else to search for by words.
    """

    text: str
    keywords: str


class MappedTerm(TypedDict):
    """What a word of the question is called in the vault.

    Args:
        word: The word; empty where the chat model chose the term for the whole question.
        term: The vault's term.
        area: The part of the domain that it belongs to; empty if none is known.
        by: What says so. ``name``: it is the term itself; ``glossary``, ``alias``: a synonym; ``broader``,
            ``narrower``: the term lies above or below the word's; ``model``: the chat model chose it.
        permissions: Who may read what says so, as chunk metadata holds it.
    """

    word: str
    term: str
    area: str
    by: Literal["name", "glossary", "alias", "broader", "narrower", "model"]
    permissions: list[str]


class Search(TypedDict):
    """What a search is told: it gets no more of the state.

    Args:
        query: What to search for.
        filter: Where to search, if not everywhere; where nothing is found so, everywhere all the same.
    """

    query: str
    filter: NotRequired[Mapping[str, Any]]


class Verdict(TypedDict):
    """How far what was found can answer the question.

    Args:
        score: All in all, 0 to 1.
        diagnosis: ``enough``; ``not_covered``: it is about the question, but not all of it; ``not_relevant``.
        missing: Names in the question that no passage holds.
        strategy: How the question is put in other words after it, if it is.
    """

    score: float
    diagnosis: Literal["enough", "not_covered", "not_relevant"]
    missing: list[str]
    strategy: Strategy | None


KNOWLEDGE: Intent = {"kind": "knowledge", "confidence": 0.0, "by": "default", "is_request": False}
"""The intent of a question that nobody looked into."""
