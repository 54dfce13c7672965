"""From a reranker's scores to relevance."""

import json
from math import exp

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.errors import ConfigError
from obsirag.graphs.versions.calibration import FEWEST_PAIRS, Logistic, fit_logistic, read_calibration

PAIRS = [(-4.0, False), (-3.0, False), (-2.5, True), (-2.0, False), (-1.0, False), (0.0, True), (0.5, False)]
PAIRS += [(1.0, True), (2.0, True), (2.5, True), (3.0, True), (4.0, True)]


def fitted(pairs=PAIRS, by=lambda score: score):
    return fit_logistic([by(score) for score, _ in pairs], [label for _, label in pairs])


@given(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300))
def test_higher_scores_are_never_less_relevant(one, other):
    curve = fitted()
    low, high = sorted((one, other))
    assert 0 <= curve(low) <= curve(high) <= 1


@given(st.floats(0.001, 1000), st.floats(-1000, 1000))
def test_the_unit_of_the_scores_does_not_matter(factor, offset):
    curve, other = fitted(), fitted(by=lambda score: factor * score + offset)
    for score, _ in PAIRS:
        assert other(factor * score + offset) == pytest.approx(curve(score), abs=1e-5)


def test_labels_that_follow_a_curve_give_it_back():
    curve = Logistic(2.0, -1.0)
    pairs = []
    for tenth in range(-30, 31):
        score = tenth / 10
        helped = round(1000 * curve(score))
        pairs += [(score, True)] * helped + [(score, False)] * (1000 - helped)
    found = fitted(pairs)
    assert (found.slope, found.intercept) == (pytest.approx(2.0, rel=0.02), pytest.approx(-1.0, rel=0.02))


def test_it_is_the_likeliest_curve():
    """Near it every other one is less likely, by the labels drawn together as Platt did."""
    yes = sum(label for _, label in PAIRS)
    targets = {True: (yes + 1) / (yes + 2), False: 1 / (len(PAIRS) - yes + 2)}

    def loss(slope, intercept):
        shares = [(1 / (1 + exp(-(slope * score + intercept))), targets[label]) for score, label in PAIRS]
        return -sum(target * _log(share) + (1 - target) * _log(1 - share) for share, target in shares)

    curve = fitted()
    best = loss(curve.slope, curve.intercept)
    for slope, intercept in ((0.01, 0), (-0.01, 0), (0, 0.01), (0, -0.01)):
        assert loss(curve.slope + slope, curve.intercept + intercept) > best


def _log(value):
    from math import log

    return log(value)


def test_labels_that_scores_part_wholly_make_no_step():
    curve = fitted([(float(score), score > 0) for score in range(-5, 6)])
    assert 0.5 < curve(1.0) < 0.99
    assert 0.01 < curve(-1.0) < 0.5


@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        (PAIRS[: FEWEST_PAIRS - 1], "10 labels at least are needed"),
        ([(score, True) for score, _ in PAIRS], "of both kinds; there are 12 true and 0 false"),
        ([(1.0, label) for _, label in PAIRS], "all scores are the same"),
        ([(-score, label) for score, label in PAIRS], "were not labelled true more often"),
        ([(score * 1e308, label) for score, label in PAIRS if abs(score) <= 2] * 2, "too large"),
    ],
)
@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")
def test_labels_to_which_no_curve_can_be_fitted_are_told(pairs, told):
    with pytest.raises(ValueError, match=told):
        fitted(pairs)


def test_a_file_holds_scores_and_labels(tmp_path):
    file = tmp_path / "labels.json"
    file.write_text(json.dumps([[score, int(label)] for score, label in PAIRS]), encoding="utf-8-sig")
    assert read_calibration(file) == fitted()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Expecting value"),
        ("{}", "must hold a list"),
        ("[[1, 2]]", r"0\.1: "),
        ('[["Bluebird", true]]', r"0\.0: "),
        ("[[NaN, true]]", r"0\.0: "),
        ("[[1]]", r"0\.1: "),
        ("[[1, true]]", "10 labels at least"),
        ("[" * 100_000, "calibration"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_without_its_text(tmp_path, text, told):
    file = tmp_path / "labels.json"
    file.write_text(text)
    with pytest.raises(ConfigError, match=told) as caught:
        read_calibration(file)
    assert str(file) in str(caught.value)
    assert "Bluebird" not in str(caught.value)


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(ConfigError, match=r"none\.json cannot be read"):
        read_calibration(tmp_path / "none.json")
