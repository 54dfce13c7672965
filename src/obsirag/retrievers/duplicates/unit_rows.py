"""Vectors of any length and type as rows of length 1, a block at a time, without a copy of the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Floats", "Indices", "UnitRows", "dot_error"]

Floats: TypeAlias = NDArray[np.float32]
Indices: TypeAlias = NDArray[np.int64]

_BLOCK = 512
"""Rows read at a time."""

_PAIRS = 256
"""Pairs of rows read at a time: more would not stay in the processor's cache."""

_PLAIN_SQUARES = (2.0**-80, 2.0**80)
"""Squared lengths with which neither a product nor a conversion to float32 can overflow or vanish."""


_UNIT = 2.0**-20
"""How far from 1 the squared length of a unit row may be: sixteen units of rounding."""


@dataclass(frozen=True, slots=True)
class UnitRows:
    """The vectors that have a direction.

    Attributes:
        vectors: The vectors as they were given, (n, d), unless their lengths are extreme.
        squares: Their squared lengths, (n,), 0 for vectors without direction.
    """

    vectors: NDArray[Any]
    squares: NDArray[np.float64]
    are_unit: bool
    """Whether all of them have length 1 already, as well as float32 can tell."""

    @classmethod
    def from_vectors(cls, vectors: ArrayLike) -> UnitRows:
        """Check and measure vectors.

        Raises:
            ValueError: If they are not rows of finite real numbers, all of one length.
        """
        rows = _as_rows(vectors)
        squares = _squared_lengths(rows)
        low, high = _PLAIN_SQUARES
        if not np.all((squares >= low) & (squares <= high)):  # NaN is neither
            rows = _rescaled(rows)
            squares = _squared_lengths(rows)
        return cls(rows, squares, bool(np.all(np.abs(squares - 1) < _UNIT)))

    def directed(self) -> Indices:
        """Return the indices of the vectors that aren't zero."""
        return np.flatnonzero(self.squares)

    def single(self, rows: Indices | slice) -> Floats:
        """Return some rows as float32, as long as they are; never to be written to."""
        return self._read(rows, np.float32)

    def lengths(self, rows: Indices | slice) -> Floats:
        """Return the lengths of some rows."""
        lengths: Floats = np.sqrt(self.squares[rows]).astype(np.float32)
        return lengths

    def unit(self, rows: Indices | slice) -> Floats:
        """Return some rows, scaled to length 1, as float32; never to be written to, and none may be zero."""
        single = self.single(rows)
        return single if self.are_unit else single / self.lengths(rows)[:, None]

    def rough_cosines(self, left: Indices, right: Indices) -> NDArray[np.float64]:
        """Return the cosine of each pair of rows, as exact as a float32 product is."""
        return self._cosines(left, right, np.float32)

    def cosines(self, left: Indices, right: Indices) -> NDArray[np.float64]:
        """Return the cosine of each pair of rows, in float64."""
        if len(left) > _PAIRS:
            tops, top = np.unique(left, return_inverse=True)
            sides, side = np.unique(right, return_inverse=True)
            if len(tops) * len(sides) < 32 * len(left):  # then the product of all is faster than pair by pair
                product = self._read(tops, np.float64) @ self._read(sides, np.float64).T
                dots: NDArray[np.float64] = product[top, side]
                return dots / np.sqrt(self.squares[left] * self.squares[right])
        return self._cosines(left, right, np.float64)

    def _cosines(self, left: Indices, right: Indices, dtype: type[np.floating[Any]]) -> NDArray[np.float64]:
        dots = np.empty(len(left))
        # Two buffers for all: memory that is new each time would cost more than the products.
        first, second = np.empty((2, min(_PAIRS, len(left)), self.vectors.shape[1]), dtype=dtype)
        for start in range(0, len(left), _PAIRS):
            part = slice(start, start + _PAIRS)
            pairs = self._fetch(left[part], first), self._fetch(right[part], second)
            dots[part] = np.einsum("ij,ij->i", *pairs)
        # One root of both squares: of whole numbers it is exact where the cosine is a simple fraction.
        return dots / np.sqrt(self.squares[left] * self.squares[right])

    def _fetch(self, rows: Indices, buffer: NDArray[Any]) -> NDArray[Any]:
        part = buffer[: len(rows)]
        if self.vectors.dtype == part.dtype:
            return np.take(self.vectors, rows, axis=0, out=part, mode="clip")  # the other modes make a copy first
        part[...] = self.vectors[rows]
        return part

    def _read(self, rows: Indices | slice, dtype: type[np.floating[Any]]) -> NDArray[Any]:
        return self.vectors[rows].astype(dtype, copy=False)


def dot_error(dimensions: int) -> float:
    """Return how far a float32 product of two unit rows can be from their cosine.

    A sum of n products is off by no more than n units of rounding (Higham, Accuracy and Stability of Numerical
    Algorithms, 3.1); some more for rows that are not quite of length 1, and for comparing.
    """
    return 1.1 * (dimensions + 24) * 2.0**-24


def _as_rows(vectors: ArrayLike) -> NDArray[Any]:
    try:
        rows = np.asarray(vectors)
        if rows.dtype == np.object_:
            rows = np.asarray(vectors, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"vectors must be rows of numbers, all of one length: {error}") from error
    if rows.shape == (0,):
        return np.empty((0, 0))
    if rows.ndim != 2:
        raise ValueError(f"vectors must have the shape (number, dimensions), not {rows.shape}")
    if rows.dtype.kind not in "biuf":
        raise ValueError(f"vectors must be real numbers, not of type {rows.dtype}")
    return rows


def _squared_lengths(rows: NDArray[Any]) -> NDArray[np.float64]:
    squares = np.empty(len(rows))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):  # looked at afterwards
        for start in range(0, len(rows), _BLOCK):
            block = rows[start : start + _BLOCK].astype(np.float64, copy=False)
            np.einsum("ij,ij->i", block, block, out=squares[start : start + _BLOCK])
    return squares


def _rescaled(rows: NDArray[Any]) -> Floats:
    """Return the rows' directions, in float32; zero rows stay zero."""
    unit = np.zeros(rows.shape, dtype=np.float32)
    wide = np.promote_types(rows.dtype, np.float64)  # a long double may be beyond float64
    for start in range(0, len(rows), _BLOCK):
        block = rows[start : start + _BLOCK].astype(wide)
        peaks = np.abs(block).max(axis=1, initial=0, keepdims=True)
        if not np.isfinite(peaks).all():
            row = start + int(np.flatnonzero(~np.isfinite(peaks))[0])
            raise ValueError(f"vectors must be finite numbers, but row {row} holds NaN or infinity")
        with np.errstate(under="ignore"):
            block /= np.where(peaks > 0, peaks, 1)
            lengths = np.sqrt(np.einsum("ij,ij->i", block, block))[:, None]
            unit[start : start + _BLOCK] = block / np.where(peaks > 0, lengths, 1)
    return unit
