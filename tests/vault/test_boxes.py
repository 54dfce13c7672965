import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.vault.boxes import Box, owners, parents

sides = st.integers(-20, 20).map(float)
lengths = st.integers(-2, 25).map(float)
boxes = st.lists(st.builds(Box, sides, sides, lengths, lengths), max_size=8)


def lies_in(box: Box, group: Box) -> bool:
    x, y = box.middle
    return group.x <= x <= group.x + group.width and group.y <= y <= group.y + group.height


@given(boxes, boxes)
def test_the_smallest_group_around_the_middle_owns_a_box(inner, groups):
    for box, owner in zip(inner, owners(inner, groups), strict=True):
        around = [index for index, group in enumerate(groups) if lies_in(box, group)]
        expected = min(around, key=lambda index: groups[index].width * groups[index].height, default=-1)
        assert owner == expected


@given(boxes)
def test_the_parent_of_a_group_is_the_smallest_larger_one_around_its_middle(groups):
    sizes = [(group.width * group.height, index) for index, group in enumerate(groups)]
    for index, parent in enumerate(parents(groups)):
        around = [
            other for other, group in enumerate(groups) if sizes[other] > sizes[index] and lies_in(groups[index], group)
        ]
        assert parent == min(around, key=lambda other: sizes[other], default=-1)


def row(count):
    return [Box(float(10 * number), 0.0, 5.0, 5.0) for number in range(count)]


def columns_and_rows(count):
    """Return boxes of which each lies in the column of one area and the row of another, but in none of them."""
    half = count // 2
    return [Box(float(number), 0.0, 0.0, 1e6) for number in range(half)] + [
        Box(0.0, float(number), 1e6, 0.0) for number in range(half)
    ]


def same(count):
    return [Box(0.0, 0.0, 5.0, 5.0)] * count


@pytest.mark.parametrize("shape", [row, columns_and_rows, same])
def test_many_groups_are_not_each_held_against_each_box(shape):
    def calls(count):
        boxes, counted = shape(count), 0

        def count_one(frame, event, argument):
            nonlocal counted
            counted += 1

        sys.setprofile(count_one)
        try:
            owners(boxes, boxes)
            parents(boxes)
        finally:
            sys.setprofile(None)
        return counted

    assert calls(2000) < 6 * calls(500)  # four times as many; all pairs would be sixteen times as many
