from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.text import sentence_ends


def sentences(text: str) -> list[str]:
    cuts = [0, *sentence_ends(text), len(text)]
    return [part for start, end in pairwise(cuts) if (part := text[start:end].strip())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("天冷了，在家等你。哈哈！真的吗？是的。", ["天冷了，在家等你。", "哈哈！", "真的吗？", "是的。"]),
        ("他说：“好。”然后走了。（完！）再见……嗯", ["他说：“好。”", "然后走了。", "（完！）", "再见……", "嗯"]),
        ("First; still first. Second! Third?", ["First; still first.", "Second!", "Third?"]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("Use v1.2.3 or 3.14, e.g. foo.py here.", ["Use v1.2.3 or 3.14, e.g. foo.py here."]),
        ("See Dr. Smith and J. Doe.", ["See Dr. Smith and J. Doe."]),
        ("1. An item with a point.", ["1. An item with a point."]),
        ("Go to https://a.example/b.c?d=1 now. Yes.", ["Go to https://a.example/b.c?d=1 now.", "Yes."]),
        ("I said no. Then I left.", ["I said no.", "Then I left."]),
        ("See No. 5 for that.", ["See No. 5 for that."]),
        ("好；坏", ["好；", "坏"]),
    ],
)
def test_sentences_of(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(st.sampled_from('ab1 .!?。！？；…”’")\n，A')), st.integers(0, 10), st.integers(0, 30))
def test_ends_rise_within_the_part_and_follow_a_visible_character(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    ends = sentence_ends(text, start, end)
    assert ends == sorted(set(ends))
    assert all(start < each <= end and not text[each - 1].isspace() for each in ends)
