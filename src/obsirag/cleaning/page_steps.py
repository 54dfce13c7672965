"""The steps that take out what belongs to pages rather than to the text: headers, footers, watermarks, page breaks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from obsirag.cleaning.matching import matching_lines
from obsirag.cleaning.pages import Page, documents, page_break_lines
from obsirag.cleaning.removal import removals
from obsirag.cleaning.repetition import repeated_lines
from obsirag.cleaning.view import NoteView
from obsirag.config import HeaderFooterOptions, WatermarkOptions
from obsirag.markdown import Span
from obsirag.records import Edit

__all__ = ["headers_footers", "page_breaks", "watermarks"]

_Finder = Callable[[NoteView], Iterator[Edit]]


def headers_footers(options: HeaderFooterOptions, breaks: Sequence[str]) -> _Finder:
    """Return the step that takes out the headers and footers of pages.

    Args:
        options: Which lines are some.
        breaks: Regular expressions of the lines that part two pages.
    """
    borders = [re.compile(each) for each in breaks]
    patterns = [re.compile(each) for each in options.patterns]

    def find(view: NoteView) -> Iterator[Edit]:
        lines = set(matching_lines(view, patterns))
        if options.repeated or options.first_lines or options.last_lines:
            for pages in documents(view, borders):
                lines.update(_at_borders(pages, options.first_lines, options.last_lines))
                if options.repeated:
                    lines.update(_repeated_at_borders(view.text, pages, options))
        return removals(view.text, sorted(lines))

    return find


def watermarks(options: WatermarkOptions, breaks: Sequence[str]) -> _Finder:
    """Return the step that takes out watermarks.

    Args:
        options: Which lines are some.
        breaks: Regular expressions of the lines that part two pages.
    """
    borders = [re.compile(each) for each in breaks]
    patterns = [re.compile(each) for each in options.patterns]

    def find(view: NoteView) -> Iterator[Edit]:
        lines = set(matching_lines(view, patterns))
        for pages in documents(view, borders) if options.repeated else ():
            lines.update(
                repeated_lines(
                    view.text,
                    pages,
                    ((page, line) for page in pages for line in page.lines),
                    min_share=options.min_share,
                    min_pages=options.min_pages,
                    numbers_aside=False,
                )
            )
        return removals(view.text, sorted(lines))

    return find


def page_breaks(breaks: Sequence[str]) -> _Finder:
    """Return the step that takes out the lines that part two pages.

    Args:
        breaks: Their regular expressions.
    """
    borders = [re.compile(each) for each in breaks]

    def find(view: NoteView) -> Iterator[Edit]:
        return removals(view.text, page_break_lines(view, borders))

    return find


def _at_borders(pages: Sequence[Page], first: int, last: int) -> Iterator[Span]:
    """Yield the first and the last lines of each page; a line may come twice."""
    for page in pages:
        yield from page.lines[:first]
        yield from page.lines[len(page.lines) - min(last, len(page.lines)) :]


def _repeated_at_borders(text: str, pages: Sequence[Page], options: HeaderFooterOptions) -> Iterator[Span]:
    near = options.border_lines
    candidates = ((page, line) for page in pages for line in dict.fromkeys(_at_borders([page], near, near)))
    return repeated_lines(
        text, pages, candidates, min_share=options.min_share, min_pages=options.min_pages, numbers_aside=True
    )
