"""Which part of a note a link's subpath means: a section or a block."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from obsirag.markdown import Block
from obsirag.vault.codes import MISSING_BLOCK, MISSING_HEADING
from obsirag.vault.source import BLOCK_MARK, Source

__all__ = ["Part", "find_part"]

# What a link cannot hold, or Obsidian leaves out when it compares headings.
_PUNCTUATION = re.compile(r"""[!"#$%&()*+,.:;<=>?@^`{|}~/\[\]\\]+""")


class Part(NamedTuple):
    """A part of a note, without blank edges.

    Args:
        start: Offset of its first character in the note's text.
        end: Offset after its last character.
    """

    start: int
    end: int


def find_part(source: Source, subpath: str, *, with_heading: bool = True) -> Part | str:
    """Return the part of ``source`` that ``subpath`` means, or the diagnostic code that says what is missing.

    Args:
        source: The note.
        subpath: ``#Heading``, ``#A#B``, ``#^block``, or empty for the whole note.
        with_heading: Whether a section includes its heading.
    """
    names = [name.strip() for name in subpath.split("#") if name.strip()]
    if not names:
        return _trimmed(source.text, 0, len(source.text))
    if names[-1].startswith("^"):
        found = source.blocks_by_id.get(names[-1][1:].strip().casefold())
        return MISSING_BLOCK if found is None else Part(*found)
    headings = [block for block in source.blocks if block.kind == "heading"]
    index = _find_heading(headings, [_comparable(name) for name in names], 0, len(headings))
    if index is None:
        return MISSING_HEADING
    heading = headings[index]
    end = next((each.start for each in headings[index + 1 :] if each.level <= heading.level), len(source.text))
    return _trimmed(source.text, heading.start if with_heading else heading.end, end)


def _find_heading(headings: list[Block], names: list[str], start: int, end: int) -> int | None:
    """Return the first heading of that path; each further name is looked for below the heading before.

    With equal headings in several places, the first that leads to the whole path counts, so all are tried; each try
    looks only at the section of the heading before.
    """
    for index in range(start, end):
        if _comparable(headings[index].info) != names[0]:
            continue
        if len(names) == 1:
            return index
        level = headings[index].level
        stop = next((later for later in range(index + 1, end) if headings[later].level <= level), end)
        found = _find_heading(headings, names[1:], index + 1, stop)
        if found is not None:
            return found
    return None


@lru_cache(maxsize=4096)
def _comparable(heading: str) -> str:
    plain = unicodedata.normalize("NFC", _PUNCTUATION.sub(" ", BLOCK_MARK.sub("", heading)))
    return " ".join(plain.split()).casefold()


def _trimmed(text: str, start: int, end: int) -> Part:
    """Return the range without blank lines at its edges; the first line keeps its indentation."""
    piece = text[start:end]
    end = start + len(piece.rstrip(" \t\r\n"))
    blanks = re.match(r"(?:[ \t]*(?:\r\n|\r|\n))*+", piece)
    return Part(min(start + (blanks.end() if blanks else 0), end), end)
