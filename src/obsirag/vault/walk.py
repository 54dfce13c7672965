"""Which files a vault has: one walk that never leaves it."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pathspec import GitIgnoreSpec

from obsirag.errors import VaultError
from obsirag.records import Diagnostic
from obsirag.vault.codes import OUTSIDE_VAULT, UNREADABLE

__all__ = ["NOTE_SUFFIXES", "Listing", "compile_ignore", "walk"]

NOTE_SUFFIXES = (".md", ".canvas")


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a vault at one moment.

    Args:
        notes: The notes, by vault-relative POSIX path in Unicode form NFC, sorted; the value is the path on disk.
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
    notes: dict[str, str] = field(default_factory=dict)
    attachments: dict[str, str] = field(default_factory=dict)
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
            finds.diagnostics.append(Diagnostic(folder or ".", 0, UNREADABLE, f"folder cannot be read: {reason}"))
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
        _add(finds.notes if path.lower().endswith(NOTE_SUFFIXES) else finds.attachments, path)
    return False


def _take_link(root: Path, path: str, finds: _Finds) -> None:
    resolved = os.path.realpath(root / path)
    try:
        target = Path(resolved).relative_to(root).as_posix()
    except ValueError:
        message = "symbolic link leads out of the vault and is not followed"
        finds.diagnostics.append(Diagnostic(_normal(path), 0, OUTSIDE_VAULT, message))
        return
    finds.links[_normal(path)] = _normal(target)


def _add(files: dict[str, str], path: str) -> None:
    """Add a file under its normal form, or as it is where another file has that form; the one written so keeps it."""
    normal = _normal(path)
    if normal not in files:
        files[normal] = path
    elif path == normal:
        files[files[normal]], files[normal] = files[normal], path
    else:
        files[path] = path


def _normal(path: str) -> str:
    # A name that isn't valid Unicode reaches us with surrogates; they are replaced, so that every path can be stored.
    return unicodedata.normalize("NFC", path.encode("utf-8", "replace").decode("utf-8"))


def _listing(finds: _Finds) -> Listing:
    known = finds.notes.keys() | finds.attachments.keys()
    shortcuts = {path: target for path, target in finds.links.items() if target in known}
    return Listing(
        notes=dict(sorted(finds.notes.items())),
        attachments=dict(sorted(finds.attachments.items())),
        shortcuts=shortcuts,
        diagnostics=tuple(sorted(finds.diagnostics)),
    )
