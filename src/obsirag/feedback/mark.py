"""A mark: what a person thinks of an answer, or of one of its sources."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

__all__ = ["KINDS", "Mark", "MarkKind"]

MarkKind = Literal["good", "bad", "better_source", "correction"]
"""``good`` and ``bad`` judge the sources, ``better_source`` names one that should have been found, and ``correction``
says in words what is right."""

KINDS: tuple[MarkKind, ...] = get_args(MarkKind)

_SIGNS = {"good": 1, "bad": -1, "better_source": 1, "correction": 0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A mark on an answer or on some of its sources.

    Args:
        id: Its name, which never changes.
        kind: What it says.
        question: What was asked, so that it can be understood alone.
        sources: The notes that it is about: vault-relative paths, or URLs.
        words: What its maker adds.
        labels: The labels that its maker held; only who holds all of them sees it, or anything that comes of it.
        at: When it was made, in UTC.
    """

    id: str
    kind: MarkKind
    question: str
    sources: tuple[str, ...]
    words: str = ""
    labels: tuple[str, ...] = ()
    at: datetime

    @property
    def vote(self) -> float:
        """What it says of each of its sources, from -1 to 1: one mark is one vote, shared among its sources."""
        return _SIGNS[self.kind] / len(self.sources) if self.sources else 0.0
