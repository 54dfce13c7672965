"""How a line begins, for each kind of block; shared by the scan of the top level and of what is nested.

All patterns are for text with LF line ends (see ``with_lf``) and are linear: no two parts that can match the same
characters stand side by side without a possessive quantifier.
"""

from __future__ import annotations

import re

__all__ = [
    "ATTRIBUTES",
    "BLANKS",
    "BLOCK_TAGS",
    "CALLOUT",
    "CODE_COLUMNS",
    "DELIMITER_ROW",
    "FENCE",
    "FENCE_END",
    "FOOTNOTE",
    "HEADING",
    "HTML",
    "HTML_ENDS",
    "ITEM",
    "REFERENCES",
    "RULE",
    "SETEXT",
    "cannot_interrupt",
    "heading_text",
    "is_escaped",
    "is_table_head",
    "with_lf",
]

CODE_COLUMNS = 4
"""Columns of indent that make code, and that a footnote's later paragraphs need."""

BLANKS = re.compile(r"[ \t]*+")
HEADING = re.compile(r"(#{1,6})(?=[ \t\n]|\Z)[ \t]*+([^\n]*)")
FENCE = re.compile(r"(`{3,}+)[ \t]*+([^`\n]*+)(?=\n|\Z)|(~{3,}+)[ \t]*+([^\n]*+)")
FENCE_END = re.compile(r"(`{3,}+|~{3,}+)[ \t]*+(?=\n|\Z)")
RULE = re.compile(r"(?:(?:\*[ \t]*+){3,}+|(?:-[ \t]*+){3,}+|(?:_[ \t]*+){3,}+)(?=\n|\Z)")
SETEXT = re.compile(r"(?:=++|-++)[ \t]*+(?=\n|\Z)")
ITEM = re.compile(r"([-*+]|[0-9]{1,9}+[.)])(?=[ \t\n]|\Z)")
FOOTNOTE = re.compile(r"\[\^([^\]\s]++)\]:")
REFERENCES = re.compile(
    r"(?:[ \t]*+\[[^\]\n]++\]:[ \t]*+(?:<[^<>\n]*+>|\S++)"
    r"(?:[ \t]++(?:\"[^\"\n]*+\"|'[^'\n]*+'|\([^()\n]*+\)))?+[ \t]*+(?:\n|\Z))++"
)
CALLOUT = re.compile(r">[ \t]*+\[!([^\]\n]++)\]")
DELIMITER_ROW = re.compile(r"\|?+[ \t]*+:?+-++:?+[ \t]*+(?:\|[ \t]*+:?+-++:?+[ \t]*+)*+\|?+[ \t]*+(?=\n|\Z)")
_PIPE = re.compile(r"\\.|(\|)")
_CLOSING_MARKS = re.compile(r"(?:\A|[ \t])#++[ \t]*+\Z")

BLOCK_TAGS = (
    "(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|"
    "link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|"
    "thead|title|tr|track|ul)"
)
ATTRIBUTES = r"(?:[ \t]++[A-Za-z_:][\w:.-]*+(?:[ \t]*+=[ \t]*+(?:[^\s\"'=<>`]++|'[^'\n]*+'|\"[^\"\n]*+\"))?+)*+"
HTML = re.compile(
    rf"""<(?:
    (?P<k1>(?:script|pre|style|textarea)(?=[\s>]|\Z))
    | (?P<k2>!--)
    | (?P<k3>\?)
    | (?P<k5>!\[CDATA\[)
    | (?P<k4>![A-Za-z])
    | (?P<k6>/?{BLOCK_TAGS}(?=\s|/?>|\Z))
    | (?P<k7>(?:[A-Za-z][A-Za-z0-9-]*+{ATTRIBUTES}[ \t]*+/?>|/[A-Za-z][A-Za-z0-9-]*+[ \t]*+>)[ \t]*+(?=\n|\Z))
    )""",
    re.VERBOSE | re.IGNORECASE,
)
HTML_ENDS = {
    "k1": re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE),
    "k2": re.compile(r"-->"),
    "k3": re.compile(r"\?>"),
    "k4": re.compile(r">"),
    "k5": re.compile(r"\]\]>"),
}
"""Where the kinds of HTML block end that don't end at a blank line; the end may overlap the opening: ``<!-->``."""


def with_lf(text: str) -> str:
    """Return ``text`` with LF line ends and every character at its old offset: CR LF becomes a blank and LF."""
    return text.replace("\r\n", " \n").replace("\r", "\n") if "\r" in text else text


def cannot_interrupt(text: str, item: re.Match[str], line_end: int) -> bool:
    """Say whether an item's marker is too weak to begin a list right after a line of a paragraph."""
    return not text[item.end() : line_end].strip() or (item[1][0].isdigit() and item[1][:-1].lstrip("0") != "1")


def heading_text(raw: str) -> str:
    """Return an ATX heading's text without its closing marks and the blanks around it."""
    return _CLOSING_MARKS.sub("", raw.rstrip()).strip() if raw.rstrip().endswith("#") else raw.strip()


def is_escaped(text: str, offset: int) -> bool:
    """Say whether an odd number of backslashes stands before ``offset``."""
    first = offset
    while first and text[first - 1] == "\\":
        first -= 1
    return (offset - first) % 2 == 1


def is_table_head(head: str, delimiter: str) -> bool:
    """Say whether ``head`` and ``delimiter``, two lines without the blanks around them, begin a table."""
    if "|" not in head and "|" not in delimiter:
        return False
    if "|" not in delimiter and ":" not in delimiter:
        return False
    return _columns(head) == _columns(delimiter)


def _columns(row: str) -> int:
    pipes = [match.start() for match in _PIPE.finditer(row) if match[1]]
    count = len(pipes) + 1
    count -= bool(pipes) and pipes[0] == 0
    return count - (bool(pipes) and pipes[-1] == len(row) - 1 and len(row) > 1)
