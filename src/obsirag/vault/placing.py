"""Where an embed stands in its note, and how its content is shaped to stand there."""

from __future__ import annotations

import re
from typing import NamedTuple

from obsirag.markdown import LinkSpan, scan
from obsirag.records import Edit, RenderedNote, SourceLocation, apply_edits
from obsirag.vault.fragment import Fragment
from obsirag.vault.source import CONTAINERS, Source

__all__ = [
    "Stand",
    "closed",
    "fitted",
    "is_one_paragraph",
    "missing_end",
    "needs_gap",
    "on_one_line",
    "stand_of",
    "stripped",
    "with_prefix",
    "without_prefix",
]

_LINE_END = re.compile(r"\r\n|\r|\n")
_CONTAINER = re.compile(r"(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)))*[ \t]*")
_TASK = re.compile(r"\[.\][ \t]+$")
_LIST_MARK = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)")
_EMPTY_ITEM = re.compile(r"[ \t>]*(?:[-+*]|\d{1,9}[.)])[ \t]*")
_CALLOUT_TITLE = re.compile(r"[ \t>]*>[ \t]*\[![^\]]*\]")
_MIN_INDENT = 2  # a single blank belongs to no list item
# What in HTML goes on over blank lines.
_OPEN_HTML = re.compile(r"<(?:(script|pre|style|textarea)(?=[\s>]|\Z)|!--|\?|!\[CDATA\[|![A-Za-z])", re.IGNORECASE)
_CLOSING_TAG = re.compile(r"</(?:script|pre|style|textarea)>", re.IGNORECASE)


class Stand(NamedTuple):
    """How an embed stands in its line.

    Args:
        is_alone: Whether nothing else stands in the line, marks of quotes and lists aside.
        begins_line: Whether nothing but such marks stands before it.
        is_inside: Whether it stands in a quote, callout, list item or footnote.
        is_one_line: Whether line ends would break what it stands in: a table or a heading.
        in_table: Whether it stands in a table.
        prefix: What each further line of its content begins with.
        opens_item: Whether its line begins a list item.
        marks: The marks of quotes and lists before it, and the box of a task.
        is_below: Whether its content begins on the line below the marks, which must not be a blank one.
        interrupts: Whether its content may begin right below the title of a callout.
    """

    is_alone: bool
    begins_line: bool
    is_inside: bool
    is_one_line: bool
    in_table: bool
    prefix: str
    opens_item: bool
    marks: str
    is_below: bool = False
    interrupts: bool = True

    @property
    def blank_line(self) -> str:
        """What stands on a blank line here."""
        return self.prefix.rstrip()


def stand_of(source: Source, link: LinkSpan, before: str, *, has_after: bool) -> Stand:
    """Return how an embed stands in its line.

    Args:
        source: The note that holds it.
        link: The embed.
        before: What is shown in its line before it.
        has_after: Whether anything is shown in its line behind it.
    """
    block = source.block_at(link.start)
    marks = ""
    if block is not None and block.kind in CONTAINERS:
        found = _CONTAINER.match(before)
        marks = found.group() if found else ""
        if not marks.strip() and len(marks.expandtabs(4)) < _MIN_INDENT:
            marks = ""
        if block.kind == "footnote" and before.startswith("[^"):
            marks = "    "
    rest = before[len(marks) :] if before.startswith(marks) else before
    kind = source.kind_at(link.start)
    begins_line = not _TASK.sub("", rest).strip()
    return Stand(
        is_alone=begins_line and not has_after,
        begins_line=begins_line,
        is_inside=bool(marks),
        is_one_line=kind in ("table", "heading"),
        in_table=kind == "table",
        prefix=re.sub(r"[^\s>]", " ", marks),
        opens_item=_LIST_MARK.search(marks) is not None,
        marks=marks + rest if begins_line else marks,
    )


def fitted(stand: Stand, fragment: Fragment) -> Stand:
    """Return ``stand`` for a fragment's blocks: the first may have to keep away from the marks or the title above it.

    In the line of a task's box only a paragraph is what it is elsewhere; a list's mark and a rule would make a rule.
    """
    blocks = scan(fragment.text) if stand.begins_line and stand.is_inside else []
    if not blocks:
        return stand
    first = blocks[0]
    if not stand.opens_item:
        return stand._replace(interrupts=first.kind == "paragraph" or _interrupts(fragment.text, first.kind))
    marks = stand.marks.lstrip(" \t>")
    if _TASK.search(marks):
        return stand._replace(begins_line=first.kind == "paragraph")
    line = marks + _LINE_END.split(fragment.text, maxsplit=1)[0]
    return stand._replace(begins_line=False, is_below=True) if scan(line)[0].kind == "rule" else stand


def _interrupts(text: str, kind: str) -> bool:
    """Say whether a text whose first block is of that kind begins with it right below a line of a paragraph, too."""
    above, *blocks = scan(f"a\n{text}")
    return above.end == 1 and blocks[0].kind == kind


def needs_gap(line: str | None, *, below: bool = False, interrupts: bool = True) -> bool:
    """Say whether a blank line has to separate a block from its neighbour ``line``.

    Args:
        line: The neighbour; None if there is none.
        below: Whether it stands below the block: a list item there begins by itself.
        interrupts: Whether the block begins by itself below text, as the title of a callout is.
    """
    if line is None or not line.strip(" \t>"):
        return False
    if below:
        return _LIST_MARK.match(line.lstrip(" \t>")) is None
    if _EMPTY_ITEM.fullmatch(line):
        return False  # the block is what the item holds; behind a blank line it wouldn't be any more
    return not interrupts or _CALLOUT_TITLE.match(line) is None


