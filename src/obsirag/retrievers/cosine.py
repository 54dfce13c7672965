"""The cosine of two vectors, whatever their lengths."""

from __future__ import annotations

import numpy as np

from obsirag.catalogue import Vector

__all__ = ["cosine"]


def cosine(one: Vector, other: Vector | None) -> float:
    """Return the cosine of two vectors; 0 for one without direction, -1 if they cannot be compared.

    Args:
        one: A vector of finite numbers.
        other: Another one, of the same number of dimensions; None if there is none.
    """
    if other is None or len(one) != len(other):
        return -1.0
    # The squares of what float32 can hold are beyond float32, in both directions.
    left, right = one.astype(np.float64), other.astype(np.float64)
    lengths = float(np.linalg.norm(left)) * float(np.linalg.norm(right))
    return float(np.dot(left, right)) / lengths if lengths else 0.0
