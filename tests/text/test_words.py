from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from obsirag.text import clause_ends, word_ends


def test_words_keep_their_closing_marks_and_characters_stand_alone() -> None:
    text = "one, (two) 中文。 x"
    assert [text[:end] for end in word_ends(text, 0, len(text))] == [
        "one,", "one, (two)", "one, (two) 中", "one, (two) 中文。", "one, (two) 中文。 x"
    ]  # fmt: skip


def test_clauses_end_at_commas_and_lines() -> None:
    text = "一，二; three, 1,000\nnext"
    assert [text[:end] for end in clause_ends(text, 0, len(text))] == [
        "一，", "一，二;", "一，二; three,", "一，二; three, 1,000"
    ]  # fmt: skip


@given(st.text(st.sampled_from("ab，,。 \n\t（)中\u0301")))
def test_ends_follow_a_visible_character(text: str) -> None:
    for ends in (word_ends(text, 0, len(text)), clause_ends(text, 0, len(text))):
        assert ends == sorted(set(ends))
        assert all(not text[end - 1].isspace() for end in ends)
