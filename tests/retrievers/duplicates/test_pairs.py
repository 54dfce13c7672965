"""The pairs are those of all cosines in float64, whatever the vectors, and whichever way they are found."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from obsirag.retrievers import near_duplicate_pairs
from obsirag.retrievers.duplicates.bound import leading_basis
from obsirag.retrievers.duplicates.pairs import find_pairs
from obsirag.retrievers.duplicates.plan import plan_bound
from obsirag.retrievers.duplicates.pruned_tiles import pairs_by_bound
from obsirag.retrievers.duplicates.tiles import pairs_by_tiles
from obsirag.retrievers.duplicates.unit_rows import UnitRows
from vector_worlds import WORLDS, all_cosines, check_pairs, made

THRESHOLDS = st.sampled_from([-1.0, -0.5, 0.0, 0.3, 0.7, 0.8, 0.9, 0.95, 0.98, 0.999, 1.0]) | st.floats(-1, 1)


def by_bound(vectors: NDArray[np.float64], threshold: float, leading: int) -> NDArray[np.int64]:
    units = UnitRows.from_vectors(vectors)
    rows = units.directed()
    if len(rows) == 0:
        return np.empty((0, 2), dtype=np.int64)
    basis = leading_basis(units.unit(rows), min(leading, vectors.shape[1]), np.random.default_rng(0))
    return pairs_by_bound(units, rows, threshold, basis)


@given(st.sampled_from(WORLDS), st.integers(0, 2**32 - 1), st.integers(0, 90), st.integers(1, 200), THRESHOLDS)
def test_few_vectors(world: str, seed: int, count: int, dimensions: int, threshold: float) -> None:
    vectors = made(world, seed, count, dimensions, threshold)
    check_pairs(near_duplicate_pairs(vectors, threshold=threshold), vectors, threshold)


@given(
    st.sampled_from(WORLDS),
    st.integers(0, 2**32 - 1),
    st.integers(1, 1300),
    st.integers(1, 150),
    st.integers(1, 48),
    THRESHOLDS,
)
def test_the_bound_dismisses_no_pair(
    world: str, seed: int, count: int, dimensions: int, leading: int, threshold: float
) -> None:
    vectors = made(world, seed, count, dimensions, threshold)
    check_pairs(by_bound(vectors, threshold, leading), vectors, threshold)


@given(st.sampled_from(WORLDS), st.integers(0, 2**32 - 1), st.integers(200, 1300), THRESHOLDS)
def test_whatever_is_planned_the_pairs_are_the_same(world: str, seed: int, count: int, threshold: float) -> None:
    vectors = made(world, seed, count, 128, threshold)
    check_pairs(find_pairs(UnitRows.from_vectors(vectors), threshold, few=100), vectors, threshold)


@pytest.mark.parametrize("world", WORLDS)
def test_more_vectors_than_are_compared_at_a_time(world: str) -> None:
    vectors = made(world, 7, 3300, 96, 0.95)
    pairs = near_duplicate_pairs(vectors)
    check_pairs(pairs, vectors, 0.95)
    assert np.array_equal(pairs, near_duplicate_pairs(vectors))


def test_a_bound_is_used_where_it_pays_and_finds_what_tiles_find() -> None:
    vectors = made("spread", 3, 3200, 256, 0.95)
    vectors[1000:1400] = vectors[:400] + 0.001
    units = UnitRows.from_vectors(vectors)
    basis = plan_bound(units, units.directed(), 0.95, np.random.default_rng(0))
    assert basis is not None
    assert len(basis) == 256
    pairs = near_duplicate_pairs(vectors)
    assert len(pairs) == 400
    assert np.array_equal(pairs, pairs_by_tiles(units, units.directed(), 0.95))


@pytest.mark.parametrize(("world", "threshold"), [("spread", 0.05), ("copies", -0.5), ("one-direction", 0.5)])
def test_no_bound_is_used_where_it_cannot_dismiss_much(world: str, threshold: float) -> None:
    units = UnitRows.from_vectors(made(world, 3, 3200, 256, threshold))
    assert plan_bound(units, units.directed(), threshold, np.random.default_rng(0)) is None


def test_a_cosine_equal_to_the_threshold_is_not_over_it() -> None:
    vectors = [[1, 1, 0, 0], [0, 1, 1, 0], [1, 1, 1, 1], [1, 0, 0, 0], [2, 0, 0, 0]]
    assert near_duplicate_pairs(vectors, threshold=0.5).tolist() == [[0, 2], [0, 3], [0, 4], [1, 2], [3, 4]]
    assert near_duplicate_pairs(vectors, threshold=1).tolist() == []
    assert near_duplicate_pairs([[1, 0], [0, 1], [-1, 0]], threshold=0).tolist() == []
    assert near_duplicate_pairs([[1, 0], [0, 1], [-1, 0]], threshold=-1).tolist() == [[0, 1], [1, 2]]


@pytest.mark.parametrize("difference", [1e-5, 3e-6, -3e-6, -1e-5])
@pytest.mark.parametrize("threshold", [-0.5, 0.1, 0.95, 0.98])
def test_pairs_right_at_the_threshold(threshold: float, difference: float) -> None:
    cosine = threshold + difference
    chance = np.random.default_rng(1)
    axes, _ = np.linalg.qr(chance.standard_normal((400, 400)))
    first = axes[:200]
    second = cosine * first + np.sqrt(1 - cosine**2) * axes[200:]
    vectors = np.concatenate([first, second]) * chance.uniform(0.1, 10, (400, 1))
    expected = [[i, i + 200] for i in range(200)] if difference > 0 else []
    both = [near_duplicate_pairs(vectors, threshold=threshold), by_bound(vectors, threshold, 64)]
    for pairs in both:
        here = pairs[pairs[:, 1] - pairs[:, 0] == 200]
        assert here.tolist() == expected


@pytest.mark.parametrize(
    "vectors",
    [[], [[]], [[], []], [[1.0, 2.0]], np.empty((0, 5)), np.empty((3, 0)), [[0, 0], [0, 0]], [[0, 0], [1, 1]]],
)
def test_nothing_to_compare(vectors: object) -> None:
    pairs = near_duplicate_pairs(vectors, threshold=-1)  # type: ignore[arg-type]
    assert pairs.shape == (0, 2)
    assert pairs.dtype == np.int64


def test_zero_vectors_are_in_no_pair() -> None:
    assert near_duplicate_pairs([[0, 0], [1, 2], [0, 0], [2, 4], [0, 0]], threshold=-1).tolist() == [[1, 3]]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", ">f4", "i1", "u1", "i8", "u8", "O", "?"])
def test_any_type_of_number(dtype: str) -> None:
    vectors = np.random.default_rng(2).integers(0, 4, (60, 5))
    typed = vectors.astype(dtype)
    expected = vectors != 0 if dtype == "?" else vectors
    for threshold in (0.3, 0.9501):
        check_pairs(near_duplicate_pairs(typed, threshold=threshold), expected.astype(float), threshold)


@pytest.mark.parametrize("length", [5e-324, 1e-310, 1e-300, 1e-160, 1e-30, 1e30, 1e160, 1e300, 1.7e308])
def test_any_length(length: float) -> None:
    directions = np.array([[1.0, 0, 0, 1], [1, 0, 0, 0.5], [0, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1]])
    scaled = directions.copy()
    scaled[::2] *= length
    for threshold in (0.3, 0.9):
        check_pairs(near_duplicate_pairs(scaled, threshold=threshold), directions, threshold)


@pytest.mark.parametrize("length", [1e-45, 1e-38, 1e38, 3e38])
def test_any_length_in_single_precision(length: float) -> None:
    directions = np.array([[1, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 1], [0, 0, 0]], dtype=np.float32)
    check_pairs(near_duplicate_pairs(directions * np.float32(length), threshold=0.6), directions, 0.6)


def test_whole_numbers_that_no_product_can_hold() -> None:
    most, least = np.iinfo(np.int64).max, np.iinfo(np.int64).min
    vectors = np.array([[most, most], [least, least], [1, 1], [1, -1]])
    assert near_duplicate_pairs(vectors, threshold=0.99).tolist() == [[0, 2]]
    assert near_duplicate_pairs([[10**300, 0], [1, 0]]).tolist() == [[0, 1]]


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g"])
def test_what_is_not_finite_is_named(bad: float, dtype: str) -> None:
    vectors = np.ones((700, 3), dtype=dtype)
    vectors[600, 1] = bad
    with pytest.raises(ValueError, match="row 600"):
        near_duplicate_pairs(vectors)


@pytest.mark.parametrize(
    "vectors",
    [
        [1.0, 2.0],
        3.0,
        np.ones((2, 2, 2)),
        [[1, 2], [1]],
        [["a", "b"]],
        [[1j, 2]],
        [[None, 1.0]],
        [[10**400, 1]],
        np.array([["2020-01-01"]], dtype="M8[D]"),
    ],
)
def test_what_are_not_rows_of_numbers_is_an_error(vectors: object) -> None:
    with pytest.raises(ValueError, match="vectors must"):
        near_duplicate_pairs(vectors)  # type: ignore[arg-type]


@pytest.mark.parametrize("threshold", [1.01, -1.01, float("nan"), float("inf")])
def test_a_threshold_is_a_cosine(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold"):
        near_duplicate_pairs([], threshold=threshold)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("count", [300, 3100])
def test_the_vectors_given_are_left_alone(count: int, order: str) -> None:
    vectors = np.asarray(made("clusters", 5, count, 64, 0.9), dtype=np.float32, order=order)
    before = vectors.copy()
    vectors.setflags(write=False)
    pairs = near_duplicate_pairs(vectors, threshold=0.9)
    assert np.array_equal(vectors, before)
    check_pairs(pairs, before, 0.9)
    check_pairs(near_duplicate_pairs(vectors[::2, ::2], threshold=0.9), before[::2, ::2], 0.9)


def test_chance_of_others_is_left_alone() -> None:
    np.random.seed(4)
    expected = np.random.random()
    np.random.seed(4)
    near_duplicate_pairs(made("spread", 1, 3100, 64, 0.95))
    assert np.random.random() == expected


def test_all_pairs_of_many_equal_vectors() -> None:
    vectors = np.tile(np.random.default_rng(3).standard_normal(40), (2100, 1))
    pairs = near_duplicate_pairs(vectors)
    assert np.array_equal(pairs, np.stack(np.triu_indices(2100, 1), axis=1))


def test_the_reference_is_sharp() -> None:
    cosines = all_cosines(np.array([[1.0, 0], [1, 1], [0, 0]]))
    assert cosines[0, 1] == pytest.approx(0.5**0.5)
    assert np.isnan(cosines[0, 2])
