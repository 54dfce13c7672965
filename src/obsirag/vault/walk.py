"""Which files a vault has: one walk that never leaves it."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from pathspec import GitIgnoreSpec

from obsirag.errors import VaultError
from obsirag.records import Diagnostic
from obsirag.vault.codes import OUTSIDE_VAULT, UNREADABLE

__all__ = ["NOTE_SUFFIXES", "Listing", "compile_ignore", "walk"]

NOTE_SUFFIXES = (".md", ".canvas")

# How Python stands for the bytes of a file name that are no Unicode; nothing can store them as text.
_UNDECODABLE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a vault at one moment.

    Args:
        notes: The notes, by vault-relative POSIX path in Unicode form NFC, sorted; the value is the path on disk. In a
            name that isn't valid Unicode, each odd byte stands as U+FFFD and its two hexadecimal digits.
        attachments: All other files, likewise.
        shortcuts: Symbolic links to files of the vault, by their path; the value is the path of the file itself.
        diagnostics: What was noticed on the way.
    """

    notes: dict[str, str]
    attachments: dict[str, str]
    shortcuts: dict[str, str]
    diagnostics: tuple[Diagnostic, ...]


@dataclass(slots=True)
class _Finds:
    """Paths as they are on disk; of the links, with those they lead to."""

    notes: list[str] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def compile_ignore(patterns: Sequence[str]) -> GitIgnoreSpec:
    """Return ``patterns``, in gitignore syntax, ready for matching.

    Raises:
        VaultError: If a pattern cannot be read.
    """
    for pattern in patterns:
        try:
            GitIgnoreSpec.from_lines([pattern])
        except ValueError as error:
            raise VaultError(f"ignore pattern {pattern!r} is not valid gitignore syntax: {error}") from error
    return GitIgnoreSpec.from_lines(patterns)


def walk(root: Path, ignore: GitIgnoreSpec) -> Listing:
    """List the files below ``root``, leaving out hidden ones and those that ``ignore`` matches.

    Symbolic links are not walked: what they lead to is either found under its own path, hence once, or is no part of
    the vault. So a ring of links ends, too.

    Args:
        root: The vault's folder, resolved.
        ignore: What to leave out, see :func:`compile_ignore`.
    """
    finds = _Finds()
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            reason = error.strerror or "unknown reason"
            finds.diagnostics.append(
                Diagnostic(_normal(folder) or ".", 0, UNREADABLE, f"folder cannot be read: {reason}")
            )
            continue
        for entry in found:
            path = f"{folder}/{entry.name}" if folder else entry.name
            if not entry.name.startswith(".") and _take(root, entry, path, ignore, finds):
                folders.append(path)
    return _listing(finds)


def _take(root: Path, entry: os.DirEntry[str], path: str, ignore: GitIgnoreSpec, finds: _Finds) -> bool:
    """Note down one entry; return whether it is a folder to walk."""
    is_folder = entry.is_dir(follow_symlinks=False)
    if ignore.match_file(path + "/" if is_folder else path):
        return False
    if is_folder:
        return True
    if entry.is_symlink():
        _take_link(root, path, finds)
    elif entry.is_file(follow_symlinks=False):  # neither pipes nor devices, which would block the reader
        (finds.notes if path.lower().endswith(NOTE_SUFFIXES) else finds.attachments).append(path)
    return False


def _take_link(root: Path, path: str, finds: _Finds) -> None:
    resolved = os.path.realpath(root / path)
    try:
        target = Path(resolved).relative_to(root).as_posix()
    except ValueError:
        message = "symbolic link leads out of the vault and is not followed"
        finds.diagnostics.append(Diagnostic(_normal(path), 0, OUTSIDE_VAULT, message))
        return
    finds.links[path] = target


def _listing(finds: _Finds) -> Listing:
    notes, attachments = _named(finds.notes), _named(finds.attachments)
    names = {path: name for files in (notes, attachments) for name, path in files.items()}
    shortcuts: dict[str, str] = {}
    for path, target in finds.links.items():
        name = names.get(target, _normal(target))  # some systems find a file by another Unicode form of its name
        if name in notes or name in attachments:
            shortcuts[_normal(path)] = name
    return Listing(notes, attachments, shortcuts, diagnostics=tuple(sorted(finds.diagnostics)))


def _named(paths: Iterable[str]) -> dict[str, str]:
    """Return the paths by names that can be stored, each its own, sorted.

    Where several would have one name, the file that is written so keeps it, and those that aren't valid Unicode come
    last.
    """
    names: dict[str, str] = {}
    others: list[tuple[bool, bool, str]] = []
    for path in paths:
        if path.isascii():
            names[path] = path
        else:
            others.append((_UNDECODABLE.search(path) is not None, path != _normal(path), path))
    for undecodable, _, path in sorted(others):
        name = next(name for name in _candidates(path, undecodable) if name not in names)
        names[name] = path
    return dict(sorted(names.items()))


def _candidates(path: str, undecodable: bool) -> Iterator[str]:
    yield _normal(path)
    if not undecodable:
        yield path
        return
    for marks in count(2):
        yield _normal(path, marks)


def _normal(path: str, marks: int = 1) -> str:
    """Return ``path`` in Unicode form NFC, with ``marks`` U+FFFD before the digits of each byte that is no Unicode."""
    readable = _UNDECODABLE.sub(lambda found: _REPLACEMENT * marks + f"{ord(found.group()) & 0xFF:02X}", path)
    return unicodedata.normalize("NFC", readable)
