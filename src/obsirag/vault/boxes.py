"""Which of the boxes on a canvas lie in which."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

__all__ = ["Box", "owners"]


class Box(NamedTuple):
    """A box on a canvas, in pixels.

    Args:
        x: Its left side.
        y: Its upper side; larger is lower.
        width: How wide it is.
        height: How high it is.
    """

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        """The point in its middle."""
        return self.x + self.width / 2, self.y + self.height / 2


def owners(boxes: Sequence[Box], groups: Sequence[Box]) -> list[int]:
    """Return, for each box, the index of the smallest group that its middle lies in; -1 if there is none.

    Of groups of one size the first counts.
    """
    found = [-1] * len(boxes)
    # Sorted once, so that a group looks only at the boxes of its columns or of its rows, whichever are fewer.
    axes = []
    for axis in (0, 1):
        order = sorted(range(len(boxes)), key=lambda index, axis=axis: boxes[index].middle[axis])  # type: ignore[misc]
        axes.append((order, [boxes[index].middle[axis] for index in order]))
    for group_index in sorted(range(len(groups)), key=lambda index: groups[index].width * groups[index].height):
        left, top, width, height = groups[group_index]
        sides = ((left, left + width), (top, top + height))
        ranges = [
            (order, bisect_left(middles, low), bisect_right(middles, high))
            for (order, middles), (low, high) in zip(axes, sides, strict=True)
        ]
        order, start, end = min(ranges, key=lambda each: each[2] - each[1])
        for index in order[start:end]:
            x, y = boxes[index].middle
            if found[index] < 0 and left <= x <= left + width and top <= y <= top + height:
                found[index] = group_index
    return found
