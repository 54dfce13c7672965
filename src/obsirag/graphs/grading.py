"""Whether what was found can answer a question, and what to do if not: the rules.

A round's score is ``0.6 × relevance + 0.4 × coverage``. Relevance is that of the best note, for one note that answers
is enough, however many others were found beside it. Coverage is the share of the names in the question (identifiers,
quoted words, product names) that the passages hold; without any, relevance alone counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from langchain_core.documents import Document

from obsirag.config import GradingOptions
from obsirag.graphs.state import Strategy, Verdict
from obsirag.graphs.support import Atom, atoms_of, coverage, is_supported, weigh
from obsirag.graphs.terms import document_words

__all__ = ["NOISE", "judge", "next_strategy", "relevance_by_words"]

RELEVANCE_SHARE = 0.6
COVERAGE_SHARE = 0.4
NOISE = 0.2
"""A note that is judged to be worth less is left out, where another one is worth more."""


def judge(
    question: str,
    relevance: float,
    evidence: Sequence[Document],
    hits: Sequence[Document],
    options: GradingOptions,
) -> Verdict:
    """Return the verdict on a round, without what follows from it.

    Args:
        question: The question, as it can be understood alone.
        relevance: How relevant the best note is, 0 to 1.
        evidence: The passages.
        hits: Everything that the searches found, which shows what is rare.
        options: The thresholds.
    """
    names = [atom for atom in atoms_of(question) if atom.is_name]
    texts = [document_words(each) for each in evidence] if names else []
    missing = [atom for atom in names if not any(map(atom.is_in, texts))]
    score = relevance
    if names:
        score = RELEVANCE_SHARE * relevance + COVERAGE_SHARE * (1 - len(missing) / len(names))
    diagnosis: Literal["enough", "not_covered", "not_relevant"]
    if evidence and score >= options.threshold:
        diagnosis = "enough"
    # A middling model's low opinion doesn't outweigh passages that hold the question's own words.
    elif evidence and (
        score >= options.relevant
        or is_supported(question, [*map(document_words, evidence)], [*map(document_words, hits)])
    ):
        diagnosis = "not_covered"
    else:
        diagnosis = "not_relevant"
    return Verdict(
        score=score,
        diagnosis=diagnosis,
        missing=[atom.whole[0] for atom in missing],
        strategy=None,
    )


def relevance_by_words(question: str, evidence: Sequence[Document], hits: Sequence[Document]) -> float:
    """Return how relevant the best passage is, 0 to 1, by the question's words alone."""
    atoms: list[Atom] = atoms_of(question)
    weights = weigh(atoms, [document_words(each) for each in hits])
    return max((coverage(atoms, weights, document_words(each)) for each in evidence), default=0.0)


def next_strategy(verdicts: Sequence[Verdict], options: GradingOptions) -> Strategy | None:
    """Return how to put the question in other words after the last verdict; None if that won't help any more.

    It won't after so many times, without a better score than before, or if the same strategy would come twice.
    """
    last, before = verdicts[-1], verdicts[:-1]
    if last["diagnosis"] == "enough" or len(before) >= options.max_rewrites:
        return None
    # Each round before the last one was better than those before it, or there would be no last one.
    if before and last["score"] <= before[-1]["score"]:
        return None
    strategy = _strategy_for(last)
    return None if any(verdict["strategy"] == strategy for verdict in before) else strategy


def _strategy_for(verdict: Verdict) -> Strategy:
    if not verdict["missing"]:
        return "reformulate"
    # A name that no note holds: ask for what it belongs to. One that only these passages lack: ask for it.
    return "generalise" if verdict["diagnosis"] == "not_relevant" else "specify"
