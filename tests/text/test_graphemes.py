from __future__ import annotations

import pytest

from obsirag.text import grapheme_end, grapheme_start


@pytest.mark.parametrize(
    ("text", "starts"),
    [
        ("abc", [0, 1, 2]),
        ("e\u0301x", [0, 2]),
        ("👩\u200d👩\u200d👧x", [0, 5]),
        ("🇨🇳🇩🇪x", [0, 2, 4]),
        ("👍\U0001f3fdx", [0, 2]),
        ("❤\ufe0fx", [0, 2]),
        ("a\r\nb", [0, 1, 3]),
        ("\u1112\u1161\u11abx", [0, 3]),
        ("\u1112\u1161\u11ab\u1112\u1161\u11ab각\u1112", [0, 3, 6, 7]),
        ("하\u11ab한\u11ab\u1161", [0, 2, 4]),
        ("a\u200db\u200d字", [0, 2, 4]),
        ("\u0915\u094d\u200d\u0937\u200c字", [0, 5]),
        ("\U0001f642\u200d↔\ufe0fx", [0, 4]),
        ("\u0e17\u0e33字", [0, 2]),
        ("啊字", [0, 1]),
    ],
)
def test_starts_of(text: str, starts: list[int]) -> None:
    assert sorted({grapheme_start(text, position, 0) for position in range(len(text))}) == starts
    assert [grapheme_end(text, start, len(text)) for start in starts] == [*starts[1:], len(text)]


def test_the_ends_are_boundaries() -> None:
    assert grapheme_start("e\u0301", 2, 0) == 2
    assert grapheme_start("\u0301a", 0, 0) == 0
