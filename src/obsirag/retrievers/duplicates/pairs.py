"""Near-duplicates among vectors: exact, without comparing each with each where that can be avoided."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from obsirag.retrievers.duplicates.plan import plan_bound
from obsirag.retrievers.duplicates.pruned_tiles import pairs_by_bound
from obsirag.retrievers.duplicates.tiles import pairs_by_tiles
from obsirag.retrievers.duplicates.unit_rows import Indices, UnitRows

__all__ = ["find_pairs", "near_duplicate_pairs"]

_FEW = 3000
"""Rows under which a bound saves less than it costs."""


def near_duplicate_pairs(vectors: ArrayLike, *, threshold: float = 0.95) -> Indices:
    """Return the pairs of vectors whose cosine is greater than ``threshold``.

    The pairs are those of all cosines in float64, but for pairs within 1e-6 of the threshold. The result doesn't
    depend on chance, and the vectors are left as they are.

    Args:
        vectors: Rows of numbers, (n, d), of any length and type. Zero vectors have no direction and are in no pair.
        threshold: A cosine, from -1 to 1. With 1 there are no pairs: nothing is greater.

    Returns:
        Pairs (i, j) of row numbers with i < j, sorted, as whole numbers of the shape (m, 2).

    Raises:
        ValueError: If the vectors are not finite real numbers in rows of one length, or the threshold is not a cosine.
    """
    return find_pairs(UnitRows.from_vectors(vectors), threshold)


def find_pairs(units: UnitRows, threshold: float, *, few: int = _FEW) -> Indices:
    """Return the pairs as ``near_duplicate_pairs`` does.

    Args:
        units: The vectors.
        threshold: A cosine.
        few: The number of rows under which these are compared without trying to dismiss pairs first.
    """
    if not -1 <= threshold <= 1:
        raise ValueError(f"threshold must be a cosine, from -1 to 1, not {threshold}")
    rows = units.directed()
    if threshold == 1 or len(rows) < 2:
        return np.empty((0, 2), dtype=np.int64)
    basis = plan_bound(units, rows, threshold, np.random.default_rng(0)) if len(rows) >= few else None
    if basis is None:
        return pairs_by_tiles(units, rows, threshold)
    return pairs_by_bound(units, rows, threshold, basis)
