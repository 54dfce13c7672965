"""A chunk while it is made: offsets and what is put around them."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Piece"]


@dataclass(slots=True)
class Piece:
    """A chunk to be.

    Args:
        start: Offset of its own first character; neither it nor the last is a blank.
        end: Offset after its last character.
        before: What is put before the text because a structure was cut: an opened fence, a table's head.
        after: What is put behind it: the fence's closing.
        partial: Whether a block was cut at its start or end.
        link: Equal for a code and the text it belongs to that had to become chunks of their own; -1 for others.
        overlap: How many characters of the text before ``start`` the chunk repeats.
    """

    start: int
    end: int
    before: str = ""
    after: str = ""
    partial: bool = False
    link: int = -1
    overlap: int = 0

    def content(self, text: str) -> str:
        """Return the chunk's text."""
        return self.before + text[self.start - self.overlap : self.end] + self.after
