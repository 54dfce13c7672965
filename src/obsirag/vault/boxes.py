"""Which of the boxes on a canvas lie in which."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Box", "owners", "parents"]


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
    waiting = _Middles(boxes)
    for index in sorted(range(len(boxes)), key=lambda index: boxes[index].middle[1]):
        waiting.add(index)
    for group in _smallest_first(groups):
        for index in waiting.take(groups[group]):
            found[index] = group
    return found


def parents(groups: Sequence[Box]) -> list[int]:
    """Return, for each group, the index of the smallest larger one that its middle lies in; -1 if there is none.

    Of groups of one size, each counts as larger than those before it.
    """
    found = [-1] * len(groups)
    waiting = _Middles(groups)
    for group in _smallest_first(groups):
        for index in waiting.take(groups[group]):
            found[index] = group
        waiting.add(group)
    return found


def _smallest_first(groups: Sequence[Box]) -> list[int]:
    return sorted(range(len(groups)), key=lambda index: groups[index].width * groups[index].height)


class _Middles:
    """The middles of boxes, to be taken out by the areas they lie in without looking at those elsewhere.

    A tree over the boxes from left to right; each of its nodes has its boxes from top to bottom.

    Args:
        boxes: All boxes that will be added.
    """

    def __init__(self, boxes: Sequence[Box]) -> None:
        order = sorted(range(len(boxes)), key=lambda index: boxes[index].middle[0])
        self._lefts = [boxes[index].middle[0] for index in order]
        self._tops = [box.middle[1] for box in boxes]
        self._leaf = {index: len(order) + place for place, index in enumerate(order)}
        self._nodes: list[list[tuple[float, int]]] = [[] for _ in range(2 * len(order))]
        self._is_here = [False] * len(boxes)

    def add(self, index: int) -> None:
        """Put the middle of a box in."""
        self._is_here[index] = True
        node = self._leaf[index]
        while node:
            insort(self._nodes[node], (self._tops[index], index))
            node //= 2

    def take(self, area: Box) -> Iterator[int]:
        """Yield the boxes whose middles lie in an area, and take them out."""
        start = len(self._lefts) + bisect_left(self._lefts, area.x)
        end = len(self._lefts) + bisect_right(self._lefts, area.x + area.width)
        while start < end:
            if start % 2:
                yield from self._take_from(start, area)
                start += 1
            if end % 2:
                end -= 1
                yield from self._take_from(end, area)
            start, end = start // 2, end // 2

    def _take_from(self, node: int, area: Box) -> Iterator[int]:
        members = self._nodes[node]
        first, last = bisect_left(members, (area.y,)), bisect_right(members, (area.y + area.height, len(self._tops)))
        taken = members[first:last]
        del members[first:last]  # the other nodes still have them, until these are asked
        for _, index in taken:
            if self._is_here[index]:
                self._is_here[index] = False
                yield index
