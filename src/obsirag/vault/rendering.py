"""Rendering a note: its embeds filled in, its comments and block marks left out, all else as it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from obsirag.markdown import LinkSpan
from obsirag.records import PUBLIC, Diagnostic, Permissions, RenderedNote, Segment, SourceLocation, merge_permissions
from obsirag.vault.attachments import alias_words
from obsirag.vault.codes import EMBED_CYCLE, EMBED_LIMIT, EMBED_NOT_INLINE
from obsirag.vault.describing import describe
from obsirag.vault.fragment import Fragment
from obsirag.vault.linking import Linker, quoted
from obsirag.vault.marks import marks_between
from obsirag.vault.placeholders import holds_placeholder
from obsirag.vault.placing import (
    closed,
    fitted,
    is_one_paragraph,
    on_one_line,
    stand_of,
    stripped,
    with_prefix,
    without_prefix,
)
from obsirag.vault.source import Source
from obsirag.vault.subpaths import Part, find_part
from obsirag.vault.writer import Writer

__all__ = ["MAX_EMBEDS", "RenderOptions", "render"]

MAX_EMBEDS = 5_000
"""So many embeds are filled in for one note: even tiny ones take time, and a few notes can multiply them endlessly."""


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How notes are rendered.

    Args:
        embed_heading: Whether an embedded section keeps its heading line.
        comments: What becomes of ``%%comments%%``.
        max_embed_depth: How deep embeds inside embeds are filled in.
        max_rendered_chars: Up to how many characters a rendered text grows by embeds.
    """

    embed_heading: Literal["keep", "drop"] = "keep"
    comments: Literal["drop", "keep"] = "drop"
    max_embed_depth: int = 10
    max_rendered_chars: int = 2_000_000


class _Content(NamedTuple):
    """What an embed stands for."""

    source: Source
    part: Part
    is_block: bool


def render(source: Source, linker: Linker, options: RenderOptions) -> RenderedNote:
    """Return ``source`` as plain Markdown with the origin of every character."""
    links = linker.resolved(source)
    rendering = _Rendering(linker, options, remaining=options.max_rendered_chars - len(source.text))
    rendering.note(*source.diagnostics, *linker.faults(source, links))
    fragment = rendering.fill(source, 0, len(source.text), source.permissions)
    return RenderedNote(
        path=source.path,
        text=fragment.text,
        metadata=describe(source, links, linker),
        segments=fragment.segments or (Segment(0, source.path, source.first_line),),
        embeds=fragment.embeds,
        permissions=source.permissions,
        diagnostics=tuple(sorted(rendering.diagnostics)),
        dependencies=frozenset((*rendering.dependencies, source.path)),
    )


