"""Plain links that lead nowhere; missing embeds are found by rendering."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from obsirag.markdown import LinkSpan
from obsirag.records import Diagnostic
from obsirag.vault.attachments import is_attachment_name
from obsirag.vault.codes import BROKEN_LINK, MISSING_ATTACHMENT
from obsirag.vault.linking import Linker, ResolvedLink, quoted
from obsirag.vault.placeholders import holds_placeholder
from obsirag.vault.source import Source
from obsirag.vault.subpaths import find_part

__all__ = ["LinkChecker"]

_NO_WORDS = re.compile(r"[^\w\- ]+")
_HTML_ANCHOR = re.compile(r"<[^<>]*?\s(?:id|name)\s*=\s*[\"']?([^\"'\s<>]+)", re.IGNORECASE)


class _Wanted(NamedTuple):
    """A link to a part of a note, and what is to be said if that part isn't there."""

    subpath: str
    is_wiki: bool
    fault: Diagnostic


class LinkChecker:
    """Finds the links of a vault's notes that lead nowhere.

    What links want of a note is kept until all notes have been looked at, so that each is read once for all links.

    Args:
        linker: Finds what links mean.
        notes: The paths that are notes.
        files: The paths of all files.
    """

    def __init__(self, linker: Linker, notes: Collection[str], files: Collection[str]) -> None:
        self._linker = linker
        self._notes = notes
        self._folders = _folders_of(files)
        self._wanted: dict[str, list[_Wanted]] = {}

    def look_at(self, source: Source) -> Iterator[Diagnostic]:
        """Yield what is to be said at once about the links of a note."""
        in_properties = len(source.property_links)
        for index, link in enumerate(self._linker.resolved(source)):
            if index < in_properties or not (link.span.embed and link.span.wiki):
                yield from self._look_at_link(source, link)

    def missing_parts(self, read: Callable[[str], Source]) -> Iterator[Diagnostic]:
        """Yield what is to be said about links to headings and blocks, of all notes that were looked at."""
        for path, wanted in sorted(self._wanted.items()):
            target = read(path)
            if not target.is_readable:
                continue
            anchors: frozenset[str] | None = None
            for each in wanted:
                if not isinstance(find_part(target, each.subpath), str):
                    continue
                if not each.is_wiki:
                    anchors = _anchors_in(target) if anchors is None else anchors
                    if each.subpath.lstrip("#").casefold() in anchors:
                        continue
                yield each.fault

    def _look_at_link(self, source: Source, resolved: ResolvedLink) -> Iterator[Diagnostic]:
        line, link, path, code = resolved
        if holds_placeholder(link.target + link.subpath):
            return  # what it will lead to isn't known yet
        if path is None:
            if code is None and not self._is_folder(link, source):
                yield _missing(source, line, link)
        elif link.subpath.strip("# ") and path in self._notes:
            fault = Diagnostic(source.path, line, BROKEN_LINK, _no_part(source, link))
            self._wanted.setdefault(path, []).append(_Wanted(link.subpath, link.wiki, fault))

    def _is_folder(self, link: LinkSpan, source: Source) -> bool:
        """Say whether a Markdown link leads to a folder, as those of the web may."""
        target = link.target.strip()
        if link.wiki or not target:
            return False
        start = "" if target.startswith("/") else source.path.rpartition("/")[0]
        return posixpath.normpath(posixpath.join(start, target.lstrip("/"))).casefold() in self._folders


def _folders_of(files: Collection[str]) -> frozenset[str]:
    folders = {"."}
    for path in files:
        folder = path.rpartition("/")[0]
        while folder and folder.casefold() not in folders:
            folders.add(folder.casefold())
            folder = folder.rpartition("/")[0]
    return frozenset(folders)


def _missing(source: Source, line: int, link: LinkSpan) -> Diagnostic:
    name = quoted(source, link.target)
    if link.embed and is_attachment_name(link.target):
        message = f"no file of the vault is called {name}; add it, or mend the name"
        return Diagnostic(source.path, line, MISSING_ATTACHMENT, message)
    return Diagnostic(source.path, line, BROKEN_LINK, f"no note or file of the vault is called {name}")


def _no_part(source: Source, link: LinkSpan) -> str:
    kind = "block" if "#^" in link.subpath.replace(" ", "") else "heading"
    note = "this note" if not link.target else f"the note {quoted(source, link.target)}"
    return f"{note} has no {kind} {quoted(source, link.subpath)}"


def _anchors_in(target: Source) -> frozenset[str]:
    """Return the names by which pages on the web link to the headings of a note, and its own HTML anchors."""
    anchors = {found.casefold() for found in _HTML_ANCHOR.findall(target.text)}
    seen: dict[str, int] = {}
    for block in target.blocks:
        if block.kind == "heading":
            name = _NO_WORDS.sub("", block.info.strip()).replace(" ", "-").casefold()
            # Of equal headings, the second and later ones have a number.
            anchors.add(f"{name}-{seen[name]}" if name in seen else name)
            seen[name] = seen.get(name, 0) + 1
    return frozenset(anchors)
