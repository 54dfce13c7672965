"""Which part of a note a link's subpath means: a section or a block."""

from __future__ import annotations

import re
from typing import NamedTuple

from obsirag.vault.codes import MISSING_BLOCK, MISSING_HEADING
from obsirag.vault.source import Source

__all__ = ["Part", "find_part"]

_BLANKS = re.compile(r"(?:[ \t]*(?:\r\n|\r|\n))*+")


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
    section = source.sections.find(names)
    if section is None:
        return MISSING_HEADING
    return _trimmed(source.text, section.start if with_heading else section.body, section.end)


def _trimmed(text: str, start: int, end: int) -> Part:
    """Return the range without blank lines at its edges; the first line keeps its indentation."""
    while end > start and text[end - 1] in " \t\r\n":
        end -= 1
    blanks = _BLANKS.match(text, start, end)
    return Part(min(blanks.end() if blanks else start, end), end)
