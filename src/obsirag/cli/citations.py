"""Printing what an answer leans on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from obsirag.cli.printing import print_line, show_place

if TYPE_CHECKING:
    from obsirag.records import Citation

__all__ = ["print_citations"]


def print_citations(citations: Iterable[Citation]) -> None:
    """Print where each statement stands, and the link that opens it."""
    for citation in citations:
        place = show_place(
            citation["title"],
            citation["headings"],
            citation["source"],
            citation["start_line"],
            citation["end_line"],
            citation.get("part", ""),
        )
        print_line()
        print_line(f"[{citation['number']}] {place}", style="bold")
        if citation["link"]:
            print_line(f"    {citation['link']}", style="dim")
