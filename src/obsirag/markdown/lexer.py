"""Code spans, inline maths and comments within one leaf: text that ends where its block ends."""

from __future__ import annotations

import re
from bisect import bisect_left

from obsirag.markdown.model import Span

__all__ = ["CommentCloser", "lex_leaf"]

_TOKEN = re.compile(r"\\[\s\S]|(?P<code>`[^`]++`(?!`))|`++|\$\$?+|%%")
_TICKS = re.compile(r"`++")
_DOLLARS = re.compile(r"\\.|(\$\$)|(\$)", re.DOTALL)


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
    """Where code spans and maths can close in one leaf, collected on first use."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._start, self._end = text, start, end
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


def lex_leaf(
    text: str, start: int, end: int, comments: CommentCloser | None, until: int | None = None
) -> tuple[list[Span], list[Span]]:
    """Return the literal spans (code and maths) and the comments that begin in ``text[start:end]``, a leaf's text.

    What opens first wins. Code and maths end within the leaf; the last comment may end behind it.

    Args:
        text: Text with LF line ends.
        start: The leaf's start.
        end: Its end.
        comments: Finds where comments close; None if the text is known to hold none.
        until: What begins from here on isn't looked for; ``end`` if None.
    """
    until = end if until is None else until
    literals: list[Span] = []
    hidden: list[Span] = []
    closers = _Closers(text, start, end)
    position = start
    while position < until and (token := _TOKEN.search(text, position, end)):
        at, mark = token.start(), token[0]
        position = token.end()
        if mark[0] == "\\":
            continue
        if token.lastgroup:  # a code span between single backticks, as nearly all are
            literals.append(token.span())
            continue
        after = -1
        if mark[0] == "`":
            after = closers.code(at, len(mark))
        elif mark[0] == "$":
            after = closers.math(at, len(mark))
        elif comments is not None:
            after = comments.after(at)
        if after >= 0:
            (hidden if mark == "%%" else literals).append((at, after))
            position = after
    return literals, hidden
