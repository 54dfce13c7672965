"""Taking out whole lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from obsirag.markdown import Span
from obsirag.records import Edit

__all__ = ["is_cut", "lines_between", "removals"]

_LINE = re.compile(r"([^\r\n\f]*+)(?:\r\n|[\r\n\f])?")
_LINE_ENDS = "\r\n\f"
_LINE_END = re.compile(r"\r\n|\r|\n")
_REST_OF_LINE = re.compile(r"[^\r\n]*")
# Possessive, so that a long line of blanks is read once.
_QUOTE = r"[ \t>]*+"
_UNDERLINE = re.compile(rf"{_QUOTE}(?:=++|-++)[ \t]*+\Z")
_DELIMITER_ROW = re.compile(rf"{_QUOTE}(?=[^|]*+\|)(?=[^-]*+-)[ \t|:-]++\Z")
_BLANK = re.compile(rf"{_QUOTE}\Z")
_HEADING = re.compile(rf"{_QUOTE}#{{1,6}}(?:[ \t]|\Z)")
# What a line starts with that doesn't continue the paragraph above it.
_BLOCK_MARK = re.compile(rf"{_QUOTE}(?:#{{1,6}}[ \t]|[-*+][ \t]|\d{{1,9}}[.)][ \t]|\|)")


def lines_between(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield where each line of ``text[start:end]`` begins and ends, without its line end; a form feed ends one, too."""
    for line in _LINE.finditer(text, start, end):
        if line.end() > line.start():
            yield line.span(1)


def removals(text: str, lines: Iterable[Span]) -> Iterator[Edit]:
    """Yield the edits that take out lines, each with its line end.

    The underline of a heading goes with the last line of its text, and a table's delimiter row with its header: alone
    they would turn what stands above them into a heading or a table.

    Args:
        text: The text.
        lines: Where the lines begin and end, without their line ends, in order.
    """
    removed_to = -1
    for start, end in lines:
        if start < removed_to:
            continue  # an underline that went already
        after = _after_line_end(text, end)
        below = _rest_of_line(text, after) if after > end else ""
        if _UNDERLINE.match(below) or _DELIMITER_ROW.match(below):
            line = text[start:end]
            above = "" if removed_to == start else _line_above(text, start)
            is_header_row = "|" in line and _DELIMITER_ROW.match(below)
            is_new = _BLANK.match(above) or _HEADING.match(above)
            is_block = _BLOCK_MARK.match(line)
            if is_header_row or (is_new and not is_block):
                after = _after_line_end(text, after + len(below))
            elif is_block and not is_new:
                after = end  # an empty line stays, so that nothing is underlined that wasn't
        if after > start:
            yield Edit(start, after)
        removed_to = after


def is_cut(edit: Edit, literal: Span, text: str) -> bool:
    """Say whether literal text is more than a part of a line that ``edit`` takes out."""
    start, end = literal
    if start < edit.start or end > edit.end:
        return True
    # Up to what stands beside it on its line; no further, since a line may hold any number of code spans.
    while start > edit.start and text[start - 1] in " \t":
        start -= 1
    while end < edit.end and text[end] in " \t":
        end += 1
    return (start == edit.start or text[start - 1] in _LINE_ENDS) and (end == edit.end or text[end] in _LINE_ENDS)


def _line_above(text: str, start: int) -> str:
    """Return the line that ends right before ``start``."""
    end = start - (2 if text.endswith("\r\n", 0, start) else 1)
    reach = 128
    while end > 0:
        # In growing steps: a search for a kind of line end that the text doesn't have would go back to its beginning.
        floor = max(0, end - reach)
        begin = max(text.rfind("\n", floor, end), text.rfind("\r", floor, end)) + 1
        if begin or not floor:
            return text[begin:end]
        reach *= 2
    return ""


def _rest_of_line(text: str, offset: int) -> str:
    found = _REST_OF_LINE.match(text, offset)
    return found.group() if found is not None else ""


def _after_line_end(text: str, offset: int) -> int:
    found = _LINE_END.match(text, offset)
    return found.end() if found is not None else offset
