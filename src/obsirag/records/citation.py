"""A citation, as data."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

__all__ = ["Citation"]


class Citation(TypedDict):
    """Where a statement of an answer comes from.

    A plain dictionary, so that a checkpointer and JSON can hold it.

    Args:
        number: The number in the answer's ``[n]``.
        source: Vault-relative path, or a URL.
        title: The source's title.
        headings: The headings above the quote, outermost first.
        start_line: 1-based first line of the quote in its file; 0 for a web page.
        end_line: Its last line.
        quote: The words that support the statement.
        link: A link that opens the source: ``obsidian://open?…`` or the URL.
        part: The page, sheet or slide of the quote, as ``page 3``; only of a file that has such parts.
    """

    number: int
    source: str
    title: str
    headings: list[str]
    start_line: int
    end_line: int
    quote: str
    link: str
    part: NotRequired[str]
