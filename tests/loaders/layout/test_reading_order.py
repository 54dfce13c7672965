"""The order of reading, on pages drawn as lines."""

from hypothesis import given
from hypothesis import strategies as st

from obsirag.loaders.layout import Line, Page, Sizes, page_blocks, without_furniture
from obsirag.loaders.layout.reading_order import in_reading_order

SIZE = 10.0


def line(text, x0, top, x1):
    return Line(text, x0, top, x1, top + SIZE, SIZE)


@given(
    st.integers(1, 4),
    st.integers(6, 40),
    st.floats(12, 30),
    st.lists(st.floats(-5, 5), min_size=4, max_size=4),
    st.randoms(use_true_random=False),
)
def test_columns_come_one_after_the_other(columns, rows, gutter, shifts, chance):
    width = (520 - gutter * (columns - 1)) / columns
    lines = [
        line(
            f"{column}-{row}",
            40 + column * (width + gutter),
            60 + shifts[column] + 14 * row,
            40 + column * (width + gutter) + width * chance.uniform(0.8, 1),
        )
        for column in range(columns)
        for row in range(rows)
    ]
    expected = [each.text for each in lines]
    chance.shuffle(lines)
    assert [each.text for column in in_reading_order(lines) for each in column] == expected


@given(st.lists(st.tuples(st.floats(0, 500), st.floats(0, 700), st.floats(1, 300), st.floats(4, 30)), max_size=40))
def test_no_text_is_lost_whatever_the_page(boxes):
    lines = [Line(f"w{n}w", x, top, x + width, top + size, size) for n, (x, top, width, size) in enumerate(boxes)]
    blocks = page_blocks(Page(1, 800.0, lines), Sizes.of(lines, step=1.12))
    text = " ".join(blocks)
    assert all(text.count(f"w{n}w") == 1 for n in range(len(lines)))


def test_furniture_is_what_stands_on_many_pages_and_only_at_their_ends():
    pages = [
        Page(
            number,
            800.0,
            [
                line("Handbook", 40, 20, 100),
                line("Note", 40, 400, 100),
                line(f"text {'abcdefgh'[number]}", 40, 300, 200),
                line(f"{number} / 9", 300, 780, 330),
            ],
        )
        for number in range(1, 6)
    ]
    for page, kept in zip(pages, without_furniture(pages), strict=True):
        assert [each.text for each in kept.lines] == ["Note", f"text {'abcdefgh'[page.number]}"]


def test_a_list_is_no_table():
    lines = [
        each for n in range(6) for each in (line(f"{n}.", 40, 50 + 14 * n, 48), line(f"item {n}", 70, 50 + 14 * n, 300))
    ]
    (column,) = in_reading_order(lines)
    assert [each.text for each in column] == [f"{n}. item {n}" for n in range(6)]


def test_a_heading_below_even_columns_comes_after_both():
    left = [line(f"l{n}", 40, 50 + 14 * n, 280) for n in range(8)]
    right = [line(f"r{n}", 310, 50 + 14 * n, 550) for n in range(8)]
    below = [Line("Heading", 40, 180, 120, 196, 16), line("text", 40, 204, 200)]
    ordered = [each.text for column in in_reading_order([*below, *right, *left]) for each in column]
    assert ordered == [*(f"l{n}" for n in range(8)), *(f"r{n}" for n in range(8)), "Heading", "text"]


def test_a_longer_left_column_is_read_to_its_end():
    left = [line(f"l{n}", 40, 50 + 14 * n, 280) for n in range(20)]
    right = [line(f"r{n}", 310, 50 + 14 * n, 550) for n in range(6)]
    ordered = [each.text for column in in_reading_order([*right, *left]) for each in column]
    assert ordered == [*(f"l{n}" for n in range(20)), *(f"r{n}" for n in range(6))]
