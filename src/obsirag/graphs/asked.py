"""What is searched for: what persons asked in their own words, and in the notes the vault's terms beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from obsirag.graphs.follow_up import refers_back
from obsirag.graphs.state import EarlierTurn, MappedTerm, RagState
from obsirag.graphs.vocabulary import holds_name

__all__ = ["area_filter", "notes_query", "referred_to", "web_query", "with_terms", "wordings"]


def referred_to(question: str, earlier: Sequence[EarlierTurn]) -> list[EarlierTurn]:
    """Return the turns back to the question that stands alone: a follow-up may follow a follow-up.

    Args:
        question: The question.
        earlier: The turns before it, oldest first.
    """
    chain: list[EarlierTurn] = []
    for turn in reversed(earlier):
        if not refers_back(question):
            break
        chain.insert(0, turn)
        question = turn["question"]
    return chain


def notes_query(state: RagState) -> str:
    """Return what the notes are searched for: the question, with the vault's terms that it lacks behind it.

    They are put together for each search, and kept nowhere but in ``terms``: no web search, no prompt for other words
    and no caller with other labels gets to see a term that only notes hold.
    """
    return with_terms(state["search_text"], state["terms"])


def with_terms(query: str, terms: Sequence[MappedTerm]) -> str:
    """Return a query with those terms behind it that it lacks."""
    missing = dict.fromkeys(each["term"] for each in terms if not holds_name(query, each["term"]))
    return f"{query}\n{' '.join(missing)}" if missing else query


def wordings(state: RagState) -> list[str]:
    """Return the question as it can be understood alone, and in the vault's words if it has others.

    For rules that look for its words in passages. The second one is for no prompt, and is kept nowhere: its terms may
    stand in notes that not everybody may read.
    """
    question = state["standalone"]
    terms: dict[str, list[str]] = {}
    for each in state["terms"]:
        if each["by"] in ("glossary", "alias"):
            terms.setdefault(each["word"], []).append(each["term"])
    for word, meant in terms.items():
        if len(meant) == 1:
            question = question.replace(word, f" {meant[0]} ")
    return [*dict.fromkeys([state["standalone"], question])]


def area_filter(state: RagState, areas: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return where to search: what belongs to the one area of the question's terms; None for everywhere.

    Once that has been found to be not enough, the notes are searched everywhere.

    Args:
        state: The state.
        areas: Filters by the names of areas.
    """
    named = {each["area"].casefold() for each in state["terms"]}
    if state["verdicts"] or len(named) != 1:
        return None
    return next((chosen for area, chosen in areas.items() if area.casefold() in named), None)


def web_query(state: RagState) -> str:
    """Return what the web is searched for: nothing that only notes say.

    A chat model that words a follow-up has seen earlier answers, and all later words for it are made of those. So a
    follow-up goes to the web as it was asked, with the questions that it refers to behind it. Of a question that stands
    alone the model saw nothing but the question itself.
    """
    if not state["earlier"]:
        return state["search_text"]
    before = [turn["question"] for turn in referred_to(state["question"], state["earlier"])]
    return "\n".join([state["question"], *reversed(before)])
