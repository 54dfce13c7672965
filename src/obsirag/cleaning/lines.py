"""Steps that tidy up the ends of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from obsirag.records import Edit

__all__ = ["blank_lines", "trailing_spaces"]

_FILLED_LINE = re.compile(r"[^\r\n]+")
_NEXT_LINE = re.compile(r"(?:\r\n|\r|\n)([^\r\n]*)")
_LINE_ENDS = re.compile(r"(?:(?:\r\n|\r|\n)[ \t]*){4,}(?<![ \t])")
_KEPT_LINE_ENDS = re.compile(r"(?:\r\n|\r|\n)(?:[ \t]*(?:\r\n|\r|\n)){2}")
_HARD_BREAK = 2  # blanks


def trailing_spaces(text: str) -> Iterator[Edit]:
    """Take out blanks at line ends, except those that make a hard line break.

    Two blanks or more at the end of a line that another line of its paragraph follows are such a break. A blank behind
    a backslash stays, too: without it the backslash would become one.
    """
    for line in _FILLED_LINE.finditer(text):
        shown = line.group().rstrip(" \t")
        blanks = len(line.group()) - len(shown)
        if blanks and not shown.endswith("\\") and not _is_hard_break(text, line, shown):
            yield Edit(line.end() - blanks, line.end())


def _is_hard_break(text: str, line: re.Match[str], shown: str) -> bool:
    following = _NEXT_LINE.match(text, line.end())
    return (
        line.group().endswith(" " * _HARD_BREAK)
        and bool(shown.strip(" \t>"))
        and following is not None
        and bool(following.group(1).strip(" \t>"))
    )


def blank_lines(text: str) -> Iterator[Edit]:
    """Leave at most two blank lines in a row."""
    for found in _LINE_ENDS.finditer(text):
        kept = _KEPT_LINE_ENDS.match(text, found.start())
        if kept is not None:
            yield Edit(kept.end(), found.end())
