"""What a vault has that the catalogue doesn't know yet."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import NamedTuple

from obsirag.catalogue import (
    Catalogue,
    FileState,
    KnownFile,
    KnownNote,
    aliases_of,
    dependents_of,
    encode,
    known_files,
    known_notes,
    notes_naming,
    stale_notes,
)
from obsirag.errors import VaultError
from obsirag.indexing.files import file_hash, file_state
from obsirag.indexing.names import name_of
from obsirag.indexing.preparing import VaultLike
from obsirag.records import Diagnostic
from obsirag.vault.walk import NOTE_SUFFIXES

__all__ = ["Changes", "Look", "SeenFile", "find_changes"]


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A note's file as it was found: its state before it was read, and the hash of its bytes."""

    state: FileState
    hash: str


class Look(NamedTuple):
    """A note to look at, with all that has to be known of it for that.

    Args:
        path: The note.
        seen: Its file as it was found.
        known: What the catalogue knows of it; None if it doesn't know it, or if that shall not count.
    """

    path: str
    seen: SeenFile
    known: KnownNote | None = None


@dataclass(slots=True)
class Changes:
    """How a vault differs from the catalogue.

    Args:
        paths: All notes that the catalogue knows.
        known: What it knows of those among them that are to be looked at or gone, by path.
        added: Files of notes that it doesn't know.
        changed: Files whose content is another one.
        touched: Files whose state is another one, but whose content is the same.
        affected: Known notes that may come out differently although their own file is as it was: by an embed, a link's
            target, or the settings.
        deleted: Known notes without a file.
        renamed: New path to old path, of added notes with the content of deleted ones.
        failed: Files that cannot be read.
        attachments: The vault's other files, as text, where they are others than before; else None.
    """

    paths: frozenset[str] = frozenset()
    known: dict[str, KnownNote] = field(default_factory=dict)
    added: dict[str, SeenFile] = field(default_factory=dict)
    changed: dict[str, SeenFile] = field(default_factory=dict)
    touched: dict[str, SeenFile] = field(default_factory=dict)
    affected: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    failed: list[Diagnostic] = field(default_factory=list)
    attachments: str | None = None

    def work(self) -> list[str]:
        """Return the paths of all notes to look at, sorted."""
        return sorted({*self.added, *self.changed, *self.affected})

    def look_at(self, path: str) -> Look:
        """Return what has to be known of one of these notes."""
        known = self.known.get(path)
        seen = self.added.get(path) or self.changed.get(path) or self.touched.get(path)
        if seen is None:
            known = self.known[path]
            seen = SeenFile(known.state, known.file_hash)
        return Look(path, seen, known)


def find_changes(vault: VaultLike, paths: Collection[str], catalogue: Catalogue, settings: str, full: bool) -> Changes:
    """Compare a vault with the catalogue; only files whose state changed are read.

    Args:
        vault: The vault.
        paths: Its notes.
        catalogue: The catalogue.
        settings: Name of the settings; a note made with others is affected.
        full: Whether to look at every note.
    """
    with catalogue.reading() as connection:
        files = known_files(connection)
        changes = Changes(frozenset(files))
        changes.affected = stale_notes(connection) & files.keys()
    changes.deleted = _gone(vault, files.keys() - set(paths), changes.failed)
    others = _others(changes, vault, paths, {} if full else files, settings)
    _load(changes, catalogue, {*others, *changes.deleted})
    for path, status in others.items():
        _compare(changes, vault, path, status, full, settings)
    changes.affected -= changes.deleted
    _pair_renames(changes)
    attachments = _compare_attachments(changes, vault, catalogue)
    if files and (changes.added or changes.changed or changes.deleted or attachments):
        _spread(changes, vault, catalogue, attachments)
    _load(changes, catalogue, changes.affected)
    return changes


def _load(changes: Changes, catalogue: Catalogue, paths: set[str]) -> None:
    """Read what the catalogue knows of notes, if that was not read yet."""
    wanted = (paths & changes.paths) - changes.known.keys()
    if wanted:
        with catalogue.reading() as connection:
            changes.known.update(known_notes(connection, wanted))


