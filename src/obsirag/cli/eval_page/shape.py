"""What is kept of a question that failed: little, since there may be many."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from obsirag.evaluation import AnswerResult, QuestionResult
from obsirag.evaluation.questions import Question

__all__ = ["Failure", "Gold", "Hit", "Round", "Search", "Trace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """Lines that hold an answer.

    Args:
        place: Where they are: ``source``, ``start_line``, ``end_line``.
        link: The link that opens their note; empty if there is no such note.
        text: Their text; empty if there is none, or the question's labels don't admit it.
        fault: ``missing`` if they aren't in the vault, ``withheld`` if the labels don't admit them; else empty.
    """

    place: Mapping[str, Any]
    link: str = ""
    text: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A chunk that was found.

    Args:
        rank: Its rank.
        place: Where it stands: ``source``, and ``title``, ``headings``, ``start_line`` and ``end_line`` if known.
        link: The link that opens it; empty if there is none.
        score: Its score, if known.
        text: How it begins.
        is_gold: Whether it holds a line of a gold span.
        is_leak: Whether whoever asked may not read it.
        dropped_by: The node after which it was gone.
        duplicate_of: What stands for it, where a near-duplicate was merged.
    """

    rank: int
    place: Mapping[str, Any]
    link: str = ""
    score: float | None = None
    text: str = ""
    is_gold: bool = False
    is_leak: bool = False
    dropped_by: str | None = None
    duplicate_of: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A search.

    Args:
        name: Its name.
        query: What was searched for; empty if it was the question as it stands.
        count: How many chunks it found.
        failed: What failed in it.
        hits: The first of them, and those that hold gold.
        gold_ranks: For each gold span the rank of the first chunk that holds it; None if none does.
    """

    name: str
    query: str
    count: int
    failed: tuple[str, ...] = ()
    hits: tuple[Hit, ...] = ()
    gold_ranks: tuple[int | None, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round of searching and judging.

    Args:
        searches: The searches.
        stages: What was left: the node, the number of chunks, and whether one of them holds gold.
        verdict: What was judged.
    """

    searches: tuple[Search, ...]
    stages: tuple[tuple[str, int, bool], ...] = ()
    verdict: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """How a question went.

    Args:
        rounds: The rounds.
        plan: What was settled before the first search, by name.
        nodes: The nodes in their order, with their seconds.
        error: The kind of what ended it; empty if nothing did.
    """

    rounds: tuple[Round, ...] = ()
    plan: Mapping[str, Any] = field(default_factory=dict)
    nodes: tuple[tuple[str, float], ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A question that failed.

    Args:
        question: The question.
        result: What it got.
        failings: What went wrong, the worst first.
        gold: Where the answer stands.
        found: What came back; None for an evaluation of answers.
        gold_citations: The numbers of the citations that hold gold.
        trace: How it went.
    """

    question: Question
    result: QuestionResult | AnswerResult
    failings: tuple[str, ...]
    gold: tuple[Gold, ...]
    found: Search | None = None
    gold_citations: frozenset[int] = frozenset()
    trace: Trace = Trace()
