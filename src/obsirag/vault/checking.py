"""The check of a whole vault."""

from __future__ import annotations

from collections.abc import Callable

from obsirag.records import Diagnostic
from obsirag.vault.broken_links import LinkChecker
from obsirag.vault.clashing_names import find_collisions, find_duplicate_names
from obsirag.vault.linking import Linker
from obsirag.vault.originals import find_changed_originals
from obsirag.vault.rendering import RenderOptions, render
from obsirag.vault.source import Source
from obsirag.vault.walk import Listing

__all__ = ["check"]


def check(
    listing: Listing,
    linker: Linker,
    read: Callable[[str], Source],
    read_bytes: Callable[[str], bytes],
    options: RenderOptions,
) -> list[Diagnostic]:
    """Return what is wrong in a vault, sorted.

    That is what rendering tells of each note, broken links, names that clash, and saved answers whose originals have
    changed.

    Args:
        listing: The vault's files.
        linker: Finds what links mean.
        read: Reads a note.
        read_bytes: Reads the file of a note.
        options: How notes are rendered.
    """
    files = [*listing.notes, *listing.attachments]
    found = {*listing.diagnostics, *find_duplicate_names(listing.own_notes), *find_collisions(files)}
    links = LinkChecker(linker, frozenset(listing.own_notes), files)
    for path in listing.notes:
        source = read(path)
        found.update(render(source, linker, options).diagnostics)
        found.update(links.look_at(source))
        found.update(find_changed_originals(source, listing.notes.keys(), read_bytes))
    found.update(links.missing_parts(read))
    return sorted(found)
