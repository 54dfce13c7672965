"""The careful scan of a text's top level: one block at a time, whatever it takes to tell where it ends."""

from __future__ import annotations

import re

from obsirag.markdown.containers import ContainerScan
from obsirag.markdown.grammar import (
    CODE_COLUMNS,
    DELIMITER_ROW,
    FENCE,
    FOOTNOTE,
    HEADING,
    HTML,
    HTML_ENDS,
    ITEM,
    REFERENCES,
    RULE,
    SETEXT,
    cannot_interrupt,
    heading_text,
    is_table_head,
)
from obsirag.markdown.hidden_text import HiddenText
from obsirag.markdown.leaves import LITERAL
from obsirag.markdown.lexer import CommentCloser
from obsirag.markdown.model import Block
from obsirag.markdown.nodes import column_of, trimmed_end, trimmed_start

__all__ = ["TopLevel"]

_SPECIAL = r"#>`~|:$%<\-=*+_\[0-9"
_BLANK_LINES = re.compile(r"(?:[ \t\f\v]*+\n)*+")
_INDENT = re.compile(r"[ \t]*+")
_PLAIN_LINES = re.compile(rf"[^\n]*+(?:\n[ \t]*+(?![{_SPECIAL}\n])[^\n]++)*+")
_CODE_LINES = re.compile(r"[^\n]*+(?:(?:\n[ \t]*+(?=\n))*+\n(?: {4}| {0,3}\t)[ \t]*+[^\n]++)*+")
_TABLE_LINES = re.compile(r"[^\n]*+\n[^\n]*+(?:\n {0,3}+\|[^\n]*+)*+")
_BLANK_LINE = re.compile(r"\n[ \t]*+(?=\n)")
_FENCE_CLOSING = re.compile(r"^ {0,3}+(`{3,}+|~{3,}+)[ \t]*+$", re.MULTILINE)


