"""Blocks while they are scanned, and the leaves that a line can begin."""

from __future__ import annotations

from re import Match, Pattern

from obsirag.markdown.grammar import CODE_COLUMNS, FENCE, HEADING, HTML, HTML_ENDS, RULE, SETEXT, heading_text

__all__ = ["Node", "column_of", "leaf_at", "trimmed_end", "trimmed_start"]


class Node:
    """A block while it is scanned.

    ``width`` is the number of columns by which an item's or footnote's later lines are indented. ``more`` is what a
    leaf needs to go on: a fence's marks, a paragraph's last line, the end of an HTML block.
    """

    __slots__ = ("depth", "empty", "end", "info", "kind", "more", "start", "width")

    def __init__(self, kind: str, start: int, depth: int, info: str = "", width: int = 0) -> None:
        self.kind = kind
        self.start = self.end = start
        self.depth = depth
        self.info = info
        self.width = width
        self.empty = False  # an item whose first line holds nothing but its marker, so far
        self.more: str | int | Pattern[str] | None = None


def leaf_at(text: str, at: int, line_end: int, indent: int, *, in_paragraph: bool, after_text: bool) -> Node | None:
    """Return the leaf that begins at ``at``, None for text.

    Args:
        text: Text with LF line ends.
        at: Offset of the line's first character behind the marks of its containers.
        line_end: Where the line ends.
        indent: The columns of blanks before it.
        in_paragraph: Whether a paragraph of the same containers is open.
        after_text: Whether a paragraph is open, of the same containers or of more, whose lazy line this may be.
    """
    if indent >= CODE_COLUMNS:
        return Node("indented_code", at, 0)
    match: Match[str] | None
    match text[at]:
        case "#" if match := HEADING.match(text, at, line_end):
            return Node("heading", at, 0, heading_text(match[2]))
        case "`" | "~" if match := FENCE.match(text, at, line_end):
            node = Node("fence", at, 0, (match[2] or match[4] or "").strip())
            node.more = match[1] or match[3]
            return node
        case "-" | "=" if in_paragraph and SETEXT.match(text, at, line_end):
            return Node("setext", at, 0)
        case "-" | "*" | "_" if RULE.match(text, at, line_end):
            return Node("rule", at, 0)
        case "<" if (match := HTML.match(text, at, line_end)) and not (after_text and match.lastgroup == "k7"):
            node = Node("html", at, 0)
            ending = HTML_ENDS.get(match.lastgroup or "")
            node.more = "closed" if ending and ending.search(text, at, line_end) else ending
            return node
        case "$" if text.startswith("$$", at):
            closing = text.find("$$", at + 2, line_end)
            if closing < 0 or not text[closing + 2 : line_end].strip():
                node = Node("math", at, 0)
                node.more = None if closing < 0 else "closed"
                return node
    return None


def trimmed_end(text: str, start: int, end: int) -> int:
    """Return the offset after the last character of ``text[start:end]`` that isn't a blank."""
    while end > start and text[end - 1].isspace():  # no slice: that would cost as much as the text is long
        end -= 1
    return end


def trimmed_start(text: str, start: int, end: int) -> int:
    """Return the offset of the first character of ``text[start:end]`` that isn't a blank, ``end`` if all are."""
    if start < end and not text[start].isspace():
        return start
    return end - len(text[start:end].lstrip())


def column_of(text: str, position: int) -> int:
    """Return how many columns of blanks stand before ``position`` on its line; 0 if not only blanks do."""
    line = text.rfind("\n", 0, position) + 1
    blanks = text[line:position]
    return 0 if blanks.strip() else len(blanks.expandtabs(4))
