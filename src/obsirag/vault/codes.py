"""The codes of everything that is noticed in a vault without stopping the run."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = [
    "AMBIGUOUS_NAME",
    "BAD_CANVAS",
    "BAD_FRONT_MATTER",
    "BROKEN_LINK",
    "DIAGNOSTIC_CODES",
    "DUPLICATE_NAME",
    "EMBED_CYCLE",
    "EMBED_LIMIT",
    "EMBED_NOT_INLINE",
    "HINT_CODES",
    "MALFORMED_EMBED",
    "MISSING_ATTACHMENT",
    "MISSING_BLOCK",
    "MISSING_HEADING",
    "MISSING_NOTE",
    "NAME_COLLISION",
    "NOT_LOADED",
    "ORIGINAL_CHANGED",
    "ORIGINAL_MISSING",
    "OUTSIDE_VAULT",
    "PARTLY_LOADED",
    "SLOW_LOADER",
    "UNCLOSED_COMMENT",
    "UNDECODABLE",
    "UNREADABLE",
    "UNREADABLE_NOTE_CODES",
]

AMBIGUOUS_NAME: Final = "ambiguous-name"
BAD_CANVAS: Final = "bad-canvas"
BAD_FRONT_MATTER: Final = "bad-front-matter"
BROKEN_LINK: Final = "broken-link"
DUPLICATE_NAME: Final = "duplicate-name"
EMBED_CYCLE: Final = "embed-cycle"
EMBED_LIMIT: Final = "embed-limit"
EMBED_NOT_INLINE: Final = "embed-not-inline"
MALFORMED_EMBED: Final = "malformed-embed"
MISSING_ATTACHMENT: Final = "missing-attachment"
MISSING_BLOCK: Final = "missing-block"
MISSING_HEADING: Final = "missing-heading"
MISSING_NOTE: Final = "missing-note"
NAME_COLLISION: Final = "name-collision"
NOT_LOADED: Final = "not-loaded"
ORIGINAL_CHANGED: Final = "original-changed"
ORIGINAL_MISSING: Final = "original-missing"
OUTSIDE_VAULT: Final = "outside-vault"
PARTLY_LOADED: Final = "partly-loaded"
SLOW_LOADER: Final = "slow-loader"
UNCLOSED_COMMENT: Final = "unclosed-comment"
UNDECODABLE: Final = "undecodable"
UNREADABLE: Final = "unreadable"

UNREADABLE_NOTE_CODES: Final = frozenset({BAD_CANVAS, NOT_LOADED, SLOW_LOADER, UNDECODABLE, UNREADABLE})
"""A note with one of these has no text that could be used: what is known of it from before should be kept."""

HINT_CODES: Final = frozenset({BROKEN_LINK, DUPLICATE_NAME})
"""What may well be meant so: links to notes that are still to be written, and one name in several folders."""

DIAGNOSTIC_CODES: Final[Mapping[str, str]] = MappingProxyType(
    {
        AMBIGUOUS_NAME: "Several notes have the name that a link gives; the nearest is used, then the shortest path.",
        BAD_CANVAS: "A canvas file is not the JSON that it should be; it has no text.",
        BAD_FRONT_MATTER: "The front matter is no YAML mapping; the note has no metadata, its text is kept.",
        BROKEN_LINK: "A plain link leads to no note, file, heading or block of the vault.",
        DUPLICATE_NAME: "Notes in several folders have the same name; it is told once, with all their paths.",
        EMBED_CYCLE: "An embed leads back to itself; a link stands in its place.",
        EMBED_LIMIT: "Embeds are nested too deep, are too many or grow too large; a link stands in this one's place.",
        EMBED_NOT_INLINE: "Several blocks are embedded where one line must do; a link stands in their place.",
        MALFORMED_EMBED: "An embed is written in a way that names nothing, e.g. `![[note^id]]` for `![[note#^id]]`.",
        MISSING_ATTACHMENT: "An embedded attachment is not in the vault.",
        MISSING_BLOCK: "The note of an embed has no block with this id; the embed stays as written.",
        MISSING_HEADING: "The note of an embed has no such heading; the embed stays as written.",
        MISSING_NOTE: "An embed names no note of the vault; it stays as written.",
        NAME_COLLISION: "Only case or Unicode form tells two files or folders apart: to many systems they are one.",
        NOT_LOADED: "The loader of a file failed, or gave something else than a text; the file has no text.",
        ORIGINAL_CHANGED: "A note from which a saved answer was made has changed since.",
        ORIGINAL_MISSING: "A note from which a saved answer was made is gone.",
        OUTSIDE_VAULT: "A link, embed or symbolic link leads out of the vault; it is not followed.",
        PARTLY_LOADED: "The loader of a file couldn't read all of it; the rest is there.",
        SLOW_LOADER: "The loader of a file took longer than `load_seconds`; the file has no text.",
        UNCLOSED_COMMENT: "A `%%` is never closed; what follows is kept as text.",
        UNDECODABLE: "A file is neither UTF-8 nor marked as UTF-16 or UTF-32, or holds a NUL; it is not read.",
        UNREADABLE: "The system refuses to read a file or a folder, or a symbolic link leads to nothing.",
    }
)
