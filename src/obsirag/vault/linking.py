"""From the links in a note to the files they mean."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from obsirag.markdown import LinkSpan
from obsirag.records import PUBLIC, Diagnostic
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
from obsirag.vault.placeholders import holds_placeholder
from obsirag.vault.source import Source

__all__ = ["Embedded", "Linker", "ResolvedLink", "quoted"]

_MOST_TOLD = 3
_MOST_LOOKED_AT = 20


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


class ResolvedLink(NamedTuple):
    """A link or embed of a note, and what it means.

    Args:
        line: 1-based line of the file.
        span: The link.
        path: The file that it means; None if there is none.
        code: As in ``Resolution``.
    """

    line: int
    span: LinkSpan
    path: str | None
    code: str | None


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
        self._hints: dict[str, str] = {}

    def resolve(self, target: str, source: str) -> Resolution:
        """Return the file that ``target`` means in the note ``source``."""
        return self._resolve_in(source.rpartition("/")[0], target, source)

    def resolved(self, source: Source) -> list[ResolvedLink]:
        """Return all links and embeds of a note with what they mean."""
        folder = source.path.rpartition("/")[0]
        return [
            ResolvedLink(line, link, *self._resolve_in(folder, link.target, source.path))
            for line, link in source.all_links
        ]

    def _resolve_in(self, folder: str, target: str, source: str) -> Resolution:
        if not target or target.isspace():
            return Resolution(source)
        key = (target, folder)  # a note's folder decides, not its name
        found = self._resolved.get(key)
        if found is None:
            found = self._resolved[key] = self._names.resolve(target, source)
        return found

    def is_attachment(self, target: str, path: str | None) -> bool:
        """Say whether a link to ``target``, which resolves to ``path``, leads to a file that is no note."""
        return is_attachment_name(target) if path is None else path not in self._notes

    def embedded(self, source: Source, link: LinkSpan) -> Embedded:
        """Return what an embed in ``source`` means."""
        path, code = self.resolve(link.target, source.path)
        line = source.line_at(link.start)
        if path in self._notes and path is not None:
            # An ambiguous name is told with all links of the note.
            ambiguous = self._fault(source, line, link.target, code) if code else None
            return Embedded(source if path == source.path else self._read(path), diagnostic=ambiguous)
        if path is not None:
            return Embedded(is_attachment=True)
        if holds_placeholder(link.target):
            return Embedded()  # what it will embed isn't known yet
        if code is None:
            code = _missing_code(link.target)
        fault = self._fault(source, line, link.target, code)
        return Embedded(is_attachment=code == MISSING_ATTACHMENT, diagnostic=fault)

    def faults(self, source: Source, links: Iterable[ResolvedLink]) -> Iterator[Diagnostic]:
        """Yield what is to be said about a note's own links and comments; missing embeds are found by rendering."""
        for line, link, path, code in links:
            if code is not None and (path is not None or not holds_placeholder(link.target)):
                yield self._fault(source, line, link.target, code)
        for offset in source.unclosed_comments():
            message = "a `%%` is never closed, so what follows it is no comment but text; close or escape it"
            yield Diagnostic(source.path, source.line_at(offset), UNCLOSED_COMMENT, message)

    def _fault(self, source: Source, line: int, target: str, code: str) -> Diagnostic:
        name = quoted(source, target)
        messages = {
            AMBIGUOUS_NAME: f"several notes are called {name}; write the path of the one that is meant",
            MALFORMED_EMBED: f"{name} names no note; a block is written with #^, as in [[note#^id]]",
            MISSING_ATTACHMENT: f"no file of the vault is called {name}; add it, or mend the name",
            MISSING_NOTE: f"no note of the vault is called {name}; the embed stays as written",
            OUTSIDE_VAULT: f"{name} leads out of the vault and is not followed",
        }
        hint = self._examples(source, target) if code == AMBIGUOUS_NAME else ""
        return Diagnostic(source.path, line, code, messages[code] + hint)

    def _examples(self, source: Source, target: str) -> str:
        """Return the paths that an ambiguous name may stand for, but for those that not everybody may know."""
        if source.permissions != PUBLIC:
            return ""
        if target not in self._hints:
            few = self._names.called(target)[:_MOST_LOOKED_AT]
            told = [path for path in few if path not in self._notes or self._read(path).permissions == PUBLIC]
            self._hints[target] = f", such as {' or '.join(map(repr, told[:_MOST_TOLD]))}" if told else ""
        return self._hints[target]


def _missing_code(target: str) -> str:
    if is_attachment_name(target):
        return MISSING_ATTACHMENT
    return MALFORMED_EMBED if "^" in target else MISSING_NOTE


def quoted(source: Source, words: str) -> str:
    """Return words of a note for a message; those of a restricted one are not told, since anyone may read messages."""
    return repr(words) if source.permissions == PUBLIC else "(restricted)"
