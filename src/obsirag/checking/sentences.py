"""The sentences of a note that hold prose, with their places."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from obsirag.checking.untouchable import Untouchable
from obsirag.glossary.names import plain
from obsirag.markdown import Block, scan
from obsirag.records import Note
from obsirag.text import sentence_ends, word_ends

__all__ = ["NoteText", "Sentence", "sentences_of"]

LONGEST = 300
"""Characters of a sentence; longer ones are parted behind a word."""
_PROSE = frozenset({"heading", "paragraph", "item", "quote", "callout", "table", "footnote"})
_BY_LINE = _PROSE - {"heading", "paragraph"}
_LINE = re.compile(r"[^\r\n]+")
_LINE_END = re.compile(r"\r\n?|\n")
_MARKS = re.compile(r"[\s>|]*(?:[-*+]\s+|\d{1,9}[.)]\s+|#{1,6}\s+|\[\^[^\s\[\]]{1,100}\]:\s*)?(?:\[.\]\s+)?")
_TWO_LETTERS = re.compile(r"[^\W\d_].*[^\W\d_]", re.DOTALL)


class NoteText:
    """A note's text, and where in it a word can be one of prose.

    Args:
        note: The note.
    """

    def __init__(self, note: Note) -> None:
        self.path = note.path
        self.text = note.text
        self.blocks: list[Block] = scan(note.text)
        self.untouchable = Untouchable(note.text, self.blocks)
        self._first_line = note.first_line
        self._line_starts = [0, *(found.end() for found in _LINE_END.finditer(note.text))]

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line in the file and the column in that line, both from 1, of the character at ``offset``."""
        index = bisect_right(self._line_starts, offset) - 1
        return self._first_line + index, offset - self._line_starts[index] + 1


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence with words of prose.

    Args:
        note: The note that it stands in.
        start: Offset of its first character in the note's text.
        end: Offset after its last.
        shown: It as it is read, on one line, without marks of Markdown.
    """

    note: NoteText
    start: int
    end: int
    shown: str


def sentences_of(note: NoteText) -> Iterator[Sentence]:
    """Yield the sentences of a note that hold prose, in order."""
    text = note.text
    for block in note.blocks:
        if block.kind not in _PROSE:
            continue
        lines = _LINE.finditer(text, block.start, block.end) if block.kind in _BY_LINE else None
        for start, end in [line.span() for line in lines] if lines else [(block.start, block.end)]:
            for begin, after in _pieces(text, start, end):
                if _TWO_LETTERS.search(note.untouchable.prose(begin, after)):
                    yield Sentence(note, begin, after, " ".join(plain(text[begin:after]).split()))


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    if marks := _MARKS.match(text, start, end):
        start = marks.end()
    for after in [*sentence_ends(text, start, end), end]:
        while after - start > LONGEST:
            words = [each for each in word_ends(text, start, start + LONGEST) if each > start]
            middle = words[-1] if words else start + LONGEST
            yield start, middle
            start = middle
        if after > start:
            yield start, after
        start = max(start, after)
