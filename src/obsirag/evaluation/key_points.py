"""Which key points an answer states."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from obsirag.evaluation.questions import Question
from obsirag.graphs.claims import Claim, Passage, is_stated, plain_text
from obsirag.text import sentence_ends

__all__ = ["Judge", "judge_by_rule", "states"]

Judge = Callable[[Question, str], Sequence[float]]
"""Says of each key point of a question how far an answer states it, 0 to 1."""

_YES_OR_NO = r"(?:yes|no|not|是的?|不是|不?会|不?可以|不?能|不行|不用)"
_OPENING = re.compile(rf"{_YES_OR_NO}\s*[,，:：;；。.]\s*", re.IGNORECASE)
_ONLY_YES_OR_NO = re.compile(rf"{_YES_OR_NO}\W*", re.IGNORECASE)
_PARAGRAPH_END = re.compile(r"\n\s*\n")


def judge_by_rule(question: Question, answer: str) -> list[float]:
    """Return for each key point whether the answer states it; see ``states``."""
    return [float(states(answer, point)) for point in question.key_points]


def states(answer: str, point: str) -> bool:
    """Say whether an answer states a key point, by rule.

    A paragraph of the answer has to state it, or two that follow each other. A paragraph does if it has all numbers
    and names of the point and at least six tenths of its words, and neither denies what the point affirms nor affirms
    what it denies; ``obsirag.graphs.claims`` tells the rule, and what it cannot see. A "yes" or "no" at the
    beginning of a point is passed over; a point that is nothing else must stand in the answer's first sentence, word
    for word.

    The rule is made for comparing two configurations on the same questions. For a verdict on a single answer, read it,
    or let a chat model judge.

    Args:
        answer: The answer.
        point: The key point.
    """
    said, text = plain_text(answer), plain_text(point)
    if _ONLY_YES_OR_NO.fullmatch(text):
        return _has_literally(_first_sentence(said), text)
    if opening := _OPENING.match(text):
        text = text[opening.end() :]
    claim = Claim(text)
    if not claim.has_content:
        return _has_literally(said, text)
    return any(is_stated(claim, Passage(window)) for window in _windows(said))


def _windows(answer: str) -> Iterator[str]:
    """Yield each paragraph together with the one after it."""
    paragraphs = [each for each in _PARAGRAPH_END.split(answer) if each.strip()]
    yield from map("\n".join, pairwise([*paragraphs, ""]))


def _first_sentence(text: str) -> str:
    return text[: next(iter(sentence_ends(text)), len(text))]


def _has_literally(answer: str, claim: str) -> bool:
    return bool(re.search(rf"(?<![A-Za-z0-9]){re.escape(claim.strip())}(?![A-Za-z0-9])", answer, re.IGNORECASE))
