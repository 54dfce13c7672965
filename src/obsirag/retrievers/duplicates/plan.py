"""Whether a bound pays, and with how many dimensions: judged on a sample of the rows."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from obsirag.retrievers.duplicates.bound import (
    bisected,
    bound_error,
    coordinate_error,
    coordinates,
    leading_basis,
    rest_lengths,
)
from obsirag.retrievers.duplicates.tiles import TILE
from obsirag.retrievers.duplicates.unit_rows import Floats, Indices, UnitRows

__all__ = ["PAIR", "plan_bound"]

_TRIED = 512
"""Rows that a bound is tried on: others than those its basis was made from, which it fits too well."""

_MANY = 8000
"""Rows over which more care pays."""

_SAMPLE = 1 << 22
"""Most numbers in the sample that a basis is made from."""

_CHOICES = (8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 160, 192, 256, 320)
"""Leading dimensions to choose from."""

# Costs, in multiplications of a product; what matters is their order of magnitude.
PAIR = 36
"""Checking one pair by itself, in cells of a product: two rows have to be fetched."""

_CELL = 16
"""Comparing a cell, and what else it costs to have a tile, in dimensions."""

_WHOLE = 1.1
"""Multiplying a whole tile after all, in cells: its rows have to be fetched."""

_USUAL = 2.5
"""Cosines within so many standard deviations from their mean are too many to be told from others by a bound."""

_WORTH = 0.9
"""What a bound may cost, measured by whole tiles; saving less isn't worth the risk of being wrong."""


def plan_bound(units: UnitRows, rows: Indices, threshold: float, chance: np.random.Generator) -> Floats | None:
    """Return the basis (d, k) with which a bound is likely to be cheapest; None if whole tiles are cheaper.

    Args:
        units: The vectors.
        rows: Indices of those to compare; none of these is zero.
        threshold: The cosine that pairs are told by.
        chance: What samples are drawn with.
    """
    count, dimensions = len(rows), units.vectors.shape[1]
    most = _most_dimensions(count, dimensions, threshold)
    if most < _CHOICES[0]:
        return None
    drawn = chance.permutation(rows)
    tried, rest = np.split(drawn[: count // 2], [min(_TRIED if count > _MANY else _TRIED // 2, count // 4)])
    trial = units.unit(tried)
    if _is_hopeless(trial, threshold, most):
        return None
    sample = units.unit(np.sort(rest[: min(count // 5, _SAMPLE // dimensions)]))
    basis = leading_basis(sample, most, chance)
    best = _cheapest(coordinates(trial, basis), threshold, count, dimensions)
    return np.ascontiguousarray(basis[:, :best]) if best else None


def _most_dimensions(count: int, dimensions: int, threshold: float) -> int:
    """Return how many leading dimensions are worth finding."""
    usual = 192 if count > _MANY else 112
    # Vectors without preferred directions keep 1 - k/d of their squared length outside of k dimensions, and that has
    # to be less than the threshold by some standard deviations. Others need fewer, or don't need so many.
    even = (1 - threshold) * dimensions
    needed = 1.25 * even + 5 * sqrt(even)
    most = next((choice for choice in _CHOICES if choice >= max(usual, needed)), usual)
    return min(dimensions // 2, most)


def _is_hopeless(trial: Floats, threshold: float, most: int) -> bool:
    """Tell from the cosines of a few rows whether no bound of so many dimensions can pay."""
    cosines = (trial @ trial.T)[~np.eye(len(trial), dtype=np.bool_)]
    # The sum of the largest eigenvalues is no more than the root of their number times the sum of all their squares,
    # which is the mean squared cosine: so much, at most, a basis can hold of the rows.
    held = sqrt(most * float(np.square(cosines).mean()))
    return 1 - held > threshold or threshold < cosines.mean() + _USUAL * cosines.std()


def _cheapest(inside: Floats, threshold: float, count: int, dimensions: int) -> int:
    """Return the number of leading dimensions that costs least, 0 if whole tiles do.

    Args:
        inside: Coordinates of a sample of the rows.
        threshold: The cosine that pairs are told by.
        count: How many rows there are.
        dimensions: What a row has of them.
    """
    # Rows in the order that tiles will have, so that a part of the sample stands for a tile.
    side = min(len(inside), max(4, len(inside) * TILE // count))
    inside = inside[bisected(inside, side)][: len(inside) // side * side]
    squares = np.cumsum(np.square(inside), axis=1)
    mean_cosines = np.cumsum(np.square(inside.mean(axis=0)))
    inner = np.zeros((len(inside), len(inside)), dtype=np.float32)
    done, best, least = 0, 0, _WORTH * (dimensions + _CELL)
    for leading in _CHOICES:
        # A row has its coordinates computed once, and stands in count / 2 pairs.
        cost = leading + _CELL + 2 * dimensions * leading / count
        if leading > inside.shape[1] or cost >= least:
            break
        rest = rest_lengths(squares[:, leading - 1], coordinate_error(dimensions, leading))
        if mean_cosines[leading - 1] + rest.mean() ** 2 > threshold:  # the mean bound
            continue
        added = inside[:, done:leading]
        inner += added @ added.T
        done = leading
        left = inner + np.outer(rest, rest) > threshold - bound_error(dimensions, leading)
        np.fill_diagonal(left, val=False)
        cost += dimensions * _cells_to_check(left, side)
        if cost < least:
            best, least = leading, cost
    return best


def _cells_to_check(left: NDArray[np.bool_], side: int) -> float:
    """Return what checking the pairs that are left costs, in cells, for each cell."""
    tiles = len(left) // side
    shares = np.count_nonzero(left.reshape(tiles, side, tiles, side), axis=(1, 3)) / side**2
    return float(np.minimum(PAIR * shares, _WHOLE).mean())
