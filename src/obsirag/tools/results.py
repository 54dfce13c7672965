"""What the tools give beside their text: the artifact of a tool message, the structured content of an MCP result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast

from typing_extensions import TypedDict

from obsirag.records import Citation

__all__ = ["AskResult", "NoteReading", "Passage", "Result", "SearchResults", "encodable"]


class Passage(TypedDict):
    """A passage of the notes.

    Args:
        number: Its number in the tool's text, from 1.
        source: The vault-relative path of the note in which it stands.
        title: The note's title.
        headings: The headings above it, outermost first.
        start_line: 1-based first line of it in the note's file; 0 if unknown.
        end_line: Its last line.
        link: An ``obsidian://`` address that opens the note.
        text: The passage.
    """

    number: int
    source: str
    title: str
    headings: list[str]
    start_line: int
    end_line: int
    link: str
    text: str


class SearchResults(TypedDict):
    """What was found, the best first.

    Args:
        passages: The passages; those of one note are neighbours.
        degraded: Names of the parts that failed, so that less may have been found.
    """

    passages: list[Passage]
    degraded: list[str]


class NoteReading(TypedDict):
    """A note, or a part of one, as a caller may read it.

    Args:
        source: The note's vault-relative path.
        title: Its title.
        headings: Its headings, in order, that the caller may read: the first 200 of them, and of each the first 200
            characters.
        start_line: 1-based line of the note's file where the text begins; 0 if unknown.
        end_line: The line where it ends.
        part: Which part of what was asked for this is, from 1.
        parts: How many there are.
        link: An ``obsidian://`` address that opens the note.
        text: The text.
    """

    source: str
    title: str
    headings: list[str]
    start_line: int
    end_line: int
    part: int
    parts: int
    link: str
    text: str


class AskResult(TypedDict):
    """An answer from the notes.

    Args:
        answer: The answer's text, with ``[n]`` marks.
        status: How the question ended.
        citations: Where its statements come from, by their numbers.
        degraded: Names of the parts that failed on the way, sorted.
    """

    answer: str
    status: Literal["answered", "not_found", "refused", "awaiting_review"]
    citations: list[Citation]
    degraded: list[str]


Result = SearchResults | NoteReading | AskResult


def encodable(value: Any) -> Any:
    """Return a value of text, numbers, lists and dictionaries without halves of characters, which JSON can't carry."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {cast("str", encodable(key)): encodable(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [encodable(each) for each in value]
    return value
