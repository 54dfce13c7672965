"""Read a note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from unicodedata import normalize

from langchain_core.tools import ToolException

from obsirag.config import nearest_names
from obsirag.graphs.links import link_to
from obsirag.retrievers.deadlines import in_thread
from obsirag.tools.faults import told
from obsirag.tools.note_text import Line, lines_of, parts_of
from obsirag.tools.opening import Lazy
from obsirag.tools.results import NoteReading, encodable
from obsirag.tools.wording import LONGEST_NAME, in_one_line, in_words_read, lines_in_words

if TYPE_CHECKING:
    from langchain_core.documents import Document

    from obsirag.catalogue import Catalogue, NoteNames

__all__ = ["NoteReader"]

_MOST_HEADINGS = 200
"""So many headings of a note are told."""
_MOST_HEADINGS_IN_WORDS = 50
"""So many are told where one is asked for that it doesn't have."""
_LONGEST_HEADING = 200
"""Characters of a heading that is told."""


@dataclass(frozen=True, slots=True)
class NoteReader:
    """Read a note from the index: the chunks that a search could find, put together.

    Not from the vault: the index knows of each chunk who may read it, and holds what searches and answers tell.

    Args:
        catalogue: Opens the index.
        labels: The labels that it reads with.
        vault: The vault's name, for links.
        size: How many characters a call returns at most.
        name: The tool's name, for the log.
    """

    catalogue: Lazy[Catalogue]
    labels: tuple[str, ...]
    vault: str
    size: int
    name: str

    def read(
        self, path: str, heading: str = "", first_line: int = 0, last_line: int = 0, part: int = 1
    ) -> tuple[str, NoteReading]:
        """Return a note, or a part of it, in words and as data."""
        with told(self.name):
            note, chunks = self._read(path)
            lines = lines_of(chunks, note.path)
            headings = list(dict.fromkeys(line.headings[-1] for line in lines if line.headings))
            lines = _under(lines, heading, headings, note.path)
            lines = _between(lines, first_line, last_line, note.path)
            parts = parts_of(lines, self.size)
            if part > len(parts):
                raise ToolException(
                    f"Of {in_one_line(note.path)} there are {len(parts)} parts; there is no part {part}."
                )
            shown = parts[part - 1]
            numbers = [line.number for line in shown if line.number and not line.text.isspace()]
            under = shown[0].headings if heading or part > 1 or first_line else ()
            reading = NoteReading(
                source=note.path,
                title=note.title[:LONGEST_NAME],
                headings=[each[:_LONGEST_HEADING] for each in headings[:_MOST_HEADINGS]],
                start_line=min(numbers, default=0),
                end_line=max(numbers, default=0),
                part=part,
                parts=len(parts),
                link=link_to(note.path, vault=self.vault, headings=under),
                text="".join(line.text for line in shown).strip("\r\n"),
            )
            reading = encodable(reading)
            return in_words_read(reading), reading

    async def aread(
        self, path: str, heading: str = "", first_line: int = 0, last_line: int = 0, part: int = 1
    ) -> tuple[str, NoteReading]:
        """Do the same without holding up the event loop."""
        return await in_thread(self.read, path, heading, first_line, last_line, part)

    def _read(self, path: str) -> tuple[NoteNames, list[Document]]:
        """Return the note that is meant, and what may be read of it; one that may not be read is not there."""
        from obsirag.catalogue import readable_access_keys, readable_chunks, readable_notes

        with self.catalogue().reading() as connection:
            access = readable_access_keys(connection, self.labels)
            notes = readable_notes(connection, access)
            note = _meant(path, notes)
            return note, readable_chunks(connection, note.path, access)


def _meant(path: str, notes: Sequence[NoteNames]) -> NoteNames:
    """Return the note of a path; else the only one of this path in other spelling, or of this name.

    Raises:
        ToolException: If there is none, or several.
    """
    for note in notes:
        if note.path == path:
            return note
    wanted = _folded(path)
    by_path = [note for note in notes if wanted in (_folded(note.path), _folded(note.path.removesuffix(".md")))]
    by_name = [note for note in notes if wanted in _names(note)]
    for found in (by_path, by_name):
        if len(found) == 1:
            return found[0]
        if found:
            paths = ", ".join(in_one_line(note.path) for note in found[:10])
            raise ToolException(f"Several notes are called {path!r}: {paths}. Give the path of one of them.")
    near = nearest_names(path, [note.path for note in notes])
    hint = f" Did you mean {in_one_line(near[0])}?" if near else ""
    raise ToolException(
        f"There is no note {path!r} that can be read here.{hint} Search for what you want to know, and read a source "
        "of what is found."
    )


def _names(note: NoteNames) -> set[str]:
    file = PurePosixPath(note.path)
    return {_folded(name) for name in (file.name, file.stem, note.title, *note.aliases) if name}


def _folded(name: str) -> str:
    return normalize("NFC", name).strip().strip("/").casefold()


def _under(lines: list[Line], heading: str, headings: list[str], path: str) -> list[Line]:
    """Return the lines under a heading, deeper ones included; all if none is asked for."""
    wanted = " ".join(heading.lstrip("#").split()).casefold()
    if not wanted:
        return lines
    found = [line for line in lines if any(" ".join(each.split()).casefold() == wanted for each in line.headings)]
    if not found:
        told = [in_one_line(each[:_LONGEST_HEADING]) for each in headings[:_MOST_HEADINGS_IN_WORDS]]
        asked = in_one_line(heading[:_LONGEST_HEADING])
        raise ToolException(
            f"{in_one_line(path)} has no heading {asked!r} that can be read here. "
            f"Its headings: {'; '.join(told) or 'none'}."
        )
    return found


def _between(lines: list[Line], first: int, last: int, path: str) -> list[Line]:
    """Return the lines from one number to another one, both included; 0 is no bound."""
    found = [line for line in lines if first <= line.number and (not last or line.number <= last)]
    if not found:
        numbers = [line.number for line in lines if line.number]
        known = f" What can be read of that are {lines_in_words(min(numbers), max(numbers))}." if numbers else ""
        raise ToolException(
            f"{in_one_line(path)} has nothing to read between lines {first} and {last or 'the end'}.{known}"
        )
    return found
