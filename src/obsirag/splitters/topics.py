"""Where new topics begin in a long text, as somebody says who is shown its parts window by window."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

__all__ = ["FindTopics", "TopicStarts"]

FindTopics = Callable[[Sequence[str]], Sequence[int] | None]
"""Gets the parts of a text, and returns the indexes of those with which a new topic begins; None if it cannot say."""

WINDOW = 3000
"""Characters that are shown at a time: what a small model still reads with care."""
MOST_PARTS = 60
"""Parts that are shown at a time."""
LONGEST_PART = 240
"""Characters of a part that are shown; its beginning says what it is about."""
_CRUMBS = 4
"""How many times a topic that stands for itself may be shorter than what sections are put together to reach."""
_BEFORE = 3
"""Parts that are shown again where a window found no beginning near its end: one may lie right there."""


@dataclass(slots=True)
class TopicStarts:
    """Asks for the beginnings of topics, and takes only answers that part the text well.

    Args:
        find: Says where topics begin. It is somebody else's: its answer may be anything.
        minimum: What sections are put together to reach. The topics of an answer reach half of it on average: what is
            parted more finely isn't parted by topics.
        calls: How often it may still be asked.
    """

    find: FindTopics
    minimum: int
    calls: int

    def of(self, parts: Sequence[str], lengths: Sequence[int]) -> list[int]:
        """Return the indexes of the parts with which a new topic begins, rising, without the first part's.

        Where an answer is no valid partition, its window has no beginnings.

        Args:
            parts: The text, in parts that are not to be cut.
            lengths: Their lengths, in the unit of ``minimum``.
        """
        found: list[int] = []
        first = 0
        while first + 1 < len(parts) and self.calls > 0:
            end = _window_end(parts, first)
            starts: list[int] = []
            if end - first > 1:
                self.calls -= 1
                shown = [shorten(part) for part in parts[first:end]]
                starts = accepted(self.find(shown), lengths[first:end], self.minimum // 2)
            # The first part of a window is known to begin a topic, or not to.
            found += [first + start for start in starts]
            if end == len(parts):
                break
            half = first + (end - first + 1) // 2
            last = found[-1] if found else 0
            # The last topic may go on behind the window, and is shown again with what follows.
            first = last if last >= half else max(half, end - _BEFORE)
        return _without_crumbs(found, lengths, self.minimum // _CRUMBS)


def shorten(part: str) -> str:
    """Return a part as it is shown: on one line, no longer than that takes."""
    line = " ".join(part[: LONGEST_PART + 1].split())
    return line if len(part) <= LONGEST_PART else line[: LONGEST_PART - 1] + "…"


def accepted(answer: object, lengths: Sequence[int], average: int) -> list[int]:
    """Return the beginnings of an answer but for the first part's; none if it is no valid partition.

    It is one if it is a list of whole numbers that rise and each name a part, and if the topics between them are long
    enough on average.

    Args:
        answer: What was answered.
        lengths: The lengths of the parts.
        average: What their lengths have to reach on average.
    """
    if not isinstance(answer, (list, tuple)) or len(answer) > len(lengths):
        return []
    if not all(type(each) is int and 0 <= each < len(lengths) for each in answer):
        return []
    if any(following <= each for each, following in pairwise(answer)):
        return []
    starts = [each for each in answer if each > 0]
    return starts if sum(lengths) >= average * (len(starts) + 1) else []


def _without_crumbs(starts: Sequence[int], lengths: Sequence[int], least: int) -> list[int]:
    """Return beginnings without those that leave less than ``least`` before them, or behind them at the end."""
    before = [0, *accumulate(lengths)]
    kept = [0]
    for start in starts:
        if before[start] - before[kept[-1]] >= least:
            kept.append(start)
    if len(kept) > 1 and before[-1] - before[kept[-1]] < least:
        kept.pop()
    return kept[1:]


def _window_end(parts: Sequence[str], first: int) -> int:
    """Return the index behind the last part that is shown together with the part ``first``."""
    room = WINDOW
    end = first
    while end < len(parts) and end - first < MOST_PARTS:
        room -= min(len(parts[end]), LONGEST_PART)
        if room < 0 and end > first:
            break
        end += 1
    return end
