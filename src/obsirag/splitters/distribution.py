"""How the lengths of chunks are distributed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Self

__all__ = ["Bin", "LengthDistribution"]

_MOST_BINS = 12


@dataclass(frozen=True, slots=True)
class Bin:
    """One bar of a histogram: ``chunks`` of a length of at least ``start`` and less than ``end``."""

    start: int
    end: int
    chunks: int


@dataclass(frozen=True, slots=True)
class LengthDistribution:
    """The lengths of some chunks, contexts and overlaps included.

    Args:
        unit: What is counted, e.g. ``characters``.
        chunks: How many chunks were measured.
        minimum: The least length.
        median: The length that half of the chunks don't pass, one that occurs (nearest rank).
        p90: The length that nine in ten don't pass, likewise.
        maximum: The greatest length.
        histogram: At most a dozen bins of equal width, side by side, from that of the minimum to that of the maximum.
    """

    unit: str
    chunks: int
    minimum: int
    median: int
    p90: int
    maximum: int
    histogram: tuple[Bin, ...]

    @classmethod
    def of(cls, lengths: Iterable[int], unit: str) -> Self:
        """Return the distribution of ``lengths``, of which there is at least one.

        Raises:
            ValueError: If there is none.
        """
        ordered = sorted(lengths)
        if not ordered:
            raise ValueError("there are no lengths: nothing was measured")
        return cls(
            unit=unit,
            chunks=len(ordered),
            minimum=ordered[0],
            median=_nearest_rank(ordered, 50),
            p90=_nearest_rank(ordered, 90),
            maximum=ordered[-1],
            histogram=_histogram(ordered),
        )


def _nearest_rank(ordered: Sequence[int], percent: int) -> int:
    return ordered[-(-len(ordered) * percent // 100) - 1]


def _histogram(ordered: Sequence[int]) -> tuple[Bin, ...]:
    lowest, highest = ordered[0], ordered[-1]
    width = next(width for width in _round_widths() if highest // width - lowest // width < _MOST_BINS)
    counts = Counter(length // width for length in ordered)
    return tuple(
        Bin(index * width, (index + 1) * width, counts[index]) for index in range(lowest // width, highest // width + 1)
    )


def _round_widths() -> Iterable[int]:
    """Yield 1, 2, 5, 10, 20, 50 and so on."""
    return (digit * 10**power for power in count() for digit in (1, 2, 5))
