"""All pairs over a threshold, most of them dismissed by a bound; only the rest are compared."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from obsirag.retrievers.duplicates.bound import bisected, bound_error, bound_rows, coordinate_error, coordinates
from obsirag.retrievers.duplicates.pair_list import PairList
from obsirag.retrievers.duplicates.plan import PAIR
from obsirag.retrievers.duplicates.tiles import TILE, Cells, product_of, upper_triangle
from obsirag.retrievers.duplicates.unit_rows import Floats, Indices, UnitRows, dot_error

__all__ = ["pairs_by_bound"]

_WAITING = 4096
"""Pairs that are checked together."""

_FETCH = 24
"""Fetching a row for a product, in cells of that product; as ``PAIR``, an order of magnitude."""


def pairs_by_bound(units: UnitRows, rows: Indices, threshold: float, basis: Floats) -> Indices:
    """Return the pairs of ``rows`` whose cosine is over ``threshold``, as sorted pairs of their indices.

    Args:
        units: The vectors.
        rows: Indices of those to compare; none of these is zero.
        threshold: A cosine.
        basis: An orthonormal basis (d, k) of where the vectors mostly lie: the better it is, the faster.
    """
    rows, bounds = _prepare(units, rows, basis)
    check = _Check(units, threshold)
    floor = threshold - bound_error(*basis.shape)
    buffer = np.empty(TILE * TILE, dtype=np.float32)
    compared = np.empty(TILE * TILE, dtype=np.bool_)
    for top in range(0, len(rows), TILE):
        left = bounds[top : top + TILE]
        for side in range(top, len(rows), TILE):
            bound = product_of(left, bounds[side : side + TILE], buffer)
            over = np.greater(bound, floor, out=compared[: bound.size].reshape(bound.shape))
            if side == top:
                over &= upper_triangle(len(left))
            if over.any():
                check.add(over, rows[top : top + TILE], rows[side : side + TILE], diagonal=side == top)
    return check.pairs()


def _prepare(units: UnitRows, rows: Indices, basis: Floats) -> tuple[Indices, Floats]:
    """Return the rows in an order that brings similar ones together, and their bound rows."""
    error = coordinate_error(*basis.shape)
    bounds = np.empty((len(rows), basis.shape[1] + 1), dtype=np.float32)
    for start in range(0, len(rows), TILE):
        part = slice(start, start + TILE)
        # Scaled as coordinates, there is less to scale.
        inside = coordinates(units.single(rows[part]), basis)
        if not units.are_unit:
            inside /= units.lengths(rows[part])[:, None]
        bounds[part] = bound_rows(inside, error)
    order = bisected(bounds[:, :-1], TILE)
    return rows[order], bounds[order]


class _Check:
    """Compares the pairs that a bound has left, each tile in the way that costs least."""

    def __init__(self, units: UnitRows, threshold: float) -> None:
        self._units = units
        self._threshold = threshold
        self._error = dot_error(units.vectors.shape[1])
        self._found = PairList(len(units.vectors))
        self._waiting: list[tuple[Indices, Indices]] = []
        self._count = 0

    def add(self, over: Cells, rows: Indices, others: Indices, *, diagonal: bool) -> None:
        """Check the pairs of rows and others where ``over`` is true."""
        left, right = np.divmod(np.flatnonzero(over), over.shape[1])
        single = PAIR * len(left)
        if single > _FETCH * TILE:
            tops, sides = np.flatnonzero(over.any(axis=1)), np.flatnonzero(over.any(axis=0))
            if single > len(tops) * len(sides) + _FETCH * (len(tops) + len(sides)):
                self._multiply(rows[tops], others[sides], tops[:, None] < sides if diagonal else None)
                return
        self._waiting.append((rows[left], others[right]))
        self._count += len(left)
        if self._count >= _WAITING:
            self._check_waiting()

    def pairs(self) -> Indices:
        """Return all pairs found."""
        if self._waiting:
            self._check_waiting()
        return self._found.to_array()

    def _multiply(self, rows: Indices, others: Indices, wanted: Cells | None) -> None:
        cosines = self._units.unit(rows) @ self._units.unit(others).T
        over = cosines > self._threshold - self._error
        if wanted is not None:
            over &= wanted
        cells = np.flatnonzero(over)
        left, right = np.divmod(cells, len(others))
        self._decide(rows[left], others[right], cosines.reshape(-1)[cells])

    def _check_waiting(self) -> None:
        left, right = (np.concatenate(side) for side in zip(*self._waiting, strict=True))
        self._waiting, self._count = [], 0
        cosines = self._units.rough_cosines(left, right)
        over = cosines > self._threshold - self._error
        self._decide(left[over], right[over], cosines[over])

    def _decide(self, left: Indices, right: Indices, cosines: NDArray[np.floating[Any]]) -> None:
        """Add pairs; those that float32 can't tell from the threshold only if float64 says so."""
        near = np.flatnonzero(cosines <= self._threshold + self._error)
        if len(near):
            sure = np.ones(len(left), dtype=np.bool_)
            sure[near] = self._units.cosines(left[near], right[near]) > self._threshold
            left, right = left[sure], right[sure]
        self._found.add(left, right)