@dataclass
class _Rendering:
    """One note's rendering: what it has met and how much it may still grow."""

    linker: Linker
    options: RenderOptions
    remaining: int
    diagnostics: set[Diagnostic] = field(default_factory=set)
    dependencies: set[str] = field(default_factory=set)
    filled: int = 0  # embeds
    trail: list[tuple[str, int]] = field(default_factory=list)  # the embeds around this place: note and offset

    def note(self, *diagnostics: Diagnostic) -> None:
        self.diagnostics.update(diagnostics)

    def fill(self, source: Source, start: int, end: int, permissions: Permissions) -> Fragment:
        """Return ``source.text[start:end]`` rendered."""
        drop_comments = self.options.comments == "drop"
        if not (source.marks_and_comments if drop_comments else source.marks):
            segments = (each._replace(start=each.start - start) for each in source.segments(start, end))
            return Fragment(source.text[start:end], tuple(segments))
        writer = Writer(source, start, end)
        for mark in marks_between(source, start, end, drop_comments=drop_comments):
            if mark.link is None and mark.end > writer.cursor:
                writer.drop(max(mark.start, writer.cursor), mark.end)
            elif mark.link is not None and mark.start >= writer.cursor:
                self._embed(writer, mark.link, permissions)
        writer.copy(end)
        return writer.builder.build()

    def _embed(self, writer: Writer, link: LinkSpan, permissions: Permissions) -> None:
        source = writer.source
        found = self.linker.embedded(source, link)
        if found.diagnostic is not None:
            self.note(found.diagnostic)
        if found.is_attachment:
            words = alias_words(link.alias)
            if words:
                writer.replace(link, words)
            else:
                writer.drop(link.start, link.end)
            return
        content = None if found.source is None else self._content(found.source, link, source)
        if found.source is None:
            self.dependencies.add(link.target)
        if content is None:
            writer.copy(link.end)
            return
        fault = self._refusal(content, source, link)
        if fault is None:
            fragment = self._filled(content, source, link, permissions)
            fault = self._write(writer, link, fragment, content, permissions)
        if fault is not None:
            self.note(fault)
            writer.leave_as_link(link)

    def _content(self, target: Source, link: LinkSpan, source: Source) -> _Content | None:
        """Return what the embed stands for; None if it isn't there, which is then noted."""
        self.dependencies.add(target.path)
        self.note(*target.diagnostics)
        if not target.is_readable:
            return None
        part = find_part(target, link.subpath, with_heading=self.options.embed_heading == "keep")
        if isinstance(part, str):
            if not holds_placeholder(link.subpath):
                missing = f"{quoted(source, link.subpath)} is not in {_told(source, link, target)}"
                message = f"{missing}; the embed stays as written"
                self.note(Diagnostic(source.path, source.line_at(link.start), part, message))
            return None
        return _Content(target, part, "#^" in link.subpath.replace(" ", ""))

    def _refusal(self, content: _Content, source: Source, link: LinkSpan) -> Diagnostic | None:
        """Return why the content may not be filled in, or None."""
        path, (start, end), line = content.source.path, content.part, source.line_at(link.start)
        around = [*self.trail, (source.path, link.start)]
        if any(path == each and start <= offset < end for each, offset in around):
            return Diagnostic(source.path, line, EMBED_CYCLE, "this embed leads back to itself; left as a link")
        if len(around) > self.options.max_embed_depth:
            message = f"embeds are nested deeper than {self.options.max_embed_depth} levels; left as a link"
            return Diagnostic(source.path, line, EMBED_LIMIT, message)
        if self.filled >= MAX_EMBEDS:
            message = f"the note embeds more than {MAX_EMBEDS:,} times, embeds inside embeds included; left as a link"
            return Diagnostic(source.path, line, EMBED_LIMIT, message)
        self.filled += 1
        return self._charge(end - start, source, line)

    def _charge(self, characters: int, source: Source, line: int) -> Diagnostic | None:
        """Take ``characters`` from what the text may still grow by; return a fault if that isn't enough."""
        if characters > self.remaining:
            limit = self.options.max_rendered_chars
            message = f"the rendered text would pass {limit:,} characters here; left as a link"
            return Diagnostic(source.path, line, EMBED_LIMIT, message)
        self.remaining -= characters
        return None

    def _filled(self, content: _Content, source: Source, link: LinkSpan, permissions: Permissions) -> Fragment:
        target, (start, end) = content.source, content.part
        self.trail.append((source.path, link.start))
        try:
            inner = self.fill(target, start, end, merge_permissions(permissions, target.permissions))
        finally:
            self.trail.pop()
        if content.is_block:
            inner = without_prefix(inner, target.text[target.line_bounds(start)[0] : start])
        return closed(stripped(inner), target.newline)

    def _write(
        self, writer: Writer, link: LinkSpan, fragment: Fragment, content: _Content, permissions: Permissions
    ) -> Diagnostic | None:
        """Put an embed's content where it stands; return a fault if it doesn't fit there."""
        source = writer.source
        if not fragment.text:
            writer.drop(link.start, link.end)
            return None
        has_after = writer.shows_after(link, drop_comments=self.options.comments == "drop")
        stand = stand_of(source, link, writer.line_before(link), has_after=has_after)
        place = SourceLocation(source.path, source.line_at(link.start))
        inline = is_one_paragraph(fragment) and not stand.is_alone
        stand = fitted(stand, fragment)
        if stand.is_one_line:
            if not is_one_paragraph(fragment):
                message = "the embedded text has several blocks, but one line must do here; left as a link"
                return Diagnostic(*place, EMBED_NOT_INLINE, message)
            fragment, inline = on_one_line(fragment, in_table=stand.in_table), True
        elif stand.prefix:
            lines = fragment.text.count("\n") + fragment.text.count("\r")
            if (fault := self._charge(lines * len(stand.prefix), source, place.line)) is not None:
                return fault
            fragment = with_prefix(fragment, stand.prefix, place)
        merged = merge_permissions(permissions, content.source.permissions)

        def put(is_block: bool) -> None:
            writer.builder.put_embed(fragment, content.source.path, place.line, merged, is_block=is_block)

        if inline:
            writer.write_inline(link, put)
        else:
            writer.write_block(link, stand, put, has_after=has_after)
        return None


def _told(source: Source, link: LinkSpan, target: Source) -> str:
    """Return which note an embed means, for a message that anyone may read."""
    if target.path == source.path:
        return "this note"
    # The path of a restricted note isn't told; its name stands in the note that embeds it.
    return f"the note {quoted(source, target.path if target.permissions == PUBLIC else link.target)}"
