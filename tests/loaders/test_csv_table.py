"""CSV files as a table."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.loaders import Limits
from obsirag.loaders.kinds import read_file


def read(path, data, **limits):
    path.write_bytes(data)
    return read_file(path, Limits(**limits), ocr=False)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_delimiters_and_encodings(tmp_path, delimiter, encoding):
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter)
    rows = [["项目", "金额", "说明"], ["笔", "1,5", "两支；黑色的钢笔"], ["合计", "3", "包括运费在内的总数"]]
    writer.writerows(rows)
    text = read(tmp_path / "a.csv", file.getvalue().encode(encoding)).text
    assert text == "\n".join(
        ["| 项目 | 金额 | 说明 |", "| --- | --- | --- |", *(f"| {' | '.join(row)} |" for row in rows[1:]), ""]
    )


WORDS = st.text(st.sampled_from("ab中,;\"'|\n*#"), max_size=8).map(lambda text: f"x{text}x")


@given(st.integers(2, 5).flatmap(lambda width: st.lists(st.lists(WORDS, min_size=width, max_size=width), min_size=2)))
def test_every_row_comes_back(tmp_path_factory, rows):
    file = io.StringIO()
    csv.writer(file, quoting=csv.QUOTE_ALL).writerows(rows)
    lines = read(tmp_path_factory.mktemp("c") / "a.csv", file.getvalue().encode()).text.strip().split("\n")
    found = [line.removeprefix("| ").removesuffix(" |").split(" | ") for line in [lines[0], *lines[2:]]]
    assert [[cell.replace("\\|", "|") for cell in row] for row in found] == [
        [" ".join(cell.split()) for cell in row] for row in rows
    ]


def test_what_is_past_the_limits_is_told(tmp_path):
    data = b"a,b,c\n" + b"1,2,3\n" * 100
    loaded = read(tmp_path / "a.csv", data, rows=10, columns=2)
    assert loaded.text.count("\n") == 11
    assert "3" not in loaded.text
    assert len(loaded.findings) == 2
    few = read(tmp_path / "a.csv", data, characters=200)
    assert 0 < len(few.text) <= 201
