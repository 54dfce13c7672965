"""A question in a chat model's words: whether these can be used."""

from __future__ import annotations

import re
from collections.abc import Sequence

from obsirag.graphs.follow_up import without_opening
from obsirag.graphs.support import atoms_of
from obsirag.graphs.terms import content_terms, words_of

__all__ = ["adds_nothing", "is_faithful", "written_question"]

LONGEST = 400
"""Most characters: what is longer is an answer, or a list."""
KEPT_SHARE = 0.5
"""A follow-up in other words keeps at least this share of its own content words."""

_LABEL = re.compile(
    r"\A[\s>*#-]*+(?:(?:(?:standalone|rewritten|new|search)\s*)?(?:question|query)|(?:改写后?的?|独立的?|完整的?)?(?:问题|查询))\s*[:：]\s*",
    re.IGNORECASE,
)
_AROUND = " \t*`\"'“”「」"


def written_question(text: str) -> str:
    """Return the question that a model wrote, without what it put around it; empty if it is none."""
    lines = (line.strip(_AROUND) for line in _LABEL.sub("", text).splitlines())
    first = next((line for line in lines if line), "")
    return first if len(first) <= LONGEST else ""


def adds_nothing(rewritten: str, question: str) -> bool:
    """Say whether a model left a question as it is, but for words that lead on.

    Args:
        rewritten: The question in the model's words.
        question: As it was asked.
    """
    left, asked = (set(content_terms(without_opening(each))) for each in (rewritten, question))
    return bool(rewritten) and left == asked


def is_faithful(rewritten: str, question: str, said: Sequence[str]) -> bool:
    """Say whether a follow-up in other words asks the same, and can be understood alone.

    It has to bring in a word, or the question might as well stand. Middling models answer the question instead, leave
    half of it out, or put in names from nowhere.

    Args:
        rewritten: The question in a model's words.
        question: As it was asked.
        said: What was said before it.
    """
    own, new = set(content_terms(question)), set(content_terms(rewritten))
    if new <= own or len(own & new) < KEPT_SHARE * len(own):
        return False
    words = words_of("\n".join([question, *said]))
    return all(atom.is_in(words) for atom in atoms_of(rewritten) if atom.is_name)
