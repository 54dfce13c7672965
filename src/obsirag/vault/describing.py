"""What is known of a note besides its text."""

from __future__ import annotations

from typing import Any

from obsirag.records import Note
from obsirag.vault.linking import Linker
from obsirag.vault.source import Source

__all__ = ["describe", "to_note"]


def describe(source: Source, linker: Linker) -> dict[str, Any]:
    """Return a note's metadata: its front matter with title, tags, aliases, links and attachments.

    ``links`` are the notes that it links to or embeds, ``attachments`` the other files: paths, or what is written where
    no file is found; each once, in order.
    """
    links = [link for link in linker.links(source) if link.target]
    attachments = {link.path or link.target: None for link in links if linker.is_attachment(link)}
    notes = {link.path or link.target: None for link in links if not linker.is_attachment(link)}
    return {
        **source.metadata,
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
        links=linker.links(source),
        block_ids=tuple(each.id for each in source.block_ids),
        permissions=source.permissions,
    )
