import time

from hypothesis import given
from hypothesis import strategies as st

from obsirag.vault.boxes import Box, owners

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


def test_many_groups_side_by_side_take_little_more_time_than_few():
    def seconds(count: int) -> float:
        row = [Box(float(10 * number), 0.0, 5.0, 5.0) for number in range(count)]
        start = time.perf_counter()
        assert owners(row, row) == list(range(count))
        return time.perf_counter() - start

    few, many = min(seconds(500) for _ in range(3)), min(seconds(4000) for _ in range(3))
    assert many < 30 * few  # eight times as many; each group against each box would be 64 times as much
