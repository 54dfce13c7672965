"""What blocks hold that isn't shown as Markdown: literal text, HTML, and comments, however many blocks they reach over.

In a block of HTML nothing is Markdown, as in Obsidian; in its inline tags all is, but not in its comments.
"""

from __future__ import annotations

import re

from obsirag.markdown.leaves import LITERAL, leaves
from obsirag.markdown.lexer import CommentCloser, lex_leaf
from obsirag.markdown.model import Block, Span
from obsirag.markdown.nested import CONTAINERS

__all__ = ["HiddenText", "may_hold_indented_code"]

# Where a line of a container is indented so far, it is code only behind a blank line or a block that is no paragraph.
_MARK = r"(?:[-+*]|[0-9]{1,9}+[.)]|\[\^[^\]\s]++\]:)"
_LINE_BEGINS = rf"(?:\A|\n)[ \t>]*+(?:{_MARK}[ \t>]++)"
_BEFORE_CODE = re.compile(
    rf"\n[ \t>]*+\n|>(?: {{4}}| *+\t)|{_LINE_BEGINS}*?{_MARK}(?: {{4}}| *+\t|[ \t]*+\n)"
    rf"|{_LINE_BEGINS}*+(?:[#<|$:=]|-[-|:]|\*\*\*|___|- -|\* \*|_ _)"
)


_MARKS = ("`", "$", "%%", "<!--")
_HTML_LINE = re.compile(r"(?:\A|[\n>:.)\]]|[-+*][ \t])[ \t>]*+<[A-Za-z/!?]")


class HiddenText:
    """The literal text, the HTML and the comments of blocks, taken in order.

    Args:
        text: Text with LF line ends.
        closer: Finds where comments close; None if the text is known to hold none.
    """

    def __init__(self, text: str, closer: CommentCloser | None) -> None:
        self.literals: list[Span] = []
        self.comments: list[Span] = []
        self.html: list[Span] = []
        self._text = text
        self._closer = closer
        self._position = 0  # all before lies inside a comment

    def may_hide(self, block: Block, position: int) -> bool:
        """Say whether something that isn't Markdown may begin in ``block`` before ``position``."""
        if block.kind in LITERAL or block.kind in ("comment", "html"):
            return True
        part = self._text[block.start : position + 4]  # a mark of up to four may begin there
        if "`" in part or "$" in part or "%%" in part or "<!--" in part:
            return True
        return block.kind in CONTAINERS and ("~~~" in part or may_hold_indented_code(part) or _may_hold_html(part))

    def take(self, block: Block, until: int | None = None, own_end: int | None = None) -> int:
        """Find what is literal, and what is a comment, in the next block, and return where the block ends.

        A comment takes the block along to the end of the line that closes it, on which another comment may begin.

        Args:
            block: The block.
            until: What begins from here on isn't looked for.
            own_end: Where the block ended before comments made it longer; None if none did so yet.
        """
        end = self._take_own(block, block.end if own_end is None else own_end, until)
        while self._position > end and (own_end is None or self._position < block.end):
            line_end = self._text.find("\n", self._position)
            end = len(self._text) if line_end < 0 else line_end
            self._lex(self._position, end, until)
        return max(end, block.end)

    def _take_own(self, block: Block, end: int, until: int | None) -> int:
        """Take a block without the lines that comments add to it, and return where it ends."""
        text, start = self._text, block.start
        if block.kind in LITERAL:
            self.literals.append((start, end))
        elif block.kind == "html":
            self.html.append((start, end))
        elif block.kind == "comment":
            after = self._closer.after(start) if self._closer else end
            self.comments.append((start, after))
            self._position = after
            return start
        elif block.kind not in CONTAINERS:
            self._lex(max(start, self._position), end, until)
        elif not self._lex_flat(start, end, until):
            for leaf in leaves(text, block):
                begin, end = max(leaf.start, self._position), leaf.end
                if leaf.kind not in LITERAL and leaf.kind != "html":
                    self._lex(begin, end, until)
                elif begin == leaf.start:
                    (self.html if leaf.kind == "html" else self.literals).append((begin, end))
        return end

    def _lex(self, start: int, end: int, until: int | None) -> None:
        text = self._text
        if start >= end or not any(text.find(mark, start, end) >= 0 for mark in _MARKS):
            return
        found = lex_leaf(text, start, end, self._closer, until)
        self.literals += found.literals
        self.html += found.html
        if found.comments:
            self.comments += found.comments
            self._position = found.comments[-1][1]

    def _lex_flat(self, start: int, end: int, until: int | None) -> bool:
        """Read a container as if it were one leaf; return False, with nothing done, where that may be wrong.

        A code span that ends in its own line does so whatever leaf the line belongs to.
        """
        part = self._text[start:end]
        if "~~~" in part or "```" in part or "$$" in part or "%%" in part:
            return False
        if may_hold_indented_code(part) or _may_hold_html(part):
            return False
        if "`" not in part and "$" not in part and "<!--" not in part:
            return True
        found = lex_leaf(self._text, start, end, None, until)
        if any("\n" in self._text[begin:after] for begin, after in found.literals + found.html):
            return False
        self.literals += found.literals
        self.html += found.html
        return True


def _may_hold_html(part: str) -> bool:
    return "<" in part and _HTML_LINE.search(part) is not None


def may_hold_indented_code(part: str) -> bool:
    """Say whether a container's text, with LF line ends, may hold indented code; for most that hold none it says so."""
    return ("    " in part or "\t" in part) and _BEFORE_CODE.search(part) is not None
