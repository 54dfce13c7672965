import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.retrievers.web.texts import page_text, snippet_text, title_text


@pytest.mark.parametrize("mark", ["[...]", "[…]", "[ ... ]", r"\[...\]", "[....]", "[+1234 chars]"])
def test_a_snippet_ends_before_its_first_placeholder(mark):
    assert snippet_text(f"The first part. {mark} Another part.\nA third part.", 500) == "The first part."
    assert snippet_text(f"第一段。{mark}第二段。", 500) == "第一段。"
    assert snippet_text(f"{mark} The first part. {mark} Another part.", 500) == "The first part."
    assert snippet_text(f" {mark} {mark}\n", 500) == ""


@pytest.mark.parametrize("mark", ["[...]", "[…]", r"\[...\]"])
def test_in_a_page_a_placeholder_goes_with_the_rest_of_its_line(mark):
    assert (
        page_text(f"# Title\n\nHe said: so {mark} and so.\n\nNext.\n{mark}", 500) == "# Title\n\nHe said: so\n\nNext."
    )


def test_an_index_in_code_is_no_placeholder():
    code = "    total = array[...] + f(x)[...].sum()\n    rest = [...items]"
    assert page_text(f"Code:\n{code}", 500) == f"Code:\n{code}"


@given(st.text(max_size=400), st.integers(1, 300), st.text(max_size=50))
def test_texts_are_bounded_and_can_be_written(text, limit, near):
    for made in (snippet_text(text, limit), page_text(text, limit, near=near), title_text(text)):
        made.encode()  # no half of a character
        assert "\0" not in made
    assert len(snippet_text(text, limit)) <= limit
    assert len(page_text(text, limit, near=near)) <= limit
    assert "\n" not in title_text(text)


def test_a_page_is_cut_behind_a_sentence():
    assert (
        page_text("One sentence here. Two sentences here. Three of them.", 40)
        == "One sentence here. Two sentences here."
    )


def test_of_a_long_page_the_part_around_the_snippet_is_kept():
    filler = [f"Paragraph {number} speaks of the weather in general terms." for number in range(200)]
    filler[150] = "FDataTableRowHandle names a table and a row, and can be stored."
    page = "\n\n".join(filler)
    part = page_text(page, 600, near="A FDataTableRowHandle can be stored: it names a table and a row.")
    assert filler[150] in part
    assert part.startswith("Paragraph ")
    assert part.endswith(".")
    assert page_text(page, 600, near="完全无关") == page_text(page, 600)
    assert page.startswith(page_text(page, 600))


def test_titles_are_on_one_line():
    assert title_text("  A\n title\t\0 ") == "A title"
    assert len(title_text("word " * 500)) <= 300
