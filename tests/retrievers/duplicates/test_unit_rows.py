from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.retrievers.duplicates.unit_rows import UnitRows, dot_error
from vector_worlds import WORLDS, all_cosines, made


@given(st.sampled_from(WORLDS), st.integers(0, 2**32 - 1), st.integers(2, 200), st.integers(1, 2000))
def test_single_precision_is_no_further_off_than_it_says(world: str, seed: int, count: int, dimensions: int) -> None:
    units = UnitRows.from_vectors(made(world, seed, count, dimensions, 0.9))
    rows = units.directed()
    unit = units.unit(rows)
    left, right = (each.reshape(-1) for each in np.meshgrid(rows, rows))
    cosines = all_cosines(units.vectors)[left, right]
    error = dot_error(dimensions)
    assert np.all(np.abs((unit @ unit.T).T.reshape(-1) - cosines) <= error)
    assert np.all(np.abs(units.rough_cosines(left, right) - cosines) <= error)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4"])
@pytest.mark.parametrize("count", [7, 3000])
def test_cosines_pair_by_pair_are_those_of_all(dtype: str, count: int) -> None:
    chance = np.random.default_rng(1)
    vectors = chance.integers(-9, 9, (300, 70)).astype(dtype)
    left, right = chance.integers(0, 300, (2, count))
    for some in (left, left % 5):  # few rows in many pairs are multiplied at once
        expected = all_cosines(vectors)[some, right]
        assert np.abs(UnitRows.from_vectors(vectors).cosines(some, right) - expected).max() < 1e-14


def test_rows_by_a_slice_are_rows_by_a_list() -> None:
    vectors = np.random.default_rng(1).standard_normal((9, 4), dtype=np.float32)
    before = vectors.copy()
    units = UnitRows.from_vectors(vectors)
    assert units.vectors is vectors
    unit = units.unit(slice(2, 7))
    assert np.array_equal(unit, units.unit(np.arange(2, 7)))
    assert np.linalg.norm(unit, axis=1) == pytest.approx(1)
    assert np.array_equal(vectors, before)
