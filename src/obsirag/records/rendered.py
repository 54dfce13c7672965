"""A note rendered to plain Markdown, with the source of every character."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from obsirag.records.diagnostic import Diagnostic
from obsirag.records.permissions import PUBLIC, Permissions

__all__ = ["EmbedSpan", "RenderedNote", "Segment", "SourceLocation", "count_line_ends"]


class SourceLocation(NamedTuple):
    """A place in a vault: vault-relative path and 1-based line."""

    path: str
    line: int


class Segment(NamedTuple):
    """A run of rendered text that came from one place; it ends where the next segment starts.

    Args:
        start: Offset in the rendered text.
        path: The note it came from.
        line: 1-based line of that file at ``start``.
        verbatim: Whether the text is the file's own, so that each line end in it leads to the file's next line. Text
            that was put in (a prefix, a blank line, a notice) belongs to ``line`` as a whole.
    """

    start: int
    path: str
    line: int
    verbatim: bool = True


class EmbedSpan(NamedTuple):
    """Where an embed's content stands in the rendered text.

    Args:
        start: Offset of its first character.
        end: Offset after its last.
        path: The embedded note.
        line: 1-based line of the embed itself in the note that holds it.
        permissions: Who may read it: all labels under which it came, those of the notes around it included.
        is_block: Whether it stands on lines of its own, outside any quote or list, so that its headings are headings.
    """

    start: int
    end: int
    path: str
    line: int
    permissions: Permissions = PUBLIC
    is_block: bool = True


@dataclass(frozen=True, slots=True)
class RenderedNote:
    """A note's text as plain Markdown with its embeds filled in.

    Args:
        path: Vault-relative POSIX path of the note.
        text: The rendered text. Offsets everywhere refer to it.
        metadata: The front matter, with ``title``, ``tags``, ``aliases``, ``links`` and ``attachments`` added.
        segments: The sources of ``text`` in order, the first at offset 0; together they cover it. If none are given,
            it is the note itself from line 1.
        embeds: The embeds in order of their start, an outer one before those inside it.
        permissions: Who may read the note itself.
        diagnostics: What was noticed while rendering.
        dependencies: Paths of all notes whose content went into ``text``, and, as written, the targets of embeds that
            were not found: a change of any of them changes this text.
    """

    path: str
    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    segments: Sequence[Segment] = ()
    embeds: Sequence[EmbedSpan] = ()
    permissions: Permissions = PUBLIC
    diagnostics: tuple[Diagnostic, ...] = ()
    dependencies: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """Let text without sources be the note's own."""
        if not self.segments:
            object.__setattr__(self, "segments", (Segment(0, self.path, 1),))

    def locate(self, offset: int) -> SourceLocation:
        """Return where the character at ``offset`` came from.

        Args:
            offset: 0 ≤ offset ≤ ``len(text)``; the end belongs to the last segment.

        Raises:
            IndexError: If ``offset`` lies outside the text.
        """
        if not 0 <= offset <= len(self.text):
            raise IndexError(
                f"offset {offset} lies outside the text of {self.path}, which has {len(self.text)} characters"
            )
        segment = self.segments[max(0, bisect_right(self.segments, offset, key=lambda each: each.start) - 1)]
        if not segment.verbatim:
            return SourceLocation(segment.path, segment.line)
        return SourceLocation(segment.path, segment.line + count_line_ends(self.text, segment.start, offset))

    def segments_between(self, start: int, end: int) -> Iterator[Segment]:
        """Yield the sources of ``text[start:end]``, the first beginning at ``start`` itself."""
        first = max(0, bisect_right(self.segments, start, key=lambda each: each.start) - 1)
        for index in range(first, len(self.segments)):
            segment = self.segments[index]
            if segment.start >= end:
                return
            if segment.start < start:
                path, line = self.locate(start)
                segment = Segment(start, path, line, segment.verbatim)
            yield segment


def count_line_ends(text: str, start: int, end: int) -> int:
    r"""Count the line ends in ``text[start:end]``: ``\n``, ``\r\n`` and a lone ``\r``.

    A ``\r`` at the end whose ``\n`` follows just behind belongs to the line it ends: it is not counted yet.
    """
    feeds = text.count("\n", start, end)
    if "\r" not in text[start:end]:
        return feeds
    returns = text.count("\r", start, end) - text.count("\r\n", start, end)
    if end > start and text[end - 1] == "\r" and text[end : end + 1] == "\n":
        returns -= 1
    return feeds + returns
