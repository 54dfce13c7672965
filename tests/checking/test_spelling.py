"""What can be a misspelling: a small difference that isn't style."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.checking.spelling import edit_distance, is_misspelling


@pytest.mark.parametrize(
    ("word", "suggestion"),
    [
        ("recieve", "receive"),
        ("runnning", "running"),
        ("classs", "class"),
        ("allways", "always"),
        ("teh", "the"),
        ("Recieve", "receive"),
        ("alot", "a lot"),
        ("dont", "don't"),
        ("filtre", "filter"),
        ("以经", "已经"),
        ("自已", "自己"),
        ("在", "再"),
        ("能性", "性能"),
        ("篮图系铳", "蓝图系统"),
    ],
)
def test_misspellings(word, suggestion):
    assert is_misspelling(word, suggestion)


@pytest.mark.parametrize(
    ("word", "suggestion"),
    [
        ("word", "word"),
        ("unreal", "Unreal"),
        ("colour", "color"),
        ("initialise", "initialize"),
        ("centre", "center"),
        ("re-use", "reuse"),
        ("don’t", "don't"),
        ("enable", "enables"),
        ("render", "rendered"),
        ("big", "large"),
        ("is", "are"),
        ("cat", "dog"),
        ("a", "an"),
        ("foo bar", "foobar"),
        ("x86", "x68"),
        ("foo_bar", "foo_baz"),
        ("材质", "贴图"),
        ("已经", "已经了"),
        ("已经", "yijing"),
        ("已，经", "己，经"),
        ("天地玄黄", "日月玄皇"),
        ("", "the"),
        ("teh", ""),
        ("a" * 41, "a" * 42),
    ],
)
def test_no_misspellings(word, suggestion):
    assert not is_misspelling(word, suggestion)


WORDS = st.text("abcdé", max_size=8)


@given(WORDS, WORDS, WORDS)
def test_the_distance_is_symmetric_and_small_changes_are_small(first, second, third):
    distance = edit_distance(first, second)
    assert distance == edit_distance(second, first)
    assert (distance == 0) == (first == second)
    assert abs(len(first) - len(second)) <= distance <= max(len(first), len(second))
    assert edit_distance(third + first, third + second) <= distance


@given(st.text("abcd", min_size=2, max_size=8), st.data())
def test_one_slip_is_one_step(word, data):
    at = data.draw(st.integers(0, len(word) - 2))
    for slip in (
        word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        word[: at + 1] + word[at:],
        word[:at] + word[at + 1 :],
    ):
        assert edit_distance(word, slip) <= 1


@given(st.text(max_size=50), st.text(max_size=50))
def test_whatever_is_given_it_says_yes_or_no(word, suggestion):
    taken = is_misspelling(word, suggestion)
    assert not (taken and word.casefold() == suggestion.casefold())
