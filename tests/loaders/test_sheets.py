"""Excel files as Markdown; they are written by another library than the one that reads them."""

from datetime import datetime

import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from made_files import part_texts
from obsirag.loaders import Limits
from obsirag.loaders.kinds import read_file


def read(path, **limits):
    return read_file(path, Limits(**limits), ocr=False)


def test_sheets_tables_and_values(tmp_path):
    book = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
    book.set_properties({"title": "Budget 2025", "author": "Ann Lee"})
    day, share = book.add_format({"num_format": "yyyy-mm-dd"}), book.add_format({"num_format": "0%"})
    sheet = book.add_worksheet("Budget")
    sheet.write_row(0, 0, ["Item", "Cost", "When", "Share"])
    sheet.write_row(1, 0, ["Pen|x", 1.5])
    sheet.write_datetime(1, 2, datetime(2025, 1, 2), day)
    sheet.write_number(1, 3, 0.25, share)
    sheet.write_row(2, 0, ["Sum"])
    sheet.write_formula(2, 1, "=B2*2", None, 3)
    sheet.write_boolean(2, 3, True)
    sheet.write(5, 0, "Notes below")
    sheet.write_row(7, 1, ["a", "b"])
    sheet.write_row(8, 1, [12345678901234, "line\nbreak"])
    other = book.add_worksheet("差旅")
    other.write_row(0, 0, ["城市", "标准"])
    other.write_row(1, 0, ["上海", 400])
    hidden = book.add_worksheet("Secret")
    hidden.write(0, 0, "hidden")
    hidden.hide()
    book.close()
    loaded = read(tmp_path / "a.xlsx")
    assert part_texts(loaded) == {
        "sheet Budget": (
            "## Budget\n\n| Item | Cost | When | Share |\n| --- | --- | --- | --- |\n"
            "| Pen\\|x | 1.5 | 2025-01-02 | 25% |\n| Sum | 3 |  | TRUE |\n\nNotes below\n\n"
            "| a | b |\n| --- | --- |\n| 12345678901234 | line break |"
        ),
        "sheet 差旅": "## 差旅\n\n| 城市 | 标准 |\n| --- | --- |\n| 上海 | 400 |",
    }
    assert loaded.metadata == {"title": "Budget 2025", "author": "Ann Lee"}
    assert loaded.findings == ("a hidden sheet was left out",)


@pytest.mark.parametrize(("row", "column"), [(1_048_575, 16_383), (1_048_575, 0), (0, 16_383)])
def test_a_cell_far_away_costs_little(tmp_path, row, column):
    book = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
    sheet = book.add_worksheet()
    sheet.write(0, 0, "near")
    sheet.write(row, column, "far")
    book.close()
    assert read(tmp_path / "a.xlsx").text == "## Sheet1\n\nnear\n"


def test_rows_past_the_limit_are_told(tmp_path):
    book = xlsxwriter.Workbook(str(tmp_path / "a.xlsx"))
    sheet = book.add_worksheet("Long")
    for row in range(50):
        sheet.write_row(row, 0, [f"r{row}", row])
    book.close()
    loaded = read(tmp_path / "a.xlsx", rows=10)
    assert "r9" in loaded.text
    assert "r10" not in loaded.text
    assert loaded.findings == ("of sheet Long only the first 10 rows are read; raise `rows` or `characters`",)


WORDS = st.text(st.sampled_from("ab中文|*#1.`$<&"), min_size=1, max_size=8).map(lambda text: f"x{text}x")


@settings(max_examples=25)
@given(
    st.integers(2, 4).flatmap(
        lambda width: st.lists(st.lists(WORDS, min_size=width, max_size=width), min_size=2, max_size=6)
    )
)
def test_a_table_comes_back_as_it_was(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("sheet") / "a.xlsx"
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet("S")
    for number, row in enumerate(rows):
        for column, text in enumerate(row):
            sheet.write_string(number, column, text)
    book.close()
    lines = read(path).text.strip().split("\n")[2:]
    found = [line.removeprefix("| ").removesuffix(" |") for line in [lines[0], *lines[2:]]]
    assert [[cell.replace("\\|", "|").replace("\\<", "<") for cell in line.split(" | ")] for line in found] == rows
