from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.retrievers.duplicates.pair_list import PairList


@given(
    st.sets(st.tuples(st.integers(0, 2**31 - 1), st.integers(0, 2**31 - 1)).filter(lambda pair: pair[0] < pair[1])),
    st.randoms(use_true_random=False),
    st.integers(1, 7),
)
def test_pairs_come_sorted_whatever_their_order(pairs: set[tuple[int, int]], chance: object, step: int) -> None:
    added = sorted(pairs, key=lambda _: chance.random())  # type: ignore[attr-defined]
    added = [pair if chance.random() < 0.5 else pair[::-1] for pair in added]  # type: ignore[attr-defined]
    collected = PairList(2**31)
    for start in range(0, len(added), step):
        part = np.array(added[start : start + step], dtype=np.int64)
        collected.add(part[:, 0], part[:, 1])
    assert [tuple(pair) for pair in collected.to_array().tolist()] == sorted(pairs)


@pytest.mark.parametrize("in_order", [True, False])
def test_many_pairs_need_little_more_memory_than_the_result(in_order: bool) -> None:
    left, right = np.triu_indices(3000, 1)
    size = 16 * len(left)
    tracemalloc.start()
    try:
        collected = PairList(3000)
        for start in range(0, len(left), 100_000):
            collected.add(left[start : start + 100_000], right[start : start + 100_000])
        pairs = collected.to_array(in_order=in_order)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert np.array_equal(pairs, np.stack([left, right], axis=1))
    assert peak < size + (24 << 20)
