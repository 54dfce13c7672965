"""An upper bound on cosines that costs a fraction of them.

In an orthonormal basis whose leading dimensions hold most of every vector, x·y = x₁·y₁ + x₂·y₂ ≤ x₁·y₁ + ‖x₂‖‖y₂‖ by
Cauchy and Schwarz. As the product of the rows (x₁, ‖x₂‖), far shorter than the vectors, it dismisses most pairs.
"""

from __future__ import annotations

from math import ceil, sqrt

import numpy as np
from numpy.typing import NDArray

from obsirag.retrievers.duplicates.unit_rows import Floats, Indices

__all__ = [
    "bisected",
    "bound_error",
    "bound_rows",
    "coordinate_error",
    "coordinates",
    "leading_basis",
    "rest_lengths",
]

_SUMMED = 128
"""Dimensions summed in one product: its error grows with them."""

_ROUNDING = 2.0**-24
_SPREAD = 32
"""Leading dimensions that rows are put in order by."""


def leading_basis(sample: Floats, dimensions: int, chance: np.random.Generator) -> Floats:
    """Return an orthonormal basis (d, dimensions) of where the sample mostly lies, the most important vector first.

    One step of subspace iteration from random vectors (Halko, Martinsson and Tropp, Finding Structure with
    Randomness, 2011): nearly as good as principal components, and far cheaper.
    """
    start = chance.standard_normal((sample.shape[1], dimensions), dtype=np.float32)
    basis, _ = np.linalg.qr((sample.T @ (sample @ start)).astype(np.float64))
    inside = sample @ basis.astype(np.float32)
    _, order = np.linalg.eigh((inside.T @ inside).astype(np.float64))
    return np.ascontiguousarray((basis @ order[:, ::-1]).astype(np.float32))


def coordinates(unit: Floats, basis: Floats) -> Floats:
    """Return the coordinates of unit rows (n, d) in a basis (d, k)."""
    result = unit[:, :_SUMMED] @ basis[:_SUMMED]
    for start in range(_SUMMED, len(basis), _SUMMED):
        result += unit[:, start : start + _SUMMED] @ basis[start : start + _SUMMED]
    return result


def rest_lengths(squares: NDArray[np.float32], error: float) -> Floats:
    """Return the lengths that are left outside of the basis, never too small.

    Args:
        squares: Squared lengths inside of it.
        error: The coordinates' error.
    """
    return np.sqrt(np.maximum(1 - squares, 0) + 3 * error)


def bound_rows(inside: Floats, error: float) -> Floats:
    """Return the rows (x₁, ‖x₂‖) for coordinates x₁; their products are the bound."""
    rest = rest_lengths(np.einsum("ij,ij->i", inside, inside), error)
    return np.concatenate([inside, rest[:, None]], axis=1)


def coordinate_error(dimensions: int, leading: int) -> float:
    """Return how far the coordinates of a unit row can be, as a vector, from those in an exact basis.

    Each is a sum of products (see ``dot_error``); the basis itself is rounded,
    and the rows are not quite of length 1.
    """
    return 1.1 * sqrt(leading) * (min(dimensions, _SUMMED) + ceil(dimensions / _SUMMED) + 24) * _ROUNDING


def bound_error(dimensions: int, leading: int) -> float:
    """Return how far under a pair's cosine the computed bound can be.

    With coordinates off by ε, x₁·y₁ is off by 2ε + ε², and the product of the rows by its own rounding.
    """
    return 3 * coordinate_error(dimensions, leading) + 1.1 * (leading + 16) * _ROUNDING


def bisected(inside: Floats, size: int) -> Indices:
    """Return an order of the rows that brings similar ones together, by halving at the median again and again.

    Args:
        inside: Coordinates (n, k), the most important first.
        size: Rows of a part that is left as it is; parts begin at its multiples.
    """
    order = np.arange(len(inside))
    inside = inside[:, :_SPREAD]
    parts = [(0, len(order))]
    while parts:
        start, end = parts.pop()
        if end - start <= size:
            continue
        rows = order[start:end]
        points = inside[rows]
        half = ceil((end - start) / 2 / size) * size
        split = np.argpartition(points[:, points.var(axis=0).argmax()], half)
        order[start:end] = rows[split]
        parts += [(start, start + half), (start + half, end)]
    return order
