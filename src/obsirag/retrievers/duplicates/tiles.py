"""All pairs over a threshold by products of whole tiles: what row strips do, better cached and in less memory."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from obsirag.retrievers.duplicates.pair_list import PairList
from obsirag.retrievers.duplicates.unit_rows import Floats, Indices, UnitRows, dot_error

__all__ = ["TILE", "Cells", "pairs_by_tiles", "product_of", "upper_triangle"]

TILE = 512
"""Rows on either side of a tile: its product stays in the processor's cache while it is compared."""

_CELLS = 1 << 18
"""Cells whose pairs are collected at a time."""

_WAITING = 1024
"""Pairs that are decided together."""

Cells: TypeAlias = NDArray[np.bool_]


def pairs_by_tiles(units: UnitRows, rows: Indices, threshold: float) -> Indices:
    """Return the pairs of ``rows`` whose cosine is over ``threshold``, as sorted pairs of their indices.

    Args:
        units: The vectors.
        rows: Indices of those to compare, sorted; none of these is zero.
        threshold: A cosine.
    """
    count, height = len(rows), min(TILE, len(rows))
    pairs = PairList(len(units.vectors))
    cells = np.empty(height * count, dtype=np.bool_)
    products = np.empty(height * height, dtype=np.float32)
    for top in range(0, count, TILE):
        here = rows[top : top + TILE]
        left = units.unit(_compact(here))
        strip = _Strip(units, rows[top:], threshold, cells[: len(here) * (count - top)].reshape(len(here), count - top))
        strip.compare(0, product_of(left, left, products), 1.0)  # a matrix by itself takes half the time
        for side in range(top + TILE, count, TILE):
            others = _compact(rows[side : side + TILE])
            # The threshold is scaled, not the rows: there are fewer of them.
            lengths = 1.0 if units.are_unit else units.lengths(others)
            strip.compare(side - top, product_of(left, units.single(others), products), lengths)
        strip.collect(pairs)
    return pairs.to_array(in_order=True)


def product_of(left: Floats, right: Floats, buffer: Floats) -> Floats:
    """Return the product of each row of ``left`` with each of ``right``, written into ``buffer``."""
    shape = len(left), len(right)
    return np.dot(left, right.T, out=buffer[: shape[0] * shape[1]].reshape(shape))


def upper_triangle(side: int) -> Cells:
    """Return the cells right of the diagonal: each pair once, and no row with itself."""
    return ~np.tri(side, dtype=np.bool_)


def _compact(rows: Indices) -> Indices | slice:
    """Return sorted row numbers as a slice, if they are in a row: then nothing has to be fetched one by one."""
    first, last = int(rows[0]), int(rows[-1])
    return slice(first, last + 1) if last - first == len(rows) - 1 else rows


class _Strip:
    """Some rows, compared with themselves and all that follow.

    Args:
        units: The vectors.
        rows: Indices of the rows and all that follow.
        threshold: A cosine.
        cells: Where to write what is over it, (number of the rows, number of all).
    """

    def __init__(self, units: UnitRows, rows: Indices, threshold: float, cells: Cells) -> None:
        self._units = units
        self._rows = rows
        self._threshold = threshold
        self._cells = cells
        self._error = dot_error(units.vectors.shape[1])
        self._close: list[tuple[Indices, Indices]] = []

    def compare(self, side: int, products: Floats, lengths: Floats | float) -> None:
        """Compare the products of the rows with those from ``side`` on, which have these lengths."""
        cells = self._cells[:, side : side + products.shape[1]]
        np.greater(products, (self._threshold - self._error) * lengths, out=cells)
        if side == 0:
            cells &= upper_triangle(len(cells))
        if cells.any():
            close = products <= (self._threshold + self._error) * lengths
            close &= cells
            left, right = np.divmod(np.flatnonzero(close), products.shape[1])
            if len(left):
                self._close.append((left, right + side))
            if sum(len(each) for each, _ in self._close) >= _WAITING:
                self._decide()

    def collect(self, pairs: PairList) -> None:
        """Add the pairs that were found."""
        self._decide()
        width, places = self._cells.shape[1], _compact(self._rows)
        step = max(1, _CELLS // width)
        for top in range(0, len(self._cells), step):
            right = np.flatnonzero(self._cells[top : top + step])
            if len(right):
                left = right // width
                right -= left * width
                left += top
                if isinstance(places, slice):
                    left += places.start
                    right += places.start
                    pairs.add(left, right)
                else:
                    pairs.add(self._rows[left], self._rows[right])

    def _decide(self) -> None:
        """Decide in float64 on the cells that float32 can't tell from the threshold."""
        if self._close:
            left, right = (np.concatenate(side) for side in zip(*self._close, strict=True))
            self._cells[left, right] = self._units.cosines(self._rows[left], self._rows[right]) > self._threshold
            self._close = []
