from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from obsirag.evaluation import Interval, paired_bootstrap

VALUES = st.floats(0, 1, width=16)
PAIRS = st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=40)


def interval(pairs, samples: int = 200, **options) -> Interval:
    return paired_bootstrap([one for one, _ in pairs], [other for _, other in pairs], samples=samples, **options)


@given(st.lists(VALUES, min_size=1, max_size=40))
def test_a_system_does_not_differ_from_itself(values: list[float]) -> None:
    assert paired_bootstrap(values, values, samples=50) == (0.0, 0.0, 0.0)


@given(PAIRS)
def test_swapping_the_systems_mirrors_the_interval(pairs) -> None:
    one = interval(pairs)
    other = interval([(second, first) for first, second in pairs])
    assert other == pytest.approx((-one.difference, -one.high, -one.low), abs=1e-12)


@given(PAIRS)
def test_the_interval_lies_within_the_differences_and_is_always_the_same(pairs) -> None:
    found = interval(pairs)
    differences = [one - other for one, other in pairs]
    assert found.difference == pytest.approx(np.mean(differences), abs=1e-12)
    assert min(differences) - 1e-12 <= found.low <= found.high <= max(differences) + 1e-12
    assert interval(pairs) == found
    assert interval(pairs, generator=np.random.default_rng(0)) == found


@given(PAIRS)
def test_a_larger_confidence_is_no_narrower(pairs) -> None:
    narrow, wide = interval(pairs, confidence=0.5), interval(pairs, confidence=0.99)
    assert wide.low <= narrow.low <= narrow.high <= wide.high


@settings(max_examples=20)
@given(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0]), min_size=2, max_size=4))
def test_the_samples_are_those_of_drawing_with_replacement(differences: list[float]) -> None:
    """With every possible sample known, the share below each end of the interval is what it should be."""
    means = np.sort([np.mean(drawn) for drawn in product(differences, repeat=len(differences))])
    found = paired_bootstrap(differences, [0.0] * len(differences), samples=20_000, confidence=0.8)
    for end, share in ((found.low, 0.1), (found.high, 0.9)):
        assert np.mean(means < end - 1e-9) <= share + 0.02
        assert np.mean(means <= end + 1e-9) >= share - 0.02


def test_other_draws_give_another_interval() -> None:
    pairs = [(value, 0.5) for value in np.random.default_rng(7).random(30)]
    assert interval(pairs, generator=np.random.default_rng(1)) != interval(pairs, generator=np.random.default_rng(2))


def test_how_many_draws_are_held_at_once_does_not_show(monkeypatch) -> None:
    pairs = [(value, 0.5) for value in np.random.default_rng(7).random(30)]
    whole = interval(pairs)
    monkeypatch.setattr("obsirag.evaluation.bootstrap._BLOCK", 100)
    assert interval(pairs) == whole


@pytest.mark.parametrize(
    ("low", "high", "worse", "better"),
    [(-0.2, -0.1, True, False), (-0.2, 0.0, False, False), (0.0, 0.1, False, False), (0.1, 0.2, False, True)],
)
def test_only_an_interval_without_0_says_something(low: float, high: float, worse: bool, better: bool) -> None:
    found = Interval(0.0, low, high)
    assert (found.is_worse, found.is_better) == (worse, better)


@pytest.mark.parametrize(
    ("first", "second", "options", "said"),
    [
        ([1.0], [1.0, 2.0], {}, "1 and 2 values"),
        ([], [], {}, "0 and 0 values"),
        ([1.0], [1.0], {"samples": 0}, "not 0 and 0.95"),
        ([1.0], [1.0], {"confidence": 1.0}, "not 10000 and 1.0"),
    ],
)
def test_what_makes_no_sense_is_refused(first, second, options, said) -> None:
    with pytest.raises(ValueError, match=said):
        paired_bootstrap(first, second, **options)