class TopLevel:
    """Reads the blocks of a text one after the other.

    Args:
        text: Text with LF line ends.
        comments: Whether ``%%`` begins a comment; otherwise it is text.
        enough: Offset of a line's end behind which it doesn't matter where a paragraph or table ends; None if it does.
    """

    def __init__(self, text: str, *, comments: bool = True, enough: int | None = None) -> None:
        self.text = text
        self.end = len(text)
        self.enough = self.end if enough is None else enough
        self.comments = CommentCloser(text, self.end) if comments and "%%" in text else None
        self.mark = -1  # where the last "%%" that was searched for is, the text's end if there is none
        self.ahead: Block | None = None  # found already, while looking for the end of a paragraph

    def take(self, position: int, blocks: list[Block]) -> int:
        """Append the next block to ``blocks``, if there is one, and return the offset to go on from.

        Args:
            position: Offset of the beginning of a line, or of the end of a block.
            blocks: The blocks so far.
        """
        text, end = self.text, self.end
        line = _BLANK_LINES.match(text, position).end()  # type: ignore[union-attr]
        at = _INDENT.match(text, line).end()  # type: ignore[union-attr]
        if at >= end:
            return end
        block = self._block(line, at)
        if self.comments is not None:
            block = self.with_comments(block)
        following = text.find("\n", block.end, end) + 1
        trimmed = self._trimmed(block)
        if trimmed.start < trimmed.end:
            blocks.append(trimmed)
        return following or end

    def end_of(self, start: int) -> int:
        """Return where the block ends that begins at ``start``."""
        line = self.text.rfind("\n", 0, start) + 1
        return trimmed_end(self.text, start, self._block(line, start).end)

    def with_comments(self, block: Block) -> Block:
        """Return ``block`` with all of the comments that begin in it and end behind it, to the end of the line."""
        text = self.text
        if block.kind in LITERAL or text.find("%%", block.start, block.end) < 0:
            return block
        end = HiddenText(text, self.comments).take(block)
        if end <= block.end:
            return block
        self.ahead = None
        return block._replace(end=trimmed_end(text, block.start, end))

    def _trimmed(self, block: Block) -> Block:
        """Return ``block`` without the blanks around it, but for the indent of code: empty if it holds nothing else.

        Lines are parted by spaces and tabs, as Markdown has it; all that is a blank in Unicode is one at the edges.
        """
        end = trimmed_end(self.text, block.start, block.end)
        start = block.start if block.kind == "indented_code" else trimmed_start(self.text, block.start, end)
        return block if (start, end) == (block.start, block.end) else block._replace(start=start, end=end)

    def _block(self, line: int, at: int) -> Block:
        """Return the block on the line that begins at ``line``, its first character at ``at``."""
        text = self.text
        if self.ahead is not None and self.ahead.start == at:
            return self.ahead
        if at > line and (at - line >= CODE_COLUMNS or "\t" in text[line:at]) and column_of(text, at) >= CODE_COLUMNS:
            return Block("indented_code", line, _CODE_LINES.match(text, line).end())  # type: ignore[union-attr]
        block = self._special(at, interrupting=False)
        if block is not None:
            return block
        return self._paragraph(at)

    def _special(self, at: int, *, interrupting: bool) -> Block | None:
        """Return the block other than a paragraph that begins at ``at``, if one does."""
        text = self.text
        found: re.Match[str] | None
        match text[at]:
            case "#" if found := HEADING.match(text, at):
                return Block("heading", at, found.end(), len(found[1]), heading_text(found[2]))
            case "`" | "~" if found := FENCE.match(text, at):
                return self._fence(at, found)
            case ">":
                return self._container(at)
            case "$" if text.startswith("$$", at):
                return self._math(at)
            case "%" if self.comments is not None and text.startswith("%%", at):
                return self._comment(at)
            case "<" if (found := HTML.match(text, at)) and not (interrupting and found.lastgroup == "k7"):
                return self._html(at, found)
            case "[" if not interrupting and FOOTNOTE.match(text, at):
                return self._container(at)
            case "-" | "*" | "_" if found := RULE.match(text, at):
                return Block("rule", at, found.end())
        found = ITEM.match(text, at)
        if found and not (interrupting and cannot_interrupt(text, found, self.line_end(at))):
            return self._container(at)
        return None

    def line_end(self, at: int) -> int:
        """Return where the line around ``at`` ends."""
        line_end = self.text.find("\n", at, self.end)
        return self.end if line_end < 0 else line_end

    def _container(self, at: int) -> Block:
        scan_ = ContainerScan(self.text, self.end)
        end = scan_.run(at, column_of(self.text, at))
        first = scan_.found[0]
        return Block(first.kind, at, end, 0, first.info)

    def _fence(self, at: int, opening: re.Match[str]) -> Block:
        marks = opening[1] or opening[3]
        info = (opening[2] or opening[4] or "").split()
        language = info[0] if info else ""
        for closing in _FENCE_CLOSING.finditer(self.text, opening.end()):
            if closing[1].startswith(marks):
                return Block("fence", at, closing.end(), 0, language)
        return Block("fence", at, self.end, 0, language)

    def _math(self, at: int) -> Block | None:
        closing = self.text.find("$$", at + 2, self.end)
        if closing < 0:
            return None
        line_end = self.line_end(closing)
        if "\n" not in self.text[at:closing] and self.text[closing + 2 : line_end].strip():
            return None
        return Block("math", at, line_end)

    def _comment(self, at: int) -> Block | None:
        after = self.comments.after(at) if self.comments else -1
        if after < 0:
            return None
        line_end = self.line_end(after)
        if "\n" not in self.text[at:after] and self.text[after:line_end].strip():
            return None
        return Block("comment", at, line_end)

    def _html(self, at: int, opening: re.Match[str]) -> Block:
        ending = HTML_ENDS.get(opening.lastgroup or "")
        if ending is None:
            blank = _BLANK_LINE.search(self.text, at)
            return Block("html", at, blank.start() if blank else self.end)
        closing = ending.search(self.text, at)
        return Block("html", at, self.line_end(closing.end()) if closing else self.end)

    def _paragraph(self, at: int) -> Block:
        text = self.text
        line = at
        while True:
            stop = _PLAIN_LINES.match(text, line, self.enough).end()  # type: ignore[union-attr]
            if stop >= self.enough:
                return Block("paragraph", at, self.enough)
            line = stop + 1
            first = _INDENT.match(text, line).end()  # type: ignore[union-attr]
            if first >= self.end or text[first] == "\n":
                return Block("paragraph", at, stop)
            if column_of(text, first) < CODE_COLUMNS:
                block = self._end_of_paragraph(at, stop, first)
                if block is not None:
                    return block

    def _end_of_paragraph(self, at: int, stop: int, first: int) -> Block | None:
        """Return the block that ends before or with the special line at ``first``, None if none does."""
        text = self.text
        character = text[first]
        if character in "=-" and (setext := SETEXT.match(text, first)):
            heading = self._after_references(at, stop)
            if heading < stop:
                level = 1 if character == "=" else 2
                block = Block("heading", heading, setext.end(), level, text[heading:stop].strip())
                if heading == at:
                    return block
                self.ahead = block
                return Block("paragraph", at, text.rindex("\n", at, heading))
        if character in "|:-" and DELIMITER_ROW.match(text, first):
            head = max(at, text.rfind("\n", at, stop) + 1)
            if is_table_head(text[head:stop].strip(), text[first : self.line_end(first)].strip()):
                return self._table(at) if head == at else Block("paragraph", at, head - 1)
        if character == "%" and self.comments is not None and self._mark_from(at) < stop - 1:
            return None  # it may close a comment of this paragraph
        self.ahead = self._special(first, interrupting=True)
        return Block("paragraph", at, stop) if self.ahead else None

    def _mark_from(self, at: int) -> int:
        """Return where the first "%%" from ``at`` on is, searched for once however many lines ask."""
        if self.mark < at:
            found = self.text.find("%%", at, self.end)
            self.mark = self.end if found < 0 else found
        return self.mark

    def _after_references(self, at: int, stop: int) -> int:
        """Return where a paragraph's own text begins, behind the link definitions at its start."""
        references = REFERENCES.match(self.text, at, stop + 1)
        if references is None:
            return at
        return _INDENT.match(self.text, min(references.end(), stop), stop).end()  # type: ignore[union-attr]

    def _table(self, at: int) -> Block:
        """Return the table whose head is at ``at``: its rows go on to a blank line or another block."""
        text = self.text
        stop = _TABLE_LINES.match(text, at, self.enough).end()  # type: ignore[union-attr]
        while stop < self.enough:
            first = _INDENT.match(text, stop + 1).end()  # type: ignore[union-attr]
            if first >= self.end or text[first] == "\n" or column_of(text, first) >= CODE_COLUMNS:
                break
            self.ahead = self._special(first, interrupting=True)
            if self.ahead:
                break
            stop = self.line_end(first)
        return Block("table", at, stop)
