"""Which of the marks that look the same when they open and when they close are open at a place."""

from __future__ import annotations

import re

__all__ = ["OpenMarks"]

_MARK = re.compile(r"[\"']|\*++|_++|`++|==|~~")
_ALONE = frozenset({"*", "_", "==", "~~"})  # they stand for something else as well: `*.py *`, `a !== b`


class OpenMarks:
    """Straight quotes and the marks of bold, italics, code, highlights and strikes, counted up to a place.

    A text is gone through once, however often it is asked about.

    Args:
        text: The text.
        start: Offset of the beginning.
        end: Offset of the end.
    """

    def __init__(self, text: str, start: int, end: int) -> None:
        self._text = text
        self._start = self._counted = start
        self._end = end
        self._open: set[str] = set()

    def restart(self, position: int) -> None:
        """Forget what is open: nothing is across a blank line."""
        self._counted = self._start = position
        self._open.clear()

    def close_until(self, start: int, end: int) -> int:
        """Return where the marks in ``text[start:end]`` end that close something; what is behind opens.

        ``start`` must not lie before an earlier call's.
        """
        self._count(start)
        for match in _MARK.finditer(self._text, start, end):
            mark = match[0]
            if mark not in self._open:
                behind = self._text[match.end() : min(match.end() + 1, self._end)]
                if mark in _ALONE or not (behind == "" or behind.isspace() or behind in ")]}）】」』”’"):
                    return match.start()
            self._count(match.end())
        return end

    def _count(self, position: int) -> None:
        text = self._text
        for match in _MARK.finditer(text, self._counted, position):
            mark = match[0]
            before = text[match.start() - 1] if match.start() > self._start else " "
            behind = text[match.end()] if match.end() < self._end else " "
            between_letters = before.isascii() and before.isalnum() and behind.isascii() and behind.isalnum()
            if before == "\\" or (before.isspace() and behind.isspace()) or (mark[0] in "_'" and between_letters):
                continue
            if mark in self._open:
                self._open.discard(mark)
            elif not behind.isspace():
                self._open.add(mark)
        self._counted = max(self._counted, position)
