"""Links that open what a citation names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import quote

__all__ = ["NOWHERE", "link_to", "obsidian_link", "opens_source"]

NOWHERE = "review"
"""The source of a passage that a person added without saying where it stands."""

_WEB = ("http://", "https://")
_PAGE = re.compile(r"page (\d+)")
_NOTE = "obsidian://open?"


def link_to(source: str, *, vault: str, headings: Sequence[str] = (), part: str = "") -> str:
    """Return the link that opens ``source``: itself if an address, else one for Obsidian; empty if it has none."""
    if source == NOWHERE:
        return ""
    if source.startswith(_WEB):
        return source
    return obsidian_link(source, vault=vault, headings=headings, part=part)


def obsidian_link(path: str, *, vault: str, headings: Sequence[str] = (), part: str = "") -> str:
    """Return the ``obsidian://open`` address of a note, at its last heading, or a PDF file at a page.

    Args:
        path: Vault-relative path.
        vault: The vault's name, which is its folder's.
        headings: The headings above the place, outermost first.
        part: The part of the file, such as ``page 3``.
    """
    file = path.removesuffix(".md")
    # Obsidian cannot find a heading that holds its own separators as written.
    subpath = "#" + headings[-1] if headings and path.endswith(".md") and not set(headings[-1]) & set("#|^[]") else ""
    if path.lower().endswith(".pdf") and (page := _PAGE.fullmatch(part)):
        subpath = f"#page={page[1]}"
    return f"{_NOTE}vault={_quoted(vault)}&file={_quoted(file + subpath)}"


def opens_source(link: str) -> bool:
    """Say whether a link is one that a citation may have, and does nothing but open a note or a page."""
    return link.startswith((*_WEB, _NOTE))


def _quoted(text: str) -> str:
    """Return ``text`` for an address; what is half of a character, as file names may hold, is a question mark."""
    return quote(text, safe="", errors="replace")
