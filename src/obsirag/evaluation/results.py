"""What was found for one question: by retrieval, and what every kind of result has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

__all__ = ["QuestionResult", "Result"]


class Result(Protocol):
    """What a report has to know of any result."""

    @property
    def id(self) -> str:
        """The question's id."""

    @property
    def kind(self) -> str:
        """Its kind."""

    @property
    def lang(self) -> str:
        """Its language."""

    @property
    def has_gold(self) -> bool:
        """Whether there is anything to find."""

    @property
    def leaked(self) -> bool:
        """Whether something came back that the caller may not read."""

    @property
    def degraded(self) -> bool:
        """Whether a part failed on the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionResult:
    """When one question had found what it needs, and what else was told of it.

    Args:
        id: The question's id.
        kind: Its kind.
        lang: Its language.
        has_gold: Whether there is anything to find; if not, there are no ranks and no shares.
        returned: Number of chunks that came back.
        ranks: For each need the 1-based rank of the first chunk that holds it; None if none does. A question that
            needs ``any`` of its gold spans has one need, one that needs ``all`` has one for each.
        note_rank: The rank at which all needs were met, counted in notes.
        characters: Length of the text up to the end of the chunk with which all needs were met.
        line_precision: The share of the first chunks' characters that lie in gold lines.
        line_recall: The share of the gold lines that the first chunks hold.
        distinct_notes: Number of different notes among the first chunks.
        leaked: Whether a chunk came back that the caller may not read.
        degraded: Whether a part of the search failed, so that less may have been found.
        seconds: How long the retriever took.
    """

    id: str
    kind: str = ""
    lang: str = ""
    has_gold: bool = True
    returned: int = 0
    ranks: tuple[int | None, ...] = ()
    note_rank: int | None = None
    characters: int | None = None
    line_precision: float | None = None
    line_recall: float | None = None
    distinct_notes: int | None = None
    leaked: bool = False
    degraded: bool = False
    seconds: float | None = None

    @property
    def chunk_rank(self) -> int | None:
        """The 1-based rank of the chunk with which all needs were met; None if they never were."""
        known = [rank for rank in self.ranks if rank is not None]
        return max(known) if known and len(known) == len(self.ranks) else None

    @property
    def hit_rank(self) -> int | None:
        """The 1-based rank of the first chunk that holds anything of what is needed; None if there is none."""
        return min((rank for rank in self.ranks if rank is not None), default=None)
