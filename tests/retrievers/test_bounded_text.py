from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.retrievers.bounded_text import bounded_text

texts = st.text(alphabet=st.sampled_from("ab 1.,!?。，中文\n\u0301😀"), max_size=200)


@given(texts, st.integers(1, 80))
def test_it_is_a_beginning_within_the_limit_and_no_short_one(text: str, limit: int) -> None:
    kept = bounded_text(text, limit)
    assert text.startswith(kept)
    assert len(kept) <= limit
    assert len(kept) >= min(len(text), max(1, limit // 2))


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("short", 512, "short"),
        ("One is here. Two is there. Three", 28, "One is here. Two is there."),
        ("第一句在这里。第二句在那里。第三句很长很长", 16, "第一句在这里。第二句在那里。"),
        ("One is here. a very long sentence without an end", 30, "One is here. a very long"),
        ("没有句号的一段很长的文字一直写下去", 7, "没有句号的一段"),
        ("version 3.5 of the engine", 10, "version"),
        ("x" * 50, 10, "x" * 10),
    ],
)
def test_it_is_cut_behind_a_sentence_else_a_word(text: str, limit: int, kept: str) -> None:
    assert bounded_text(text, limit) == kept
