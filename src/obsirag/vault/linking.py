"""From the links in a note to the files they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from obsirag.markdown import LinkSpan
from obsirag.records import PUBLIC, Diagnostic, Link
from obsirag.vault.attachments import is_attachment_name
from obsirag.vault.codes import (
    AMBIGUOUS_NAME,
    MALFORMED_EMBED,
    MISSING_ATTACHMENT,
    MISSING_NOTE,
    OUTSIDE_VAULT,
    UNCLOSED_COMMENT,
)
from obsirag.vault.names import NameIndex, Resolution
from obsirag.vault.source import Source

__all__ = ["Embedded", "Linker", "quoted"]


class Embedded(NamedTuple):
    """What an embed means.

    Args:
        source: The note; None if it is no note, or none that exists.
        is_attachment: Whether it is a file that holds no text to fill in.
        diagnostic: What is to be said about it.
    """

    source: Source | None = None
    is_attachment: bool = False
    diagnostic: Diagnostic | None = None


class Linker:
    """Finds what the links of a vault's notes mean.

    Args:
        names: The names of the vault's files.
        notes: The paths that are notes.
        read: Reads a note.
    """

    def __init__(self, names: NameIndex, notes: Collection[str], read: Callable[[str], Source]) -> None:
        self._names = names
        self._notes = notes
        self._read = read
        self._resolved: dict[tuple[str, str], Resolution] = {}

    def resolve(self, target: str, source: str) -> Resolution:
        """Return the file that ``target`` means in the note ``source``."""
        if not target.strip():
            return Resolution(source)
        key = (target, source.rpartition("/")[0])  # a note's folder decides, not its name
        if key not in self._resolved:
            self._resolved[key] = self._names.resolve(target, source)
        return self._resolved[key]

    def links(self, source: Source) -> tuple[Link, ...]:
        """Return all links and embeds of a note, resolved."""
        return tuple(
            Link(
                target=link.target,
                subpath=link.subpath,
                alias=link.alias,
                line=line,
                path=self.resolve(link.target, source.path).path,
                embed=link.embed,
            )
            for line, link in source.all_links
        )

    def is_attachment(self, link: Link) -> bool:
        """Say whether a link leads to a file that is no note."""
        if link.path is not None:
            return link.path not in self._notes
        return is_attachment_name(link.target)

    def embedded(self, source: Source, link: LinkSpan) -> Embedded:
        """Return what an embed in ``source`` means."""
        path, code = self.resolve(link.target, source.path)
        line = source.line_at(link.start)
        if path in self._notes and path is not None:
            # An ambiguous name is told with all links of the note.
            ambiguous = _fault(source, line, link.target, code) if code else None
            return Embedded(source if path == source.path else self._read(path), diagnostic=ambiguous)
        if path is not None:
            return Embedded(is_attachment=True)
        if code is None:
            code = _missing_code(link.target)
        return Embedded(is_attachment=code == MISSING_ATTACHMENT, diagnostic=_fault(source, line, link.target, code))

    def faults(self, source: Source) -> Iterator[Diagnostic]:
        """Yield what is to be said about a note's own links and comments; missing embeds are found by rendering."""
        for line, link in source.all_links:
            _, code = self.resolve(link.target, source.path)
            if code is not None:
                yield _fault(source, line, link.target, code)
        for offset in _unclosed_comments(source):
            message = "a `%%` is never closed, so what follows it is no comment but text; close or escape it"
            yield Diagnostic(source.path, source.line_at(offset), UNCLOSED_COMMENT, message)


def _missing_code(target: str) -> str:
    if is_attachment_name(target):
        return MISSING_ATTACHMENT
    return MALFORMED_EMBED if "^" in target else MISSING_NOTE


def quoted(source: Source, words: str) -> str:
    """Return words of a note for a message; those of a restricted one are not told, since anyone may read messages."""
    return repr(words) if source.permissions == PUBLIC else "(restricted)"


def _fault(source: Source, line: int, target: str, code: str) -> Diagnostic:
    name = quoted(source, target)
    messages = {
        AMBIGUOUS_NAME: f"several notes are called {name}; write the path of the one that is meant",
        MALFORMED_EMBED: f"{name} names no note; a block is written with #^, as in [[note#^id]]",
        MISSING_ATTACHMENT: f"no file of the vault is called {name}",
        MISSING_NOTE: f"no note of the vault is called {name}; the embed stays as written",
        OUTSIDE_VAULT: f"{name} leads out of the vault and is not followed",
    }
    return Diagnostic(source.path, line, code, messages[code])


def _unclosed_comments(source: Source) -> Iterator[int]:
    """Yield where a ``%%`` stands in plain text."""
    if "%%" not in source.text:
        return
    known = iter(sorted([*source.literals, *source.comments]))
    start, end = next(known, (len(source.text),) * 2)
    for found in re.finditer("%%", source.text):
        while end <= found.start() and start < len(source.text):
            start, end = next(known, (len(source.text),) * 2)
        if not start <= found.start() < end:
            yield found.start()
