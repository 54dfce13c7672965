"""Where an item or quote ends, told from its lines' beginnings alone: most of them need no look at what they hold."""

from __future__ import annotations

import re
from functools import cache

from obsirag.markdown.grammar import CALLOUT, CODE_COLUMNS, FENCE, HEADING, ITEM, RULE
from obsirag.markdown.model import Block

__all__ = ["container_at_a_glance"]

_ITEM_START = re.compile(r"([-*+]|[0-9]{1,9}+[.)])( {1,4}+)(?=[^\s])")
_WIDEST = 16
_QUOTE_LINES = re.compile(r"[^\n]*+(?:\n {0,3}+>[^\n]*+)*+")
_BLANK_LINE = re.compile(r"\n[ \t]*+(?:\n|\Z)")
_NEXT_LINE = re.compile(r"\n( {0,3}+)(?=[^\s])")


@cache
def _item_lines(width: int) -> re.Pattern[str]:
    """Return what matches an item's first line, and those behind it that are blank or indented by ``width`` columns."""
    indent = f" {{{width}}}" if width > CODE_COLUMNS else f"(?: {{{width}}}|\\t)"
    return re.compile(rf"[^\n]*+(?:\n(?:[ \t]*+(?=\n|\Z)|{indent}[^\n]*+))*+")


def container_at_a_glance(text: str, at: int) -> Block | None:
    """Return the item or quote whose mark is at ``at``, or None if only its content tells where it ends.

    That is so where a line that might go on with one of its paragraphs follows it directly.

    Args:
        text: Text with LF line ends.
        at: Offset of the mark, on the top level.
    """
    line = text.rfind("\n", 0, at) + 1
    if "\t" in text[line:at]:
        return None
    if text[at] == ">":
        end = _QUOTE_LINES.match(text, at).end()  # type: ignore[union-attr]
        callout = CALLOUT.match(text, at)
        block = Block("callout", at, end, 0, callout[1].strip().lower()) if callout else Block("quote", at, end)
        return block if _ends_here(text, end, CODE_COLUMNS) else None
    start = _ITEM_START.match(text, at)
    if start is None:
        return None
    width = at - line + start.end() - at
    if width > _WIDEST:
        return None
    end = _item_lines(width).match(text, at).end()  # type: ignore[union-attr]
    last = text.rfind("\n", at, end)
    after_blank = last >= 0 and not text[last:end].strip()
    return Block("item", at, end, 0, start[1]) if _ends_here(text, end, width, after_blank=after_blank) else None


def _ends_here(text: str, end: int, width: int, *, after_blank: bool = False) -> bool:
    """Say whether the line after ``end`` surely doesn't go on with the container."""
    if end >= len(text) or _BLANK_LINE.match(text, end):  # it is blank only behind a quote, which it ends
        return True
    following = _NEXT_LINE.match(text, end)
    if following is None or len(following[1]) >= width:
        return False
    at = following.end()
    return (
        after_blank
        or text[at] == ">"
        or ITEM.match(text, at) is not None
        or HEADING.match(text, at) is not None
        or FENCE.match(text, at) is not None
        or RULE.match(text, at) is not None
    )
