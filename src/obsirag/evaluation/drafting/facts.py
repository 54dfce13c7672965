"""What the notes state, as far as a question can be made of it by rule: rows of tables, rules, and sections."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from obsirag.markdown import Block, comment_spans, scan
from obsirag.records import Note
from obsirag.text import sentence_ends

__all__ = ["Fact", "Kind", "facts_of"]

Kind = Literal["table", "negation", "section"]

SHORTEST = 8
LONGEST = 160
"""Characters of a statement: shorter ones say nothing, longer ones say several things."""
MOST_ROWS = 3
"""Rows of a table that are asked about; its others are of the same kind."""

_CELL = re.compile(r"(?<!\\)\|")
_DELIMITER = re.compile(r"[\s|:-]+")
_MARKS = re.compile(
    # No bracket opens within brackets: where none closes, each would look for its end to the end of the text.
    r"!\[\[[^\[\]]*\]\]|\[\[(?:[^\[\]|]*\|)?([^\[\]]*)\]\]|\[([^\[\]]*)\]\([^)\[]*\)|"
    r"[*_=~]{2,}|`|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)|"
    r"^[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(?:\[.\][ \t]+)?(?:\[![\w-]+\][+-]?)?|[ \t]\^[\w-]+$",
    re.MULTILINE,
)
_OPEN_ENDS = "?？:：,，"
"""What says that a sentence states nothing, or not all of it."""
_DENIES = re.compile(
    r"不能|不要|不可以?|不得|不许|不准|禁止|切勿|"
    r"\b(?:must|may|can|should|do|does|is|are) not\b|\bcannot\b|\bnever\b|"
    r"\b(?:mustn't|can't|don't|doesn't|isn't|aren't|shouldn't)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement of a note.

    Args:
        note: The note.
        kind: What it stands in, or is.
        start_line: 1-based first line of the file.
        end_line: Its last line.
        subject: What it is about: the row, or the heading that it stands under.
        aspect: What of the subject it tells: the head of the column; empty if it isn't of a table.
        text: The statement, without marks.
    """

    note: Note
    kind: Kind
    start_line: int
    end_line: int
    subject: str
    aspect: str
    text: str

    @property
    def key_point(self) -> str:
        """What a right answer says."""
        return f"{self.subject}: {self.text}" if self.kind == "table" else self.text


def facts_of(note: Note) -> list[Fact]:
    """Return what a note states, in order; what Obsidian doesn't show is left out."""
    hidden = comment_spans(note.text)
    hidden_ends = [end for _, end in hidden]
    starts = [0, *(match.end() for match in re.finditer(r"\r\n?|\n", note.text))]
    facts: list[Fact] = []
    heading = ""
    is_first = False
    for block in scan(note.text):
        next_hidden = bisect_right(hidden_ends, block.start)
        if next_hidden < len(hidden) and hidden[next_hidden][0] < block.end:
            continue
        if block.kind == "heading":
            heading, is_first = plain(block.info), True
        elif block.kind == "table":
            facts += _rows(note, block, starts)
        elif block.kind in ("paragraph", "item", "quote", "callout"):
            for fact in _statements(note, block, heading, starts):
                if fact.kind == "negation" or (is_first and heading and heading != note.title):
                    facts.append(fact)
                is_first = False
    return facts


def plain(text: str) -> str:
    """Return a text without marks of Markdown, on one line."""
    return " ".join(_MARKS.sub(lambda found: found[1] or found[2] or "", text).split())


def _rows(note: Note, block: Block, starts: Sequence[int]) -> Iterator[Fact]:
    lines = note.text[block.start : block.end].splitlines(keepends=True)
    if len(lines) < 3 or not _DELIMITER.fullmatch(lines[1]):
        return
    head = _cells(lines[0])
    offset = block.start + len(lines[0]) + len(lines[1])
    for line in lines[2 : 2 + MOST_ROWS]:
        cells = _cells(line)
        number = _line(note, starts, offset)
        offset += len(line)
        # The last column is the one that says most, as a rule.
        for aspect, cell in list(zip(head, cells, strict=False))[:0:-1]:
            if cells[0] and aspect and re.search(r"\w", cell) and len(cell) <= LONGEST:
                yield Fact(note, "table", number, number, cells[0], aspect, cell)
                break


def _cells(line: str) -> list[str]:
    return [plain(cell.replace("\\|", "|")) for cell in _CELL.split(line.strip().strip("|"))]


def _statements(note: Note, block: Block, heading: str, starts: Sequence[int]) -> Iterator[Fact]:
    text = note.text[block.start : block.end]
    ends = sorted({0, *sentence_ends(text), len(text)})
    for start, end in pairwise(ends):
        sentence = plain(text[start:end])
        if SHORTEST <= len(sentence) <= LONGEST and "|" not in sentence and sentence[-1] not in _OPEN_ENDS:
            kind: Kind = "negation" if _DENIES.search(sentence) else "section"
            first = start + len(text[start:end]) - len(text[start:end].lstrip())
            last = start + len(text[start:end].rstrip()) - 1
            lines = [_line(note, starts, block.start + each) for each in (first, max(first, last))]
            yield Fact(note, kind, lines[0], lines[1], heading or note.title, "", sentence)


def _line(note: Note, starts: Sequence[int], offset: int) -> int:
    return note.first_line + bisect_right(starts, offset) - 1
