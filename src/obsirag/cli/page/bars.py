"""The bar above a chunk: which it is, how long, and what stands out about it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from langchain_core.documents import Document

from obsirag.cli.page.escaping import as_text
from obsirag.records import permissions_from_json
from obsirag.splitters.measuring import CHARACTERS, Limits, MeasuredChunk
from obsirag.splitters.oversize import REASONS, oversize

__all__ = ["bar", "lengths_of"]


def bar(number: int, document: Document, chunk: MeasuredChunk, limits: Limits) -> str:
    """Return a chunk's bar.

    Args:
        number: The chunk's number, from 1.
        document: The chunk.
        chunk: Its length and place.
        limits: What it should keep to.
    """
    headings = "".join(f"<li><bdi>{as_text(heading)}</bdi></li>" for heading in chunk.headings)
    path = f'<ol class="headings">{headings}</ol>' if headings else ""
    badges = "".join(
        f'<span class="badge {kind}" title="{escape(title)}"><bdi>{as_text(text)}</bdi></span>'
        for kind, text, title in _badges(document, chunk, limits)
    )
    return (
        f'<header class="bar"><h2 id="number-{number}"><a href="#chunk-{number}" tabindex="-1">{number}</a></h2>'
        f'<span class="size">{lengths_of(chunk)}</span>'
        f"{badges}{path}</header>"
    )


def lengths_of(chunk: MeasuredChunk) -> str:
    """Return a chunk's length in words, in characters too if it is measured otherwise."""
    own = f"{chunk.characters:,} characters"
    return own if chunk.unit == CHARACTERS else f"{chunk.length:,} {as_text(chunk.unit)}, {own}"


def _badges(document: Document, chunk: MeasuredChunk, limits: Limits) -> Iterator[tuple[str, str, str]]:
    """Yield kind, text and explanation of what stands out about a chunk."""
    fields = document.metadata
    if chunk.line:
        last = fields.get("end_line")
        lines = f"{chunk.line}–{last}" if isinstance(last, int) and last > chunk.line else f"{chunk.line}"
        yield "lines", f"lines {lines}" if "–" in lines else f"line {lines}", "Lines of the note's file"
    if (over := oversize(document, chunk, limits)) is not None:
        kind = "hard" if over.limit_name == "max_chunk_size" else "soft"
        yield kind, f"over {over.limit_name} {over.limit:,}", f"{REASONS[over.reason]} ({', '.join(over.structures)})"
    if fields.get("overlap"):
        yield "repeats", f"repeats {fields['overlap']}", "Characters of the text before that this chunk repeats"
    if fields.get("is_partial"):
        yield "partial", "part", "It begins or ends inside a structure that is too large for one chunk"
    if fields.get("has_code"):
        languages = fields.get("code_languages")
        told = ", ".join(map(str, languages)) if isinstance(languages, (list, tuple)) else ""
        yield "has-code", told or "code", "It holds code"
    for path in _other_files(fields.get("source_spans"), chunk.path):
        yield "embedded", f"from {path}", "It holds text that the note embeds"
    for choice in permissions_from_json(fields.get("permissions")):
        yield "restricted", " or ".join(sorted(choice)), "Only those who have this label may read it"


def _other_files(spans: object, path: str) -> list[str]:
    """Return the files, each once, that a chunk's text comes from beside the note itself."""
    if not isinstance(spans, (list, tuple)):
        return []
    return [each for each in dict.fromkeys(str(span).rpartition("#L")[0] for span in spans) if each != path]
