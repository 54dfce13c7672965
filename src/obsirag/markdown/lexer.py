"""Code spans, inline maths, comments and those of HTML within one leaf: text that ends where its block ends."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import NamedTuple

from obsirag.markdown.model import Span

__all__ = ["CommentCloser", "Lexed", "lex_leaf"]

_TOKEN = re.compile(r"\\[\s\S]|(?P<code>`[^`]++`(?!`))|`++|\$\$?+|%%|<!--")
_TICKS = re.compile(r"`++")
_DOLLARS = re.compile(r"\\.|(\$\$)|(\$)", re.DOTALL)


class Lexed(NamedTuple):
    """What was found in a leaf.

    Args:
        literals: Code and maths.
        comments: Comments ``%%…%%``.
        html: Comments of HTML, in which nothing is Markdown.
    """

    literals: list[Span]
    comments: list[Span]
    html: list[Span]


class CommentCloser:
    """Finds the ``%%`` that closes a comment, and remembers when there is none any more.

    Args:
        text: The text.
        end: Where it ends.
    """

    def __init__(self, text: str, end: int) -> None:
        self._text = text
        self._end = end
        self._none_from = end + 1

    def after(self, position: int) -> int:
        """Return the offset after the comment that opens at ``position``, or -1 if nothing closes it."""
        if position >= self._none_from:
            return -1
        closing = self._text.find("%%", position + 2, self._end)
        if closing < 0:
            self._none_from = position
            return -1
        return closing + 2


class _Closers:
    """Where code spans, maths and comments of HTML can close in one leaf, collected on first use."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._start, self._end = text, start, end
        self._last_html_end = end  # behind it no comment of HTML is closed
        self._ticks: dict[int, list[int]] | None = None
        self._dollars: tuple[list[int], list[int]] | None = None

    def code(self, position: int, length: int) -> int:
        """Return the end of the code span whose ``length`` backticks open at ``position``, or -1."""
        if self._ticks is None:
            self._ticks = {}
            for run in _TICKS.finditer(self._text, self._start, self._end):
                self._ticks.setdefault(run.end() - run.start(), []).append(run.start())
        starts = self._ticks.get(length, [])
        index = bisect_left(starts, position + length)
        return starts[index] + length if index < len(starts) else -1

    def html_comment(self, position: int) -> int:
        """Return the end of the comment of HTML whose text begins at ``position``, or -1."""
        if position > self._last_html_end:
            return -1
        end = self._text.find("-->", position, self._end)
        if end < 0:
            self._last_html_end = position
            return -1
        return end + len("-->")

    def math(self, position: int, length: int) -> int:
        """Return the end of the maths whose ``length`` dollar signs open at ``position``, or -1."""
        text = self._text
        if self._dollars is None:
            single, double = [], []
            for sign in _DOLLARS.finditer(text, self._start, self._end):
                at = sign.start()
                if sign[1]:
                    double.append(at)
                elif sign[2] and not text[at - 1 : at].isspace() and not text[at + 1 : at + 2].isdigit():
                    single.append(at)
            self._dollars = single, double
        if length == 1 and (position + 1 >= self._end or text[position + 1].isspace()):
            return -1
        closings = self._dollars[length - 1]
        index = bisect_left(closings, position + length + 1)
        return closings[index] + length if index < len(closings) else -1


def lex_leaf(text: str, start: int, end: int, comments: CommentCloser | None, until: int | None = None) -> Lexed:
    """Return the code, maths and comments that begin in ``text[start:end]``, a leaf's text.

    What opens first wins. All of them end within the leaf, but for the last comment ``%%…%%``, which may end behind it.

    Args:
        text: Text with LF line ends.
        start: The leaf's start.
        end: Its end.
        comments: Finds where comments close; None if the text is known to hold none.
        until: What begins from here on isn't looked for; ``end`` if None.
    """
    until = end if until is None else until
    found = Lexed([], [], [])
    closers = _Closers(text, start, end)
    position = start
    while position < until and (token := _TOKEN.search(text, position, end)):
        at, mark = token.start(), token[0]
        position = token.end()
        if mark[0] == "\\":
            continue
        if token.lastgroup:  # a code span between single backticks, as nearly all are
            found.literals.append(token.span())
            continue
        after, spans = -1, found.literals
        match mark[0]:
            case "`":
                after = closers.code(at, len(mark))
            case "$":
                after = closers.math(at, len(mark))
            case "<":
                after, spans = closers.html_comment(position), found.html
            case _ if comments is not None:
                after, spans = comments.after(at), found.comments
        if after >= 0:
            spans.append((at, after))
            position = after
    return found