def is_one_paragraph(fragment: Fragment) -> bool:
    """Say whether a fragment is a single paragraph, so that it can stand in the middle of another one."""
    if any(embed.is_block for embed in fragment.embeds):
        return False
    blocks = scan(fragment.text)
    return len(blocks) == 1 and blocks[0].kind == "paragraph"


def stripped(fragment: Fragment) -> Fragment:
    """Return a fragment without blank lines at its edges; the first line keeps its indentation."""
    text = fragment.text
    end = len(text.rstrip(" \t\r\n"))
    found = re.match(r"(?:[ \t]*(?:\r\n|\r|\n))*+", text)
    start = min(found.end() if found else 0, end)
    if start == 0 and end == len(text):
        return fragment
    edits = [Edit(0, start), Edit(end, len(text))] if start < end else [Edit(0, len(text))]
    return _edited(fragment, [edit for edit in edits if edit.start < edit.end])


def closed(fragment: Fragment, newline: str) -> Fragment:
    """Return a fragment whose last block ends with it.

    A fence, an HTML comment or a script that its note never closes ends with that note; pasted as it is, it would
    swallow what follows.
    """
    text = fragment.text
    start = max((embed.end for embed in fragment.embeds if embed.is_block), default=0)  # what is embedded is closed
    block_start, end = missing_end(text[start:])
    if not end:
        return fragment
    opening = RenderedNote("", text, segments=fragment.segments).locate(start + block_start)
    return _edited(fragment, [Edit(len(text), len(text), newline + end, opening)])


def missing_end(text: str) -> tuple[int, str]:
    """Return the offset of the last block of ``text`` and what would close it; empty if nothing is missing."""
    blocks = scan(text)
    return (blocks[-1].start, _missing_end(text[blocks[-1].start :], blocks[-1].kind)) if blocks else (0, "")


def _missing_end(block: str, kind: str) -> str:
    """Return what would close a block; empty if it is closed, or needs nothing."""
    if kind == "fence":
        fence = re.match(r"(`+|~+)", block)
        lines = _LINE_END.split(block)
        mark = fence.group() if fence else "```"
        is_closed = len(lines) > 1 and re.fullmatch(rf" {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*", lines[-1])
        return "" if is_closed else mark
    return _missing_html_end(block) if kind == "html" else ""


def _missing_html_end(block: str) -> str:
    opening = _OPEN_HTML.match(block)
    if opening is None:
        return ""
    if opening[1]:
        return "" if _CLOSING_TAG.search(block) else f"</{opening[1]}>"
    end = {"<!--": "-->", "<?": "?>", "<![CDATA[": "]]>"}.get(opening.group().upper(), ">")
    return "" if end in block else end


def with_prefix(fragment: Fragment, prefix: str, place: SourceLocation) -> Fragment:
    """Return a fragment whose lines after the first begin with ``prefix``; blank ones without blanks at its end."""
    text = fragment.text
    edits = []
    for found in _LINE_END.finditer(text):
        at = found.end()
        is_blank = at == len(text) or text[at] in "\r\n"
        edits.append(Edit(at, at, prefix.rstrip() if is_blank else prefix, place))
    return _edited(fragment, [edit for edit in edits if edit.replacement])


def without_prefix(fragment: Fragment, prefix: str) -> Fragment:
    """Return a fragment whose lines after the first are rid of what ``prefix`` stood for in their file.

    Args:
        fragment: A block that begins in the middle of a line, in a quote or in a list.
        prefix: What stands before it in its first line; a list's mark stands for blanks in later lines.
    """
    if not prefix:
        return fragment
    pattern = re.compile(_prefix_pattern(prefix))
    edits = []
    for line_end in _LINE_END.finditer(fragment.text):
        found = pattern.match(fragment.text, line_end.end())
        if found and found.end() > found.start():
            edits.append(Edit(found.start(), found.end()))
    return _edited(fragment, edits)


def on_one_line(fragment: Fragment, *, in_table: bool) -> Fragment:
    """Return a paragraph as one line; in a table, with its bars escaped."""
    bars = r"|(?<!\\)\|" if in_table else ""
    edits = [
        Edit(found.start(), found.end(), r"\|" if found.group() == "|" else " ")
        for found in re.finditer(r"[ \t]*(?:\r\n|\r|\n)[ \t]*" + bars, fragment.text)
    ]
    return _edited(fragment, edits)


def _prefix_pattern(prefix: str) -> str:
    """Return a pattern for at most what ``prefix`` stands for, mark by mark."""
    pattern = ""
    for piece in re.findall(r">[ \t]?|[^>]+", prefix):
        pattern = f"{pattern} {{0,3}}>[ \\t]?" if piece[0] == ">" else f"{pattern}[ \\t]{{0,{len(piece)}}}"
    return pattern


def _edited(fragment: Fragment, edits: list[Edit]) -> Fragment:
    if not edits:
        return fragment
    text, segments, embeds = apply_edits(fragment.text, fragment.segments, fragment.embeds, edits)
    return Fragment(text, tuple(segments) if text else (), tuple(embeds))
