"""Lines in which a pattern is found outside code."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from operator import itemgetter

from obsirag.cleaning.removal import lines_between, removals
from obsirag.cleaning.view import NoteView
from obsirag.config import Marker
from obsirag.markdown import Span
from obsirag.records import Edit

__all__ = ["compile_markers", "marker_lines", "matching_lines"]


def compile_markers(markers: Iterable[Marker]) -> list[re.Pattern[str]]:
    """Return the regular expression of each marker."""
    return [re.compile(re.escape(each.text) if each.text is not None else each.regex or "") for each in markers]


def marker_lines(markers: Sequence[Marker]) -> Callable[[NoteView], Iterator[Edit]]:
    """Return the step that takes out each line that holds one of ``markers``, with its line end.

    What is found within code marks nothing: it speaks of a marker.
    """
    patterns = compile_markers(markers)

    def find(view: NoteView) -> Iterator[Edit]:
        return removals(view.text, matching_lines(view, patterns))

    return find


def matching_lines(view: NoteView, patterns: Sequence[re.Pattern[str]]) -> Iterator[Span]:
    """Yield the lines, without their ends, in which a pattern is found that doesn't lie within literal text.

    Args:
        view: The note.
        patterns: What to look for, in each line by itself.
    """
    if not patterns:
        return
    for start, end in lines_between(view.text, 0, len(view.text)):
        text = view.text[start:end]
        # The literal text is looked for only if anything matches at all.
        if any(each.search(text) for each in patterns) and any(
            not _lies_within(start + found.start(), start + found.end(), view.literals)
            for each in patterns
            for found in each.finditer(text)
        ):
            yield start, end


def _lies_within(start: int, end: int, literals: Sequence[Span]) -> bool:
    """Say whether a stretch lies within literal text, and isn't all of it."""
    index = bisect_right(literals, start, key=itemgetter(0)) - 1
    if index < 0:
        return False
    low, high = literals[index]
    if start == end:
        return low < start < high
    return low <= start and end <= high and (start, end) != (low, high)
