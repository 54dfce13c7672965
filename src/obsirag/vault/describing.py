"""What is known of a note besides its text."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from obsirag.records import Link, Note
from obsirag.vault.linking import Linker, ResolvedLink
from obsirag.vault.source import Source

__all__ = ["describe", "to_note"]


def describe(source: Source, links: Iterable[ResolvedLink], linker: Linker) -> dict[str, Any]:
    """Return a note's metadata: its front matter with title, tags, aliases, links and attachments.

    ``links`` are the notes that it links to or embeds, ``attachments`` the other files: paths, or what is written where
    no file is found; each once, in order.
    """
    notes: dict[str, None] = {}
    attachments: dict[str, None] = {}
    for _, link, path, _ in links:
        if link.target:
            (attachments if linker.is_attachment(link.target, path) else notes)[path or link.target] = None
    own = {f"note.{name}": source.metadata[name] for name in ("links", "attachments") if name in source.metadata}
    return {
        **source.metadata,
        **own,
        "title": source.title,
        "tags": list(source.tags),
        "aliases": list(source.aliases),
        "links": list(notes),
        "attachments": list(attachments),
    }


def to_note(source: Source, linker: Linker) -> Note:
    """Return a note as data."""
    return Note(
        path=source.path,
        text=source.text,
        first_line=source.first_line,
        metadata=source.metadata,
        title=source.title,
        tags=source.tags,
        aliases=source.aliases,
        links=tuple(
            Link(link.target, link.subpath, link.alias, line, path, link.embed)
            for line, link, path, _ in linker.resolved(source)
        ),
        block_ids=tuple(each.id for each in source.block_ids),
        permissions=source.permissions,
        parts=source.parts,
    )
