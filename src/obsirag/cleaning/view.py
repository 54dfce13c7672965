"""A note as the steps see it, from one step to the next."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from obsirag.markdown import Span, literal_spans
from obsirag.markdown.merging import merge_spans
from obsirag.records import Edit, RenderedNote, apply_edits

__all__ = ["NoteView"]

_LEADING_FORM_FEED = re.compile(r"(?<![^\r\n\f])\f")


class NoteView:
    """A rendered note, with what is literal in it (code, maths) and what belongs together.

    What was literal before a line was taken out stays so, even if without the line it is something else.

    Args:
        rendered: The note.
        kept: What was literal in it before lines were taken out, in order.
    """

    def __init__(self, rendered: RenderedNote, kept: Sequence[Span] = ()) -> None:
        self.rendered = rendered
        self.text = rendered.text
        self._kept = list(kept)
        self._literals: list[Span] | None = None

    @property
    def literals(self) -> list[Span]:
        """The literal text, in order and without overlaps; found when it is first asked for."""
        if self._literals is None:
            found = list(_find_literals(self.rendered))
            self._literals = found if found == self._kept else merge_spans(found + self._kept)
        return self._literals

    @property
    def islands(self) -> list[list[Span]]:
        """The note's own text, then each embed's that stands on lines of its own: the pieces of each, in order."""
        text_length = len(self.text)
        pieces: list[list[Span]] = [[]]
        open_islands = [(0, text_length)]  # number and end, from outside to inside
        cursor = 0
        for embed in self.rendered.embeds:
            if not embed.is_block:
                continue
            while len(open_islands) > 1 and open_islands[-1][1] <= embed.start:
                island, end = open_islands.pop()
                pieces[island].append((cursor, end))
                cursor = end
            island, end = open_islands[-1]
            pieces[island].append((cursor, embed.start))
            cursor = embed.start
            open_islands.append((len(pieces), min(embed.end, end)))
            pieces.append([])
        while open_islands:
            island, end = open_islands.pop()
            pieces[island].append((cursor, end))
            cursor = end
        return [[piece for piece in island if piece[0] < piece[1]] for island in pieces]

    def changed(self, edits: Sequence[Edit], *, takes_lines: bool) -> NoteView:
        """Return the view after ``edits``, which cut no literal text in two.

        Args:
            edits: In order.
            takes_lines: Whether they take out lines, so that what is literal now is to stay so. Where characters are
                changed, on the other hand, it may well be that something is seen as code, or as none, only by an unseen
                character.
        """
        note = self.rendered
        text, segments, embeds = apply_edits(note.text, note.segments, note.embeds, edits)
        changed = replace(note, text=text, segments=tuple(segments), embeds=tuple(embeds))
        return NoteView(changed, list(_moved(self.literals if takes_lines else self._kept, edits)))


def _find_literals(rendered: RenderedNote) -> Iterator[Span]:
    """Yield the literal text; an embed is an island, so what is open in it means nothing outside, and vice versa."""
    borders = {0, len(rendered.text)}
    borders.update(border for embed in rendered.embeds if embed.is_block for border in (embed.start, embed.end))
    for start, end in pairwise(sorted(borders)):
        for low, high in _paged_literals(rendered.text[start:end]):
            yield start + low, start + high


def _paged_literals(text: str) -> Iterator[Span]:
    """Yield the literal text; a form feed at the start of a line is no part of it: a fence may begin behind it."""
    feeds = [found.start() for found in _LEADING_FORM_FEED.finditer(text)] if "\f" in text else []
    if not feeds:
        yield from literal_spans(text)
        return
    # What is left of the text is counted in its own offsets: as many form feeds stand before an offset as there are
    # feeds whose place, without the feeds before them, isn't past it.
    places = [feed - index for index, feed in enumerate(feeds)]
    for start, end in literal_spans(_LEADING_FORM_FEED.sub("", text)):
        yield start + bisect_right(places, start), end + bisect_right(places, end - 1)


def _moved(spans: Sequence[Span], edits: Sequence[Edit]) -> Iterator[Span]:
    """Yield ``spans`` where they are after ``edits``, without those that went."""
    shift = index = 0
    for start, end in spans:
        while index < len(edits) and edits[index].end <= start:
            shift += len(edits[index].replacement) - (edits[index].end - edits[index].start)
            index += 1
        if index == len(edits) or edits[index].start >= end:
            yield start + shift, end + shift
