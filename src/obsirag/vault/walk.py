"""Which files a vault has: one walk that leaves it only where it may."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pathspec import GitIgnoreSpec

from obsirag.records import Diagnostic
from obsirag.vault.codes import OUTSIDE_VAULT, UNREADABLE
from obsirag.vault.storable_names import stored_names, to_storable

__all__ = ["NOTE_SUFFIXES", "Listing", "walk"]

NOTE_SUFFIXES = (".md", ".canvas")


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a vault at one moment.

    Args:
        notes: The notes, by vault-relative POSIX path in Unicode form NFC, sorted; the value is the path on disk. In a
            name that isn't valid Unicode, each odd byte stands as U+FFFD and its two hexadecimal digits.
        attachments: All other files, likewise.
        shortcuts: Symbolic links to files of the vault, by their path; the value is the path of the file itself.
        diagnostics: What was noticed on the way.
        elsewhere: Where the files really lie that were found by following links out of the vault, by path on disk.
        unreadable_folders: The folders that could not be listed, and links to nothing that may have been folders; the
            vault's own folder is an empty text.
    """

    notes: dict[str, str]
    attachments: dict[str, str]
    shortcuts: dict[str, str]
    diagnostics: tuple[Diagnostic, ...]
    elsewhere: Mapping[str, str] = field(default_factory=dict)
    unreadable_folders: frozenset[str] = frozenset()

    @property
    def own_notes(self) -> list[str]:
        """The notes that are such to Obsidian too, without the files that loaders read."""
        return [path for path in self.notes if path.lower().endswith(NOTE_SUFFIXES)]


def walk(
    root: Path, ignore: GitIgnoreSpec, *, follow_symlinks: bool = False, suffixes: tuple[str, ...] = NOTE_SUFFIXES
) -> Listing:
    """List the files below ``root``, leaving out hidden ones and those that ``ignore`` matches.

    Each file is found once. One that lies in the vault is found under its own path only, whatever links lead to it;
    what the vault leaves out stays out. So a ring of links ends, too.

    Args:
        root: The vault's folder, resolved.
        ignore: What to leave out, see ``obsirag.vault.ignoring.compile_ignore``.
        follow_symlinks: Whether files and folders outside count that symbolic links lead to, under the link's path.
            Otherwise such links are told and not followed.
        suffixes: The ends of the names of notes, in lower case.
    """
    found = _Walk(root, ignore, follow_symlinks, suffixes)
    while found.folders:
        found.list_folder(*found.folders.popleft())
    return found.listing()


@dataclass(slots=True)
class _Walk:
    """A walk so far; paths are as they are on disk."""

    root: Path
    ignore: GitIgnoreSpec
    follow: bool
    suffixes: tuple[str, ...]
    # With each, where it really lies if that is outside.
    folders: deque[tuple[str, str | None]] = field(default_factory=lambda: deque([("", None)]))
    files: dict[str, str | None] = field(default_factory=dict)
    links_inside: dict[str, str] = field(default_factory=dict)
    links_outside: dict[str, str] = field(default_factory=dict)
    outside_folders: set[str] = field(default_factory=set)
    unreadable: set[str] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def list_folder(self, folder: str, real: str | None) -> None:
        try:
            with os.scandir(self.root / folder) as entries:
                found = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.unreadable.add(to_storable(folder))
            reason = error.strerror or "unknown reason"
            self._tell(folder, UNREADABLE, f"folder cannot be read: {reason}")
            return
        for entry in found:
            if not entry.name.startswith("."):
                path = f"{folder}/{entry.name}" if folder else entry.name
                try:
                    self._take(entry, path, real and f"{real.rstrip(os.sep)}{os.sep}{entry.name}")
                except OSError as error:
                    self._tell(path, UNREADABLE, f"cannot be looked at: {error.strerror or 'unknown reason'}")

    def _take(self, entry: os.DirEntry[str], path: str, real: str | None) -> None:
        is_folder = entry.is_dir(follow_symlinks=False)
        if self._is_ignored(path, is_folder):
            return
        if is_folder:
            self._take_folder(path, real)
        elif entry.is_symlink():
            self._take_link(path)
        elif entry.is_file(follow_symlinks=False):  # neither pipes nor devices, which would block the reader
            self.files[path] = real

    def _take_folder(self, path: str, real: str | None) -> None:
        if real is not None:
            if self._in_vault(real) is not None or real in self.outside_folders:
                return
            self.outside_folders.add(real)
        self.folders.append((path, real))

    def _take_link(self, path: str) -> None:
        real = os.path.realpath(self.root / path)
        inside = self._in_vault(real)
        is_folder = os.path.isdir(real)  # noqa: PTH112 - pathlib's raises where it may not look
        if is_folder and self._is_ignored(path, is_folder):
            return
        if inside is None and not self.follow:
            message = "symbolic link leads out of the vault and is not followed, unless `follow_symlinks` is set"
            self._tell(path, OUTSIDE_VAULT, message)
        elif is_folder:
            if inside is None:
                self._take_folder(path, real)
        elif not os.path.exists(real):  # noqa: PTH110 - the same
            if self.follow:
                self.unreadable.add(to_storable(path))  # perhaps a folder on a disk that isn't there now
            self._tell(path, UNREADABLE, "symbolic link leads to nothing that can be reached; mend or remove it")
        elif inside is not None:
            self.links_inside[path] = inside
        elif os.path.isfile(real):  # noqa: PTH113 - the same
            self.links_outside[path] = real

    def _is_ignored(self, path: str, is_folder: bool) -> bool:
        name = to_storable(path)
        return self.ignore.match_file(f"{name}/" if is_folder else name)

    def _in_vault(self, real: str) -> str | None:
        """Return the vault-relative POSIX path of what really lies in the vault; None if it lies outside."""
        try:
            return Path(real).relative_to(self.root).as_posix()
        except ValueError:
            return None

    def _tell(self, path: str, code: str, message: str) -> None:
        self.diagnostics.append(Diagnostic(to_storable(path) or ".", 0, code, message))

    def listing(self) -> Listing:
        links = dict(self.links_inside)
        elsewhere = {path: real for path, real in self.files.items() if real is not None}
        paths = {real: path for path, real in elsewhere.items()}
        for path, real in sorted(self.links_outside.items()):
            if real in paths:
                links[path] = paths[real]
            else:
                self.files[path] = elsewhere[path] = real
                paths[real] = path
        notes = stored_names(path for path in self.files if path.lower().endswith(self.suffixes))
        attachments = stored_names(path for path in self.files if not path.lower().endswith(self.suffixes))
        names = {path: name for files in (notes, attachments) for name, path in files.items()}
        shortcuts: dict[str, str] = {}
        for path, target in links.items():
            name = names.get(target, to_storable(target))  # some systems find a file by another form of its name
            if name in notes or name in attachments:
                shortcuts[to_storable(path)] = name
        return Listing(
            notes,
            attachments,
            shortcuts,
            tuple(sorted(self.diagnostics)),
            elsewhere,
            frozenset(self.unreadable),
        )
