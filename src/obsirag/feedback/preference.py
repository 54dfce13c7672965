"""What marks say of sources, for a question: the nearer their questions and the newer, the more they say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from math import fsum

from obsirag.feedback.mark import Mark
from obsirag.feedback.question_vectors import QuestionVector, cosine_of
from obsirag.text.content_terms import content_terms

__all__ = ["MarkedQuestion", "Preference", "likeness", "terms_of", "weigh_marks"]

_DAY = 86_400
# One vote that nobody else confirms or denies counts half; ten that agree, ten elevenths.
_DOUBT = 1.0


@dataclass(frozen=True, slots=True)
class Preference:
    """What people's marks say of a source, for one question.

    Args:
        source: Vault-relative path, or a URL.
        share: From -1, all against it, to 1, all for it; neither is ever reached.
        marks: The ids of the marks, the weightiest first.
    """

    source: str
    share: float
    marks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """A mark, and the terms of its question.

    Args:
        mark: The mark.
        terms: What its question is about.
        vector: The vector of its question, if it has one.
    """

    mark: Mark
    terms: frozenset[str]
    vector: QuestionVector | None = None


def terms_of(question: str) -> frozenset[str]:
    """Return what a question is about, as marks are compared by it."""
    return frozenset(content_terms(question))


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how much two questions have in common, from 0 to 1: twice the terms of both by the terms of each (Dice).

    Of two questions without any content term, nothing is known: 0.
    """
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def numbers_in(terms: frozenset[str]) -> frozenset[str]:
    """Return the terms with digits: questions that differ in one are near for a model, and ask for something else."""
    return frozenset(term for term in terms if any(map(str.isdigit, term)))


def days_between(then: datetime, now: datetime) -> int:
    """Return how many days of the calendar (UTC) lie between; 0 for a mark from the future."""
    return max(0, int(now.timestamp() // _DAY) - int(then.timestamp() // _DAY))


def weigh_marks(
    marks: Iterable[MarkedQuestion],
    terms: frozenset[str],
    *,
    now: datetime,
    half_life: float,
    min_likeness: float,
    vector: QuestionVector | None = None,
    min_cosine: float = 1.0,
) -> dict[str, Preference]:
    """Return what marks say of sources, by source; those that nothing is said of are missing.

    A mark weighs as much as its question is like the one that is asked, halved with each half-life of its age, which is
    counted in days of the calendar. A source's share is the sum of its weighted votes by one more than the sum of
    their sizes. The order of the marks doesn't matter.

    Args:
        marks: The marks.
        terms: What is asked about.
        now: The present time.
        half_life: Days after which a mark counts half.
        min_likeness: From which likeness on a mark counts at all, 0 to 1.
        vector: The vector of what is asked, if there is one.
        min_cosine: From which cosine on a mark counts, whatever the likeness; by the cosine then.
    """
    votes: dict[str, list[tuple[float, str]]] = {}
    for each in marks:
        near = likeness(each.terms, terms) if each.mark.vote else 0.0
        if near < min_likeness:
            near = 0.0
        if each.mark.vote and vector is not None and numbers_in(each.terms) == numbers_in(terms):
            cosine = min(1.0, cosine_of(each.vector, vector))
            near = max(near, cosine if cosine >= min_cosine else 0.0)
        if near > 0:
            weight = near * 0.5 ** (days_between(each.mark.at, now) / half_life)
            for source in each.mark.sources:
                votes.setdefault(source, []).append((weight * each.mark.vote, each.mark.id))
    return {source: _preference(source, own) for source, own in sorted(votes.items())}


def _preference(source: str, votes: list[tuple[float, str]]) -> Preference:
    size = fsum(abs(vote) for vote, _ in votes)
    share = fsum(vote for vote, _ in votes) / (_DOUBT + size)
    ordered = sorted(votes, key=lambda vote: (-abs(vote[0]), vote[1]))
    return Preference(source, share, tuple(name for _, name in ordered))
