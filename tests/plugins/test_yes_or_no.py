from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.plugins.yes_or_no import first_choices, yes_share

CHOICES = [{"token": "yes", "logprob": -0.5}]


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        ({"logprobs": {"content": [{"token": "yes", "top_logprobs": CHOICES}]}}, CHOICES),
        ({}, None),
        ({"logprobs": None}, None),
        ({"logprobs": {"content": None}}, None),
        ({"logprobs": {"content": []}}, None),
        ({"logprobs": {"content": [{"token": "yes", "logprob": -0.5}]}}, None),
        ({"logprobs": {"content": [{"top_logprobs": []}]}}, None),
        ({"logprobs": {"content": [{"top_logprobs": "yes"}]}}, None),
        ({"logprobs": {"content": [{"top_logprobs": [{"token": "yes"}]}]}}, None),
        ({"logprobs": {"content": [{"top_logprobs": [{"token": "yes", "logprob": 5.0}]}]}}, None),
        ({"logprobs": {"content": [{"top_logprobs": [{"token": "yes", "logprob": float("nan")}]}]}}, None),
        ({"logprobs": {"tokens": ["yes"], "token_logprobs": [-0.5]}}, None),
    ],
)
def test_the_choices_of_the_first_token_are_found_or_missed(metadata, expected):
    assert first_choices(metadata) == expected


probabilities = st.floats(1e-6, 1)


@given(probabilities, probabilities, st.sampled_from(["yes", " Yes", "ĠYES", "▁yes", "Yes.", "是"]))
def test_the_share_is_that_of_yes_among_both(yes, no, word):
    choices = [
        {"token": word, "logprob": log(yes)},
        {"token": "No", "logprob": log(no)},
        {"token": "maybe", "logprob": -0.1},
    ]
    assert yes_share(choices) == pytest.approx(yes / (yes + no))


def test_several_spellings_are_added_and_neither_is_nothing():
    choices = [{"token": token, "logprob": -1.0} for token in ("yes", "Yes", "no")]
    assert yes_share(choices) == pytest.approx(2 / 3)
    assert yes_share([{"token": "no", "logprob": -0.1}]) == 0
    assert yes_share([{"token": "yes", "logprob": -9.0}]) == 1
    assert yes_share([{"token": "<think>", "logprob": 0.0}, {"token": "yesterday", "logprob": -1.0}]) is None
    # Too small for a number to hold is as good as not said.
    assert exp(-9999) == 0
    assert yes_share([{"token": "yes", "logprob": -9999.0}]) is None
