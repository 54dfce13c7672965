"""Vectors that are hard on a search for near-duplicates, and what it has to find in them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["WORLDS", "all_cosines", "check_pairs", "made"]

_Vectors = NDArray[np.float64]
_NEAR = 1e-6
"""Pairs this near to the threshold may be told either way."""


def made(world: str, seed: int, count: int, dimensions: int, threshold: float) -> _Vectors:
    """Return vectors of a kind, (count, dimensions)."""
    return _MAKERS[world](np.random.default_rng(seed), count, dimensions, threshold)


def all_cosines(vectors: NDArray[np.generic]) -> _Vectors:
    """Return the cosine of each vector with each, in float64; NaN where one is zero."""
    rows = np.asarray(vectors, dtype=np.float64)
    lengths = np.sqrt(np.square(rows).sum(axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        unit = rows / lengths[:, None]
        return unit @ unit.T


def check_pairs(pairs: NDArray[np.int64], vectors: NDArray[np.generic], threshold: float) -> None:
    """Check pairs against all cosines."""
    assert pairs.shape == (len(pairs), 2)
    assert np.issubdtype(pairs.dtype, np.integer)
    assert np.all(pairs[:, 0] < pairs[:, 1])
    numbers = pairs[:, 0] * len(vectors) + pairs[:, 1]
    assert np.all(np.diff(numbers) > 0), "not sorted, or a pair comes twice"
    cosines = all_cosines(vectors)
    found = np.zeros(cosines.shape, dtype=np.bool_)
    found[pairs[:, 0], pairs[:, 1]] = True
    with np.errstate(invalid="ignore"):
        told = np.triu(np.abs(cosines - threshold) > _NEAR, 1)
        expected = cosines > threshold
    if threshold == 1:  # nothing is over 1, whatever the last digit says
        expected[:] = False
    wrong = np.argwhere(told & (found != expected) & ~np.isnan(cosines))
    assert len(wrong) == 0, f"{wrong[:5].tolist()} {[cosines[tuple(pair)] for pair in wrong[:5]]} at {threshold}"
    assert not np.any(found & np.isnan(cosines)), "a zero vector is in a pair"


def _spread(chance: np.random.Generator, count: int, dimensions: int, _: float) -> _Vectors:
    return chance.standard_normal((count, dimensions))


def _copies(chance: np.random.Generator, count: int, dimensions: int, _: float) -> _Vectors:
    originals = chance.standard_normal((max(1, count // 10), dimensions))
    return originals[chance.integers(0, len(originals), count)] * chance.uniform(0.5, 2, (count, 1))


def _clusters(chance: np.random.Generator, count: int, dimensions: int, _: float) -> _Vectors:
    centres = chance.standard_normal((max(1, count // 50), dimensions))
    width = chance.choice([0.01, 0.1, 0.2, 0.3])
    return centres[chance.integers(0, len(centres), count)] + width * chance.standard_normal((count, dimensions))


def _at_threshold(chance: np.random.Generator, count: int, dimensions: int, threshold: float) -> _Vectors:
    """Pairs, next to each other, whose cosines differ from the threshold by up to 1e-5."""
    first = chance.standard_normal(((count + 1) // 2, dimensions))
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    other = chance.standard_normal(first.shape)
    other -= np.einsum("ij,ij->i", other, first)[:, None] * first
    lengths = np.linalg.norm(other, axis=1, keepdims=True)
    other /= np.where(lengths > 0, lengths, 1)  # in one dimension nothing is left
    cosines = np.clip(threshold + chance.uniform(-1e-5, 1e-5, (len(first), 1)), -1, 1)
    second = cosines * first + np.sqrt(1 - np.square(cosines)) * other
    return np.stack([first, second], axis=1).reshape(-1, dimensions)[:count]


def _low_rank(chance: np.random.Generator, count: int, dimensions: int, _: float) -> _Vectors:
    rank = int(chance.integers(1, 6))
    return chance.standard_normal((count, rank)) @ chance.standard_normal((rank, dimensions))


def _low_rank_and_some(chance: np.random.Generator, count: int, dimensions: int, threshold: float) -> _Vectors:
    """Most rows in a small space, a few outside of it: what a basis made from the most doesn't see."""
    rows = _low_rank(chance, count, dimensions, threshold)
    outside = chance.random(count) < 0.05
    rows[outside] = chance.standard_normal(dimensions) + 0.3 * chance.standard_normal((int(outside.sum()), dimensions))
    return rows


def _one_direction(chance: np.random.Generator, count: int, dimensions: int, _: float) -> _Vectors:
    """All cosines are high, as with many embedding models."""
    scales = np.exp(-np.arange(dimensions) / max(1, dimensions / 3))
    return 2.2 * chance.standard_normal(dimensions) + scales * chance.standard_normal((count, dimensions))


def _one_hot(chance: np.random.Generator, count: int, dimensions: int, _: float) -> _Vectors:
    rows = np.zeros((count, dimensions))
    rows[np.arange(count), chance.integers(0, dimensions, count)] = chance.choice([-1, 1, 3], count)
    return rows


def _sparse(chance: np.random.Generator, count: int, dimensions: int, _: float) -> _Vectors:
    return chance.integers(0, 3, (count, dimensions)) * (chance.random((count, dimensions)) < 0.1)


def _opposites(chance: np.random.Generator, count: int, dimensions: int, _: float) -> _Vectors:
    few = chance.standard_normal((max(1, count // 4), dimensions))
    return few[chance.integers(0, len(few), count)] * chance.choice([-1, 1], (count, 1))


def _constant(chance: np.random.Generator, count: int, dimensions: int, _: float) -> _Vectors:
    """All numbers nearly equal, so that roundings add up instead of levelling out."""
    return 1 + 0.1 * chance.random((count, 1)) + 1e-3 * chance.standard_normal((count, dimensions))


def _mixed_lengths(chance: np.random.Generator, count: int, dimensions: int, threshold: float) -> _Vectors:
    rows = _clusters(chance, count, dimensions, threshold)
    rows *= 10.0 ** chance.integers(-120, 120, (count, 1))
    rows[chance.random(count) < 0.05] = 0
    return rows


_MAKERS: dict[str, Callable[[np.random.Generator, int, int, float], _Vectors]] = {
    "spread": _spread,
    "copies": _copies,
    "clusters": _clusters,
    "at-threshold": _at_threshold,
    "low-rank": _low_rank,
    "low-rank-and-some": _low_rank_and_some,
    "one-direction": _one_direction,
    "one-hot": _one_hot,
    "sparse": _sparse,
    "opposites": _opposites,
    "constant": _constant,
    "mixed-lengths": _mixed_lengths,
}

WORLDS = [*_MAKERS]
"""Kinds of vectors."""
