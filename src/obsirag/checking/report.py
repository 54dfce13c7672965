"""What a check for typos found, and what it didn't come to."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Typo", "TypoReport", "Unchecked"]


@dataclass(frozen=True, slots=True, order=True)
class Typo:
    """A word that looks misspelt.

    Args:
        path: The note.
        line: 1-based line of its file.
        column: 1-based column in that line, in characters.
        word: The word as it stands there.
        suggestion: What may be meant.
        before: The text before it in its sentence, on one line; where that is long, its end.
        after: The text behind it, likewise.
    """

    path: str
    line: int
    column: int
    word: str
    suggestion: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, order=True)
class Unchecked:
    """A note that wasn't checked, or not all of it.

    Args:
        path: The note.
        line: 1-based line of the first sentence that wasn't.
        sentences: How many weren't.
    """

    path: str
    line: int
    sentences: int


@dataclass(frozen=True, slots=True)
class TypoReport:
    """What a check of a vault came to.

    Args:
        vault: The vault's folder.
        notes: How many notes were read.
        sentences: How many sentences they have.
        typos: What was found, by path and place.
        unchecked: The notes with sentences that weren't checked, by path.
        reason: Why they weren't; empty if all were.
        calls: How often the chat model was asked.
        tokens: How many tokens it read and wrote.
    """

    vault: str
    notes: int
    sentences: int
    typos: tuple[Typo, ...]
    unchecked: tuple[Unchecked, ...]
    reason: str
    calls: int
    tokens: int

    @property
    def is_complete(self) -> bool:
        """Whether everything was checked."""
        return not self.unchecked
