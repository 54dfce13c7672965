"""How large chunks may be, and how that is measured."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

__all__ = ["Sizes"]

_REMEMBERED = 256
_FIRST_STEP = 64  # characters at which the search for the furthest fitting offset begins


@dataclass(frozen=True, slots=True)
class Sizes:
    """The limits of a splitter, in units of its length function.

    Args:
        chunk: What a chunk should not pass.
        minimum: What a chunk should reach.
        maximum: What no chunk passes, but for a single grapheme.
        overlap: What is repeated of the text before.
        length: The length of a text; it never shrinks when text is added.
        input_limit: A second limit that no chunk passes, None if there is none.
        input_length: The length that ``input_limit`` refers to.
    """

    chunk: int
    minimum: int
    maximum: int
    overlap: int
    length: Callable[[str], int] = len
    input_limit: int | None = None
    input_length: Callable[[str], int] = len
    plain: bool = field(init=False)
    """Whether lengths are numbers of characters, so that offsets tell them."""

    def __post_init__(self) -> None:
        """Note whether offsets tell lengths."""
        object.__setattr__(self, "plain", self.length is len and self.input_limit is None)

    def remembering(self) -> Sizes:
        """Return the same limits, for one note: lengths that were measured lately aren't measured again.

        A tokenizer takes most of the time of a split, and sixty of a hundred characters were measured before.
        """
        if self.plain:
            return self
        length = self.length if self.length is len else lru_cache(_REMEMBERED)(self.length)
        return replace(self, length=length, input_length=lru_cache(_REMEMBERED)(self.input_length))

    def fits(self, text: str, start: int, end: int, limit: int, before: str = "", after: str = "") -> bool:
        """Say whether ``before + text[start:end] + after`` keeps to ``limit`` and to the input limit."""
        if self.length is len and len(before) + end - start + len(after) > limit:
            return False
        if self.plain:
            return True
        content = before + text[start:end] + after
        if self.length is not len and self.length(content) > limit:
            return False
        return self.input_limit is None or self.input_length(content) <= self.input_limit

    def reaches(self, text: str, start: int, end: int, limit: int, before: str = "", known: int = 0) -> bool:
        """Say the same as ``fits`` at a cost that the limit bounds, not the text.

        Args:
            text: The text.
            start: Where the part begins.
            end: Where it ends.
            limit: The limit, in units of the length function.
            before: What stands before it.
            known: An offset up to which the part is known to fit.
        """
        if self.plain:
            return len(before) + end - start <= limit
        if self.length is len:  # the number of characters bounds what the input limit has to measure
            return len(before) + end - start <= limit and self.fits(text, start, end, limit, before)
        step = max(_FIRST_STEP, 2 * (known - start))
        while start + step < end:
            if not self.fits(text, start, start + step, limit, before):
                return False
            step *= 2
        return self.fits(text, start, end, limit, before)

    def furthest(
        self,
        text: str,
        start: int,
        ends: Sequence[int],
        first: int,
        stop: int,
        limit: int,
        before: str = "",
        after: Callable[[int], str] | None = None,
    ) -> int:
        """Return the index of the last of ``ends[first:stop]`` up to which text from ``start`` fits; -1 if none does.

        Args:
            text: The text.
            start: Where the chunk begins.
            ends: Rising offsets.
            first: The index of the first to look at.
            stop: The index after the last to look at.
            limit: The limit, in units of the length function.
            before: What stands before the text in the chunk.
            after: What stands behind it, by its end.
        """
        sizes = self._leaving_room(limit)

        def fits(index: int, known: int = 0) -> bool:
            end = ends[index]
            if not sizes.reaches(text, start, end, limit, before, known):
                return False
            closing = after(end) if after else ""
            return not closing or sizes.fits(text, start, end, limit, before, closing)

        if self.length is len and first < stop:
            stop = bisect_right(ends, start + limit - len(before), first, stop)
            if first < stop and fits(stop - 1):
                return stop - 1
        if first >= stop or not fits(first):
            return -1
        # Steps that double, then halves: no text much longer than the chunk is ever measured.
        low, step = first, 1
        while low + step < stop and fits(low + step, ends[low]):
            low += step
            step *= 2
        high = min(low + step, stop)
        while high - low > 1:
            middle = (low + high) // 2
            if fits(middle, ends[low]):
                low = middle
            else:
                high = middle
        return low

    def _leaving_room(self, limit: int) -> Sizes:
        """Return limits of which the input limit, too, leaves the share of room that ``limit`` leaves in a chunk."""
        if self.input_limit is None or limit >= self.chunk:
            return self
        return replace(self, input_limit=max(1, self.input_limit * limit // self.chunk))

    def furthest_offset(self, text: str, start: int, end: int, limit: int, before: str = "", after: str = "") -> int:
        """Return the last offset in ``text[start:end]`` up to which text from ``start`` fits; ``start`` if none."""
        if self.length is len:
            end = min(end, max(start, start + limit - len(before) - len(after)))
            if self.fits(text, start, end, limit, before, after):
                return end
        low, step = start, _FIRST_STEP
        while low < end and self.fits(text, start, min(low + step, end), limit, before, after):
            low = min(low + step, end)
            step *= 2
        high = min(low + step, end + 1)
        while high - low > 1:
            middle = (low + high) // 2
            if self.fits(text, start, middle, limit, before, after):
                low = middle
            else:
                high = middle
        return low

    def overlap_window(self, text: str, start: int, end: int) -> int:
        """Return the first offset from ``start`` on from which the text up to ``end`` is no longer than the overlap."""
        if self.length is len:
            return max(start, end - self.overlap)
        low, step = end, _FIRST_STEP
        while low > start and self.length(text[max(start, low - step) : end]) <= self.overlap:
            low = max(start, low - step)
            step *= 2
        high = max(start - 1, low - step)  # here it is too long, or there is nothing
        while low - high > 1:
            middle = (low + high) // 2
            if self.length(text[middle:end]) <= self.overlap:
                low = middle
            else:
                high = middle
        return low
