"""Rendered text in the making: pieces with the sources of their characters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from obsirag.records import EmbedSpan, Permissions, Segment

__all__ = ["Fragment", "FragmentBuilder"]


class Fragment(NamedTuple):
    """A piece of rendered text; offsets in ``segments`` and ``embeds`` are relative to it."""

    text: str
    segments: tuple[Segment, ...] = ()
    embeds: tuple[EmbedSpan, ...] = ()


_LINE_SHOWN = 300


class FragmentBuilder:
    """Puts a fragment together from front to back.

    Attributes:
        last_line: The line that is being written, without what lies beyond its first 300 characters.
        line_before: The line before, likewise; None if there is none.
    """

    def __init__(self) -> None:
        self.last_line = ""
        self.line_before: str | None = None
        self._after_return = False
        self._parts: list[str] = []
        self._segments: list[Segment] = []
        self._embeds: list[EmbedSpan] = []
        self._length = 0

    def put(self, text: str, path: str, line: int, *, verbatim: bool = False) -> None:
        """Add text that came from ``line`` of ``path``."""
        if text:
            self._segments.append(Segment(self._length, path, line, verbatim))
            self._append(text)

    def put_all(self, fragment: Fragment) -> None:
        """Add a fragment with its segments and embeds."""
        offset = self._length
        self._segments.extend(each._replace(start=each.start + offset) for each in fragment.segments)
        self._embeds.extend(_shifted(fragment.embeds, offset))
        self._append(fragment.text)

    def put_embed(self, fragment: Fragment, path: str, line: int, permissions: Permissions, *, is_block: bool) -> None:
        """Add a fragment as the content of an embed; inside one that is no block of its own, none is."""
        if not fragment.text:
            return
        span = EmbedSpan(self._length, self._length + len(fragment.text), path, line, permissions, is_block)
        self._embeds.append(span)
        inner = fragment.embeds if is_block else tuple(each._replace(is_block=False) for each in fragment.embeds)
        self.put_all(fragment._replace(embeds=inner))

    def build(self) -> Fragment:
        """Return what was put together."""
        return Fragment("".join(self._parts), tuple(self._segments), tuple(self._embeds))

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)
        self._remember_lines(text)

    def _remember_lines(self, text: str) -> None:
        if self._after_return and text.startswith("\n"):
            text = text[1:]  # the second half of a line end
        self._after_return = self._parts[-1].endswith("\r")
        end = max(text.rfind("\n"), text.rfind("\r"))
        if end < 0:
            self.last_line = (self.last_line + text)[:_LINE_SHOWN]
            return
        before_end = end - 1 if text[max(0, end - 1) : end + 1] == "\r\n" else end
        start = max(text.rfind("\n", 0, before_end), text.rfind("\r", 0, before_end)) + 1
        begun = self.last_line if start == 0 else ""
        self.line_before = (begun + text[start : min(before_end, start + _LINE_SHOWN)])[:_LINE_SHOWN]
        self.last_line = text[end + 1 : end + 1 + _LINE_SHOWN]


def _shifted(embeds: Iterable[EmbedSpan], offset: int) -> Iterable[EmbedSpan]:
    return (each._replace(start=each.start + offset, end=each.end + offset) for each in embeds)
