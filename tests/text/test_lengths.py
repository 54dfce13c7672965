from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.text import estimate_tokens, word_count


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("Hello world 你好", 4), ("- | don't ## x_1", 2), ("用UE5开发", 4), ("a-b c.d", 2)]
)
def test_word_count(text: str, count: int) -> None:
    assert word_count(text) == count


def test_chinese_is_not_counted_too_low() -> None:
    assert estimate_tokens("虚幻引擎的反射系统负责收集类型信息。" * 40) >= 450
    assert estimate_tokens("") == 0
    assert estimate_tokens("abcd") == 2


@given(st.text(), st.text())
def test_lengths_never_shrink_when_text_is_added(text: str, more: str) -> None:
    assert estimate_tokens(text + more) >= estimate_tokens(text)
    assert estimate_tokens(more + text) >= estimate_tokens(text)
