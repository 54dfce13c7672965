"""What a vault has that the catalogue doesn't know yet."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from obsirag.catalogue import (
    Catalogue,
    FileState,
    KnownNote,
    aliases_of,
    dependents_of,
    encode,
    known_notes,
    notes_naming,
    stale_notes,
)
from obsirag.errors import VaultError
from obsirag.indexing.files import file_hash, file_state
from obsirag.indexing.names import name_of
from obsirag.indexing.preparing import VaultLike
from obsirag.records import Diagnostic

__all__ = ["Changes", "SeenFile", "find_changes"]


@dataclass(frozen=True, slots=True)
class SeenFile:
    """A note's file as it was found: its state before it was read, and the hash of its bytes."""

    state: FileState
    hash: str


@dataclass(slots=True)
class Changes:
    """How a vault differs from the catalogue.

    Args:
        known: What the catalogue knows, by path.
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

    known: dict[str, KnownNote]
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
        changes = Changes(known_notes(connection))
        changes.affected = stale_notes(connection) & changes.known.keys()
    known = changes.known
    gone = _gone(vault, known.keys() - set(paths), changes.failed)
    for path, before, status in _looked_at(vault, paths, known, changes.failed):
        if before is not None and not full and _same_state(before, status):
            if before.settings != settings:
                changes.affected.add(path)
            continue
        try:
            seen = SeenFile(file_state(status), file_hash(vault.read_bytes(path)))
        except (OSError, VaultError) as error:
            changes.failed.append(Diagnostic(path, 0, "unreadable", f"the file cannot be read: {error}"))
            continue
        if before is None:
            changes.added[path] = seen
        elif before.file_hash != seen.hash:
            changes.changed[path] = seen
        else:
            changes.touched[path] = seen
            if full or before.settings != settings:
                changes.affected.add(path)
    changes.deleted = gone
    changes.affected -= gone
    _pair_renames(changes)
    attachments = _compare_attachments(changes, vault, catalogue)
    if known and (changes.added or changes.changed or changes.deleted or attachments):
        _spread(changes, vault, catalogue, attachments)
    return changes


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


def _looked_at(
    vault: VaultLike, paths: Iterable[str], known: Mapping[str, KnownNote], failed: list[Diagnostic]
) -> Iterator[tuple[str, KnownNote | None, os.stat_result]]:
    for path in paths:
        try:
            status = vault.stat(path)
        except (OSError, VaultError) as error:
            failed.append(Diagnostic(path, 0, "unreadable", f"the file cannot be looked at: {error}"))
            continue
        yield path, known.get(path), status


def _same_state(known: KnownNote, status: os.stat_result) -> bool:
    return (
        known.mtime_ns == status.st_mtime_ns
        and known.size == status.st_size
        and known.ctime_ns == status.st_ctime_ns
        and known.inode == status.st_ino
    )


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
    changes.affected |= (reached & changes.known.keys()) - changes.deleted - changes.changed.keys()


def _aliases(vault: VaultLike, path: str) -> tuple[str, ...]:
    try:
        return vault.note(path).aliases
    except (VaultError, OSError):
        return ()  # reported when the note itself is prepared
