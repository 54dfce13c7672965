"""A note as it was read from its file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from obsirag.records.loading import FilePart
from obsirag.records.permissions import PUBLIC, Permissions

__all__ = ["Link", "Note"]


@dataclass(frozen=True, slots=True)
class Link:
    """A wikilink, an embed or a Markdown link to a file of the vault.

    Args:
        target: The part that names the note, as written, without blanks around it; empty for a link into the same note.
        subpath: What follows the name, with its ``#``: ``#Heading``, ``#A#B``, ``#^block``; empty if nothing does.
        alias: The text after ``|``, or a Markdown link's text; None if there is none.
        line: 1-based line of the file.
        path: The vault-relative path it resolves to, None if it resolves to nothing.
        embed: Whether it is an embed, ``![[…]]``.
    """

    target: str
    subpath: str
    alias: str | None
    line: int
    path: str | None
    embed: bool


@dataclass(frozen=True, slots=True)
class Note:
    """A note, decoded, with its front matter read.

    Args:
        path: Vault-relative POSIX path.
        text: The decoded text after the front matter, character for character.
        first_line: 1-based line of the file on which ``text`` begins.
        metadata: The front matter; empty if there is none or it is invalid.
        title: The front matter's ``title``, else the first level-1 heading, else the file's stem.
        tags: Tags of front matter and text, without ``#``, in order of appearance.
        aliases: Other names, from the front matter.
        links: All links and embeds, those of the front matter first, in order.
        block_ids: The ids of blocks (``^id``), without ``^``, in order.
        permissions: Who may read it.
        parts: The parts of a file that a loader read, with offsets in ``text``.
    """

    path: str
    text: str
    first_line: int = 1
    metadata: Mapping[str, Any] = field(default_factory=dict)
    title: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    block_ids: tuple[str, ...] = ()
    permissions: Permissions = PUBLIC
    parts: tuple[FilePart, ...] = ()
