import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.records.part_places import part_at

PARTS = '[[3, "page 1"], [10, "page 2"], [10, "page 3"], [20, "第 4 页"]]'


@pytest.mark.parametrize(
    ("line", "name"), [(1, "page 1"), (3, "page 1"), (9, "page 1"), (10, "page 3"), (19, "page 3"), (99, "第 4 页")]
)
def test_a_line_is_in_the_last_part_that_does_not_begin_behind_it(line, name):
    assert part_at(PARTS, line) == name


@given(
    st.none() | st.integers() | st.text() | st.sampled_from(["{}", "[1]", "[[1]]", '[["a", 1]]', "null", "[[1, 2]]"])
)
def test_what_is_no_list_of_parts_has_none(given):
    assert part_at(given, 5) == ""
