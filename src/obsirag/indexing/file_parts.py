"""The metadata ``file_parts`` of a chunk: the pages, sheets or slides that its text came from."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Sequence

from langchain_core.documents import Document

from obsirag.records import Note, count_line_ends

__all__ = ["file_parts", "part_lines"]


def part_lines(note: Note) -> list[tuple[int, str]]:
    """Return the parts of a file, each with the line that it begins on, in order."""
    found: list[tuple[int, str]] = []
    line, counted = note.first_line, 0
    for part in note.parts:
        line += count_line_ends(note.text, counted, part.start)
        counted = part.start
        found.append((line, part.name))
    return found


def file_parts(parts: Sequence[tuple[int, str]], document: Document) -> dict[str, str]:
    """Return the parts of a file that a chunk's lines lie in, as JSON text; nothing for a file without parts.

    Args:
        parts: As ``part_lines`` gives them.
        document: The chunk, with the lines that its splitter says.
    """
    first, last = document.metadata.get("start_line"), document.metadata.get("end_line")
    if not parts or not isinstance(first, int) or not isinstance(last, int):
        return {}
    begin = max(0, bisect_right(parts, first, key=lambda part: part[0]) - 1)
    end = bisect_right(parts, last, key=lambda part: part[0])
    within = parts[begin:end]
    return {"file_parts": json.dumps(within, ensure_ascii=False)} if within else {}
