from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from obsirag.text import line_start


@given(st.text(st.sampled_from("a\n\r\u2028\f"), max_size=12), st.integers(0, 400), st.data())
def test_a_line_starts_behind_the_line_end_before_it(text: str, longer: int, data: st.DataObject) -> None:
    text = text.replace("a", "a" * (longer + 1))
    position = data.draw(st.integers(0, len(text)))
    low = data.draw(st.integers(0, position))
    starts = [low, *(match.end() for match in re.finditer(r"[\n\r]", text[:position]))]
    assert line_start(text, position, low) == max(starts)
