"""Notes by their names, and their texts put together again from their chunks."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any, NamedTuple

from obsirag.catalogue.encoding import decode
from obsirag.records import Permissions

__all__ = ["NamedNote", "NoteText", "named_notes", "note_texts"]


class NamedNote(NamedTuple):
    """A note and what it is called.

    Args:
        path: Its path.
        title: Its title.
        aliases: Its other names.
        permissions: Who may read the note itself.
    """

    path: str
    title: str
    aliases: tuple[str, ...]
    permissions: Permissions


class NoteText(NamedTuple):
    """A stretch of a note's text, all of it under the same permissions.

    Args:
        text: The text, as it was cut into chunks.
        headings: The headings over its first character.
        title: The note's title.
        permissions: Who may read it.
    """

    text: str
    headings: tuple[str, ...]
    title: str
    permissions: Permissions


def named_notes(connection: sqlite3.Connection) -> list[NamedNote]:
    """Return the notes that have text, by path."""
    rows = connection.execute(
        "SELECT path, title, aliases, permissions FROM notes JOIN access ON access.key = notes.access ORDER BY path"
    )
    return [
        NamedNote(path, title, tuple(decode(aliases)), _permissions(stated)) for path, title, aliases, stated in rows
    ]


def note_texts(connection: sqlite3.Connection, path: str) -> list[NoteText]:
    """Return a note's text in order, cut where its permissions change; blanks between chunks become line ends."""
    rows = connection.execute(
        "SELECT chunks.content, notes.metadata, chunks.metadata, permissions FROM chunks"
        " JOIN notes ON notes.id = note_id JOIN access ON access.key = chunks.access WHERE path = ? ORDER BY position",
        (path,),
    )
    texts: list[NoteText] = []
    end = 0
    for content, shared, own, stated in rows:
        metadata = {**decode(shared), **decode(own)}
        start, after = _number(metadata, "start_index") + _number(metadata, "overlap"), _number(metadata, "end_index")
        text, permissions = _own_text(content, metadata), _permissions(stated)
        if texts and texts[-1].permissions == permissions:
            # One line end or less: the rows of one table, or the like.
            joint = "\n" if 0 <= start - end <= 1 else "\n\n"
            texts[-1] = texts[-1]._replace(text=f"{texts[-1].text}{joint}{text}")
        else:
            headings = tuple(map(str, metadata.get("headings") or ()))
            texts.append(NoteText(text, headings, str(metadata.get("title") or ""), permissions))
        end = after
    return texts


def _own_text(content: str, metadata: Mapping[str, Any]) -> str:
    start = len(str(metadata.get("context_before") or "")) + _number(metadata, "overlap")
    return content[start : len(content) - len(str(metadata.get("context_after") or ""))]


def _number(metadata: Mapping[str, Any], name: str) -> int:
    value = metadata.get(name)
    return value if isinstance(value, int) and value >= 0 else 0


def _permissions(stated: str) -> Permissions:
    return tuple(tuple(labels) for labels in json.loads(stated))
