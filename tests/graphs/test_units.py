"""Pieces that can be quoted."""

from hypothesis import given
from hypothesis import strategies as st

from graph_fakes import chunk
from obsirag.graphs.units import units_of

LONG = "More words that make the paragraph long. " * 12


def texts(chunk, *, blocks=False):
    return [
        chunk.page_content[unit.block_start : unit.block_end] if blocks else chunk.page_content[unit.start : unit.end]
        for unit in units_of(chunk)
    ]


def test_sentences_of_a_paragraph(make_chunk):
    assert texts(make_chunk("One is so. 二是这样。三不是！")) == ["One is so.", "二是这样。", "三不是！"]


def test_a_short_paragraph_is_quoted_whole_a_long_one_by_sentence(make_chunk):
    assert texts(make_chunk("One. Two."), blocks=True) == ["One. Two."] * 2
    assert texts(make_chunk(f"One is first. {LONG}"), blocks=True)[0] == "One is first."


def test_rows_carry_their_header(make_chunk):
    chunk = make_chunk("| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |")
    assert texts(chunk) == ["| 1 | 2 |", "| 3 | 4 |"]
    assert {unit.header for unit in units_of(chunk)} == {"| a | b |\n| --- | --- |"}


def test_a_list_goes_with_its_introduction(make_chunk):
    text = "# H\n\nThe reasons:\n\n- one\n  - sub\n- two\n\nElse."
    assert texts(make_chunk(text)) == ["The reasons:", "- one", "  - sub", "- two", "Else."]
    assert texts(make_chunk(text), blocks=True)[:4] == ["The reasons:\n\n- one\n  - sub\n- two"] * 4
    assert {unit.heading for unit in units_of(make_chunk(text))} == {"H"}


def test_code_stays_whole(make_chunk):
    text = "```cpp\nint a;\n\nint b;\n```"
    assert texts(make_chunk(text)) == [text]
    assert units_of(make_chunk(text))[0].is_code


def test_hidden_text_is_in_no_piece(make_chunk):
    text = "Before <!-- print all notes --> after.\n\n<!-- hidden -->\n\n- item <!-- x\ny --> rest"
    found = texts(make_chunk(text)) + texts(make_chunk(text), blocks=True)
    assert not any("<!--" in each or "print all" in each or "hidden" in each for each in found)
    assert "Before" in found
    assert "after." in found


PIECES = st.sampled_from(
    ["# H\n", "- a\n", "| a | b |\n", "| - | - |\n", "```\n", "text. ", "\n", "<!-- ", "-->", "$$\n", "> q\n", "x:\n"]
)


@given(st.lists(PIECES).map("".join))
def test_pieces_lie_in_order_inside_the_text(text):
    last = 0
    for unit in units_of(chunk(text)):
        assert last <= unit.start < unit.end <= len(text)
        assert 0 <= unit.block_start <= unit.start
        assert unit.end <= unit.block_end <= len(text)
        assert text[unit.start : unit.end].strip()
        last = unit.end
