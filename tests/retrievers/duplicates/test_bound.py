from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from obsirag.retrievers.duplicates.bound import (
    bisected,
    bound_error,
    bound_rows,
    coordinate_error,
    coordinates,
    leading_basis,
)
from obsirag.retrievers.duplicates.unit_rows import UnitRows
from vector_worlds import WORLDS, all_cosines, made


@given(
    st.sampled_from(WORLDS), st.integers(0, 2**32 - 1), st.integers(2, 400), st.integers(1, 600), st.integers(1, 200)
)
def test_no_cosine_is_over_its_bound(world: str, seed: int, count: int, dimensions: int, leading: int) -> None:
    units = UnitRows.from_vectors(made(world, seed, count, dimensions, 0.9))
    rows = units.directed()
    if not len(rows):
        return
    basis = leading_basis(units.unit(rows[: len(rows) // 3 + 1]), min(leading, dimensions), np.random.default_rng(seed))
    bounds = bound_rows(coordinates(units.unit(rows), basis), coordinate_error(*basis.shape))
    over = all_cosines(units.vectors[rows]) - bounds @ bounds.T
    assert over.max() <= bound_error(*basis.shape)


def test_coordinates_are_no_further_off_than_they_say() -> None:
    chance = np.random.default_rng(2)
    for dimensions in (40, 300, 1500):
        units = UnitRows.from_vectors(1 + 0.03 * chance.standard_normal((300, dimensions)))
        unit = units.unit(slice(None))
        basis = leading_basis(unit, 16, chance)
        exact, _ = np.linalg.qr(basis.astype(np.float64))
        exact *= np.sign(np.einsum("ij,ij->j", exact, basis))
        off = np.linalg.norm(coordinates(unit, basis) - unit.astype(np.float64) @ exact, axis=1)
        assert 0 < off.max() <= coordinate_error(*basis.shape)


def test_the_little_that_lies_outside_of_a_basis_counts() -> None:
    chance = np.random.default_rng(2)
    axes, _ = np.linalg.qr(chance.standard_normal((300, 5)))
    inside = chance.standard_normal((400, 4)) @ axes[:, :4].T
    inside /= np.linalg.norm(inside, axis=1, keepdims=True)
    basis = leading_basis(inside.astype(np.float32), 4, chance)
    # So little that a squared length in single precision doesn't show it, times much.
    little, much = inside + 2e-4 * axes[:, 4], inside + axes[:, 4]
    units = UnitRows.from_vectors(np.concatenate([little, much]))
    bounds = bound_rows(coordinates(units.unit(slice(None)), basis), coordinate_error(*basis.shape))
    over = all_cosines(units.vectors) - bounds @ bounds.T
    assert over.max() <= 1e-6


@given(st.sampled_from(WORLDS), st.integers(0, 2**32 - 1), st.integers(10, 300), st.integers(1, 200))
def test_a_basis_is_orthonormal_whatever_it_is_made_from(world: str, seed: int, count: int, dimensions: int) -> None:
    units = UnitRows.from_vectors(made(world, seed, count, dimensions, 0.9))
    rows = units.directed()
    basis = leading_basis(units.unit(rows), max(1, dimensions // 2), np.random.default_rng(seed)).astype(np.float64)
    assert np.abs(basis.T @ basis - np.eye(basis.shape[1])).max() < 1e-6


def test_a_basis_holds_nearly_what_principal_components_hold() -> None:
    units = UnitRows.from_vectors(made("one-direction", 1, 1000, 200, 0.9))
    rows = units.unit(slice(None))
    basis = leading_basis(rows, 64, np.random.default_rng(1))
    components = np.linalg.svd(rows, full_matrices=False)[2].T
    for leading in (1, 8, 32):
        held, most = (np.square(rows @ each[:, :leading]).sum() for each in (basis, components))
        assert 0.99 * most <= held <= 1.0001 * most


@given(st.integers(1, 500), st.integers(1, 60), st.integers(0, 2**32 - 1))
def test_an_order_has_every_row_once(count: int, size: int, seed: int) -> None:
    inside = np.random.default_rng(seed).integers(0, 3, (count, 4)).astype(np.float32)
    assert sorted(bisected(inside, size)) == [*range(count)]


def test_an_order_brings_the_parts_of_a_mixture_together() -> None:
    chance = np.random.default_rng(3)
    part = chance.permutation(np.repeat(np.arange(8), 64))
    inside = (10 * chance.standard_normal((8, 20))[part] + chance.standard_normal((512, 20))).astype(np.float32)
    ordered = part[bisected(inside, 64)].reshape(8, 64)
    mixed = [len(set(tile)) for tile in part.reshape(8, 64).tolist()]
    assert min(mixed) == 8
    assert sum(len(set(tile)) for tile in ordered.tolist()) < 20