def _compare(changes: Changes, vault: VaultLike, path: str, status: os.stat_result, full: bool, settings: str) -> None:
    """Look into a file, and say what is to become of its note."""
    try:
        seen = SeenFile(file_state(status), file_hash(vault.read_bytes(path)))
    except (OSError, VaultError) as error:
        changes.failed.append(Diagnostic(path, 0, "unreadable", f"the file cannot be read: {error}"))
        return
    before = changes.known.get(path)
    if before is None:
        changes.added[path] = seen
    elif before.file_hash != seen.hash:
        changes.changed[path] = seen
    else:
        changes.touched[path] = seen
        if full or before.settings != settings:
            changes.affected.add(path)


def _compare_attachments(changes: Changes, vault: VaultLike, catalogue: Catalogue) -> set[str]:
    """Return the attachments that came or went: links and embeds may now mean others."""
    before, after = catalogue.meta("attachments") or "[]", encode(vault.attachments())
    if before == after:
        return set()
    changes.attachments = after
    return set(json.loads(before)) ^ set(json.loads(after))


def _gone(vault: VaultLike, missing: set[str], failed: list[Diagnostic]) -> set[str]:
    """Return those of the missing notes that were really removed, not those in a folder that cannot be read now."""
    unreadable = vault.unreadable_folders()
    hidden = {path for path in missing if unreadable and _in_unreadable_folder(path, unreadable)}
    failed += [
        Diagnostic(path, 0, "unreadable", "its folder cannot be read; what the index holds of the note stays")
        for path in hidden
    ]
    return missing - hidden


def _in_unreadable_folder(path: str, unreadable: Collection[str]) -> bool:
    return "" in unreadable or any(str(parent) in unreadable for parent in PurePosixPath(path).parents)


def _others(
    changes: Changes, vault: VaultLike, paths: Iterable[str], files: Mapping[str, KnownFile], settings: str
) -> dict[str, os.stat_result]:
    """Return the files that are not as they were, with their states now; of the rest, say who is affected."""
    others: dict[str, os.stat_result] = {}
    for path in paths:  # thousands, of which nothing but this is done in most runs
        try:
            now = vault.stat(path)
        except (OSError, VaultError) as error:
            changes.failed.append(Diagnostic(path, 0, "unreadable", f"the file cannot be looked at: {error}"))
            continue
        file = files.get(path)
        if file is None or file[1:5] != (now.st_size, now.st_mtime_ns, now.st_ctime_ns, now.st_ino):
            others[path] = now
        elif file[5] != settings:
            changes.affected.add(path)
    return others


def _pair_renames(changes: Changes) -> None:
    """Pair deleted notes with added ones of the same content, in order of their paths."""
    if not changes.deleted or not changes.added:
        return
    by_hash: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(changes.deleted, reverse=True):
        by_hash[changes.known[path].file_hash].append(path)
    for path in sorted(changes.added):
        old_paths = by_hash[changes.added[path].hash]
        if old_paths:
            changes.renamed[path] = old_paths.pop()


def _spread(changes: Changes, vault: VaultLike, catalogue: Catalogue, attachments: set[str]) -> None:
    """Add the notes that a change reaches through embeds and names.

    A name that came, went or changed its note may lead links elsewhere, so that every note that uses it is looked at,
    and every note that embeds one of those.
    """
    names = {name_of(path) for path in [*changes.added, *changes.deleted, *attachments]}
    with catalogue.reading() as connection:
        for path in [*changes.added, *changes.changed, *changes.deleted]:
            before = set(aliases_of(connection, path))
            after = set() if path in changes.deleted else set(_aliases(vault, path))
            names.update(name_of(alias) for alias in before ^ after)
        naming = notes_naming(connection, names - {""})
        reached = naming | dependents_of(connection, [*changes.added, *changes.changed, *changes.deleted, *naming])
    changes.affected |= (reached & changes.paths) - changes.deleted - changes.changed.keys()


def _aliases(vault: VaultLike, path: str) -> tuple[str, ...]:
    if not path.lower().endswith(NOTE_SUFFIXES):
        return ()  # what a loader reads has no other names, and shall be loaded once
    try:
        return vault.note(path).aliases
    except (VaultError, OSError):
        return ()  # reported when the note itself is prepared
