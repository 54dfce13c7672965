"""A note's text and what is found in it, each thing found once and only when asked for."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

from obsirag.markdown import (
    Block,
    BlockId,
    LinkSpan,
    Span,
    TagSpan,
    comment_spans,
    find_block_ids,
    find_references,
    hidden_spans,
    is_escaped,
    nested_blocks,
    scan,
)
from obsirag.records import PUBLIC, Diagnostic, FilePart, Permissions, Segment, count_line_ends
from obsirag.vault.codes import UNREADABLE_NOTE_CODES
from obsirag.vault.properties import aliases_in, tags_in, title_in, unique
from obsirag.vault.property_links import PropertyLink
from obsirag.vault.sections import BLOCK_MARK, Sections

__all__ = ["CONTAINERS", "Mark", "Source", "is_internal"]

CONTAINERS = frozenset({"item", "quote", "callout", "footnote"})

_LINE_END = re.compile(r"\r\n|\r|\n")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


class Mark(NamedTuple):
    """A place that rendering changes: an embed, or, without ``link``, something to leave out."""

    start: int
    end: int
    link: LinkSpan | None = None


class _Origin(NamedTuple):
    offset: int
    line: int


class Source:
    """A note as rendering needs it.

    Args:
        path: Vault-relative POSIX path.
        text: The text, without front matter.
        first_line: 1-based line of the file on which ``text`` begins.
        metadata: The front matter.
        permissions: Who may read the note.
        diagnostics: What was noticed while reading it.
        property_links: The links in the front matter.
        origins: For text that is not the file's own (a canvas): offsets, each with the line of the file that the text
            from there on comes from. Without them the text is the file's, line by line.
        parts: The parts of a file that a loader read.
        is_loaded: Whether a loader read it; then it has no other names.
    """

    def __init__(
        self,
        path: str,
        text: str,
        *,
        first_line: int = 1,
        metadata: Mapping[str, Any] | None = None,
        permissions: Permissions = PUBLIC,
        diagnostics: tuple[Diagnostic, ...] = (),
        property_links: Sequence[PropertyLink] = (),
        origins: Sequence[tuple[int, int]] | None = None,
        parts: tuple[FilePart, ...] = (),
        is_loaded: bool = False,
    ) -> None:
        self.path = path
        self.text = text
        self.first_line = first_line
        self.metadata = metadata or {}
        self.permissions = permissions
        self.diagnostics = diagnostics
        self.property_links = property_links
        self.parts = parts
        self._is_loaded = is_loaded
        self._nested: dict[int, list[Block]] = {}
        self._origins = None if origins is None else [_Origin(*each) for each in origins]

    @property
    def is_readable(self) -> bool:
        """Whether the file could be read at all."""
        return not any(each.code in UNREADABLE_NOTE_CODES for each in self.diagnostics)

    @cached_property
    def newline(self) -> str:
        """The line end that the text uses first."""
        found = _LINE_END.search(self.text)
        return found.group() if found else "\n"

    @cached_property
    def blocks(self) -> list[Block]:
        """The top-level blocks."""
        return scan(self.text)

    @cached_property
    def _has_comment_marks(self) -> bool:
        return "%" in self.text and "%%" in self.text  # a single character is found ten times as fast

    @cached_property
    def sections(self) -> Sections:
        """The sections under its headings."""
        return Sections(self.blocks, len(self.text))

    @cached_property
    def comments(self) -> list[Span]:
        """The comments ``%%…%%``; in text that is not the file's own, each part has its own."""
        if not self._has_comment_marks:
            return []
        if self._origins is None:
            return comment_spans(self.text, self.blocks)
        starts = [origin.offset for origin in self._origins]
        return [
            (start + first, start + last)
            for start, end in zip(starts, [*starts[1:], len(self.text)], strict=True)
            for first, last in comment_spans(self.text[start:end])
        ]

    def unclosed_comments(self) -> Iterator[int]:
        """Yield the offsets of the ``%%`` that stand in plain text: nothing closes them."""
        if not self._has_comment_marks:
            return
        marks = [found.start() for found in re.finditer("%%", self.text)]
        known = iter(sorted([*hidden_spans(self.text, self.blocks, marks), *self.comments]))
        start, end = next(known, (len(self.text),) * 2)
        for mark in marks:
            while end <= mark and start < len(self.text):
                start, end = next(known, (len(self.text),) * 2)
            if not start <= mark < end and not is_escaped(self.text, mark):
                yield mark

    @cached_property
    def _references(self) -> tuple[list[LinkSpan], list[TagSpan]]:
        return find_references(self.text, self.blocks)

    @cached_property
    def links(self) -> list[LinkSpan]:
        """The links and embeds that lead to files, not to web pages."""
        return [link for link in self._references[0] if is_internal(link)]

    @cached_property
    def all_links(self) -> list[tuple[int, LinkSpan]]:
        """The links of front matter and text in order, each with the 1-based line of the file that it stands on."""
        found: list[tuple[int, LinkSpan]] = list(self.property_links)
        line, counted = self.first_line, 0
        for link in self.links:
            if self._origins is not None:
                line = self.line_at(link.start)
            else:
                line += count_line_ends(self.text, counted, link.start)
                counted = link.start
            found.append((line, link))
        return found

    @cached_property
    def block_ids(self) -> list[BlockId]:
        """The block ids."""
        return find_block_ids(self.text, self.blocks)

    @cached_property
    def blocks_by_id(self) -> dict[str, Span]:
        """The blocks that have an id, by the id in lower case; of equal ids the first counts."""
        found: dict[str, Span] = {}
        for each in self.block_ids:
            found.setdefault(each.id.casefold(), (each.block_start, each.block_end))
        return found

    @cached_property
    def marks(self) -> list[Mark]:
        """The embeds and the marks of block ids, in the order of their start."""
        marks = [Mark(link.start, link.end, link) for link in self.links if link.embed and link.wiki]
        marks += [Mark(each.marker_start, each.marker_end) for each in self.block_ids]
        return sorted(marks, key=lambda mark: mark[:2])

    @cached_property
    def marks_and_comments(self) -> list[Mark]:
        """The marks, with the comments as something to leave out."""
        comments = [Mark(start, end) for start, end in self.comments]
        return sorted([*self.marks, *comments], key=lambda mark: mark[:2]) if comments else self.marks

    @cached_property
    def text_tags(self) -> list[TagSpan]:
        """The tags in the text."""
        return self._references[1]

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The tags of front matter and text."""
        return unique((*tags_in(self.metadata), *(tag.name for tag in self.text_tags)))

    @cached_property
    def aliases(self) -> tuple[str, ...]:
        """The note's other names."""
        return () if self._is_loaded else aliases_in(self.metadata)

    @cached_property
    def title(self) -> str:
        """The front matter's title, else the first level-1 heading, else the file's stem."""
        heading = next((block.info for block in self.blocks if block.kind == "heading" and block.level == 1), "")
        stem = self.path.rpartition("/")[2].rpartition(".")[0]
        return title_in(self.metadata) or BLOCK_MARK.sub("", heading).strip() or stem

    def line_at(self, offset: int) -> int:
        """Return the 1-based line of the file that the character at ``offset`` comes from."""
        if self._origins is not None:
            index = bisect_right(self._origins, offset, key=lambda each: each.offset) - 1
            return self._origins[max(0, index)].line
        if offset == 0:
            return self.first_line
        return self.first_line + bisect_right(self._line_starts, offset)

    def segments(self, start: int, end: int) -> Iterator[Segment]:
        """Yield the sources of ``text[start:end]``."""
        if self._origins is None:
            yield Segment(start, self.path, self.line_at(start))
            return
        yield Segment(start, self.path, self.line_at(start), verbatim=False)
        first = bisect_right(self._origins, start, key=lambda each: each.offset)
        last = bisect_left(self._origins, end, key=lambda each: each.offset)
        for offset, line in self._origins[first:last]:
            yield Segment(offset, self.path, line, verbatim=False)

    def line_bounds(self, offset: int) -> Span:
        """Return where the line around ``offset`` begins and where its line end does."""
        starts = self._line_starts
        index = bisect_right(starts, offset)
        start = starts[index - 1] if index else 0
        if index == len(starts):
            return start, len(self.text)
        end = starts[index] - 1
        return start, end - 1 if self.text[end - 1 : end + 1] == "\r\n" else end

    def next_line(self, offset: int) -> str | None:
        """Return the line after the one around ``offset``; None if there is none."""
        index = bisect_right(self._line_starts, offset)
        if index >= len(self._line_starts):
            return None
        start = self._line_starts[index]
        return self.text[start : self.line_bounds(start)[1]]

    def block_at(self, offset: int) -> Block | None:
        """Return the top-level block around ``offset``."""
        index = bisect_right(self.blocks, offset, key=lambda block: block.start) - 1
        if index >= 0 and offset < self.blocks[index].end:
            return self.blocks[index]
        return None

    def kind_at(self, offset: int) -> str:
        """Return the kind of the innermost block around ``offset``; empty if there is none."""
        block = self.block_at(offset)
        if block is None:
            return ""
        if block.kind in CONTAINERS:
            if block.start not in self._nested:
                self._nested[block.start] = nested_blocks(self.text, block)
            inner = self._nested[block.start]
            for index in range(bisect_right(inner, offset, key=lambda each: each.start) - 1, -1, -1):
                if offset < inner[index].end:
                    return inner[index].kind
        return block.kind

    @cached_property
    def _line_starts(self) -> list[int]:
        """The offsets at which the second and all later lines begin."""
        if "\r" in self.text:
            return [found.end() for found in _LINE_END.finditer(self.text)]
        ends = list(accumulate(len(line) + 1 for line in self.text.split("\n")))  # three times as fast
        return ends[:-1]


def is_internal(link: LinkSpan) -> bool:
    """Say whether a link leads to a file rather than to a web page or a program."""
    if "://" in link.target and not link.target.lower().startswith("file:"):
        return False
    # A single letter before the colon is a drive; `file:` leads to a file.
    return link.wiki or link.target.lower().startswith("file:") or _SCHEME.match(link.target) is None
