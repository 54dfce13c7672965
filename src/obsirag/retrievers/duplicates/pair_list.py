"""Pairs of indices collected in one growing array, so that they need little more memory than the result."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from obsirag.retrievers.duplicates.unit_rows import Indices

__all__ = ["PairList"]

_AT_ONCE = 1 << 18
"""Pairs packed or unpacked at a time."""

_SPARE = 1 << 20
"""Most pairs that memory is taken for in advance."""


class PairList:
    """Pairs of different indices.

    Args:
        size: More than any index; at most 2**31.
    """

    def __init__(self, size: int) -> None:
        self._bits = size.bit_length()
        self._numbers = np.empty(0, dtype=np.int64)
        self._count = 0

    def add(self, left: Indices, right: Indices) -> None:
        """Add the pairs of ``left`` and ``right``, as many of each."""
        end = self._count + len(left)
        if 2 * end > len(self._numbers):
            # Most systems enlarge so large an array where it is. Nobody else holds it.
            self._numbers.resize(2 * (end + min(end // 8, _SPARE) + 1024), refcheck=False)
        self._numbers[2 * self._count : 2 * end : 2] = left
        self._numbers[2 * self._count + 1 : 2 * end : 2] = right
        self._count = end

    def to_array(self, *, in_order: bool = False) -> Indices:
        """Return all pairs (i, j) with i < j as an array (m, 2), sorted, and forget them.

        Args:
            in_order: They were added so.
        """
        if not in_order:
            self._sort()
        numbers, count = self._numbers, self._count
        self._numbers, self._count = np.empty(0, dtype=np.int64), 0
        numbers.resize(2 * count, refcheck=False)
        return numbers.reshape(count, 2)

    def _sort(self) -> None:
        """Sort the pairs where they are, each for that time packed into one number."""
        numbers = self._numbers
        for part in self._parts():
            left, right = numbers[2 * part.start : 2 * part.stop : 2], numbers[2 * part.start + 1 : 2 * part.stop : 2]
            numbers[part] = np.minimum(left, right) << self._bits | np.maximum(left, right)
        numbers[: self._count].sort()
        # From the end, where two indices never reach what is still packed.
        for part in reversed([*self._parts()]):
            packed = numbers[part].copy()
            numbers[2 * part.start : 2 * part.stop : 2] = packed >> self._bits
            numbers[2 * part.start + 1 : 2 * part.stop : 2] = packed & (1 << self._bits) - 1

    def _parts(self) -> Iterator[slice]:
        for start in range(0, self._count, _AT_ONCE):
            yield slice(start, min(start + _AT_ONCE, self._count))
