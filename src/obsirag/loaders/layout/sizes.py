"""What the sizes of letters tell: which are the text's, and which are headings'."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from obsirag.loaders.layout.line import Line

__all__ = ["Sizes"]

_DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Sizes:
    """The sizes in a document.

    Args:
        body: The size of its text.
        headings: The sizes of its headings, the largest first.
        step: By which factor letters are larger that are so on purpose.
    """

    body: float
    headings: tuple[float, ...]
    step: float

    @classmethod
    def of(cls, lines: Iterable[Line], *, step: float) -> Sizes:
        """Return the sizes of a document's lines.

        Args:
            lines: All its lines.
            step: By which factor letters are larger that are so on purpose: more where sizes are only estimated.
        """
        counts: Counter[float] = Counter()
        for line in lines:
            if not line.is_table:
                counts[round(line.size * 2) / 2] += len(line.text)
        body = max(counts, key=lambda size: (counts[size], -size), default=0.0)
        headings: list[float] = []
        for size in sorted((each for each in counts if each > body * step), reverse=True):
            if not headings or size * (1 + (step - 1) / 2) < headings[-1]:
                headings.append(size)
        return cls(body, tuple(headings), step)

    def level(self, line: Line) -> int:
        """Return which level of heading a line has by its size, from 1; 0 for text."""
        if line.is_table or line.size <= self.body * self.step:
            return 0
        nearest = min(range(len(self.headings)), key=lambda index: abs(self.headings[index] - line.size), default=-1)
        return min(nearest + 1, _DEEPEST)
