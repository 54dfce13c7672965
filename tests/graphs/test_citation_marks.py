"""Marks are found where they cite, and nowhere else."""

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from obsirag.graphs.citation_marks import find_marks, keep_marks


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("The cap is 200 [1].", [1]),
        ("The cap is 200[1].", [1]),
        ("It was raised in 2024[1], they say.", [1]),
        ("上限是 200[1]。", [1]),
        ("上限是 200【1】。", [1]),
        ("上限是 200［1］。", [1]),
        ("上限是 200【1†来源】。", [1]),
        ("Both hold [1, 2].", [1, 2]),
        ("两者都成立[1，2、3]。", [1, 2, 3]),
        ("All three hold [1-3].", [1, 2, 3]),
        ("Both hold [1][2].", [1, 2]),
        ("Both hold[1][2].", [1, 2]),
        ("As said [Passage 2].", [2]),
        ("如上[来源 2][片段3]。", [2, 3]),
        (r"As escaped \[2\].", [2]),
        ("**Bold**[1], “quoted”[2], (see the table)[3].", [1, 2, 3]),
        ("[1] The cap is 200.", [1]),
        ("- item [1]\n- [x] done [2]", [1, 2]),
        ("| a | b [1] |\n| --- | --- |\n| c [2] | d |", [1, 2]),
        ("<sup>[1]</sup>", [1]),
        # none of these cites
        ("Take a[3] and arr[0] and f()[2] and x[1][2].", []),
        ("items[1] = 2", []),
        ("obj.items[1].", []),
        ("Use `values [1]` here.", []),
        ("```\nvalues [1]\n```", []),
        ("~~~py\nx = [1, 2]\n~~~", []),
        ("$x [1]$ and $$\ny [2]\n$$", []),
        ("See [1](https://e.example) and ![2](x.png).", []),
        ("[1]: https://e.example", []),
        ("A footnote[^1].", []),
        ("A note [[1]] and [[note|1]].", []),
        ("In [2024] and [1234].", []),
        ("[ ] [x] [] [a] [1a]", []),
    ],
)
def test_finds_marks(text, numbers):
    assert [number for mark in find_marks(text) for number in mark.numbers] == numbers


def test_marks_say_where_they_stand():
    text = "One [1], two 【2】."
    assert [text[mark.start : mark.end] for mark in find_marks(text)] == ["[1]", "【2】"]


def test_numbers_that_do_not_exist_are_taken_out():
    text = "Water boils at 100 °C [1][16]. See also [2, 9]. Array a[3] in `code [4]` and link [5](https://e.example)."
    assert keep_marks(text, {1, 2}) == (
        "Water boils at 100 °C [1]. See also [2]. Array a[3] in `code [4]` and link [5](https://e.example).",
        [16, 9],
    )
    assert keep_marks("It is so [7].", {1}) == ("It is so.", [7])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("So it is【1】(javascript:x).", "So it is [1] (javascript:x)."),
        ("![【1】](x) a【1】 = 2", "![ [1] ](x) a [1]  = 2"),
        ("【1】: https://a.example", "[1] : https://a.example"),
        ("It is 8【1】【2】. So", "It is 8[1][2]. So"),
    ],
)
def test_a_mark_in_its_one_form_becomes_nothing_else(text, kept):
    assert keep_marks(text, {1, 2}) == (kept, [])


PIECES = st.sampled_from(
    ["[1]", "[9]", "【2】", "[1, 9]", "a", " ", ".", "`", "[", "]", "(", "\n", "```\n", "$", "\\", "![", "字"]
)


def numbers_in(text):
    return [number for mark in find_marks(text) for number in mark.numbers]


@given(st.lists(PIECES, max_size=30).map("".join))
@example("a\\【2】")
@example("   【2】]")
def test_whatever_is_left_is_known(text):
    kept, removed = keep_marks(text, {1, 2})
    assert {number for mark in find_marks(text) for number in mark.numbers} - {1, 2} == set(removed)
    if not removed:
        assert {number for mark in find_marks(kept) for number in mark.numbers} <= {1, 2}
        assert numbers_in(kept) == numbers_in(text)


@given(st.text())
def test_any_text_is_read(text):
    for mark in find_marks(text):
        assert 0 <= mark.start < mark.end <= len(text)
        assert mark.numbers


@pytest.mark.parametrize("piece", ["`x` [1] ", "【1†", "[1]: ", "[source ", "`` `x` [1] `` "])
def test_time_does_not_grow_with_the_square_of_a_text(piece):
    start = time.perf_counter()
    find_marks(piece * 16_000)
    assert time.perf_counter() - start < 20
