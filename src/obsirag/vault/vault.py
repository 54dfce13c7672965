"""The face of a vault."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Literal

from obsirag.errors import VaultError
from obsirag.records import Diagnostic, Loader, Note, RenderedNote
from obsirag.vault.checking import check
from obsirag.vault.describing import to_note
from obsirag.vault.graph import LinkGraph, build_link_graph
from obsirag.vault.ignoring import compile_ignore
from obsirag.vault.linking import Linker
from obsirag.vault.loading import Loaders
from obsirag.vault.names import NameIndex
from obsirag.vault.placeholders import holds_placeholder
from obsirag.vault.reader import SourceReader
from obsirag.vault.rendering import RenderOptions, render
from obsirag.vault.source import Source
from obsirag.vault.walk import NOTE_SUFFIXES, Listing, walk

__all__ = ["Vault"]

MAX_EMBED_DEPTH = 50


class Vault:
    """An Obsidian vault: its notes, what their links mean, and their text with embeds filled in.

    The files are looked up at the first use and again by each call of ``paths``; a note is read whenever it is
    asked for. Nothing outside the folder is ever read, unless ``follow_symlinks`` says so, and nothing in it is ever
    written.

    Args:
        root: The vault's folder.
        ignore: Which files and folders to leave out, in gitignore syntax; hidden ones always are.
        follow_symlinks: Whether files and folders outside count as part of the vault that symbolic links in it lead to.
        embed_heading: Whether an embedded section keeps its heading line, as Obsidian shows it.
        comments: What becomes of ``%%comments%%``.
        max_embed_depth: How deep embeds inside embeds are filled in, 0 to 50.
        max_rendered_chars: Up to how many characters a note's rendered text may grow by embeds.
        loaders: Read files that are no notes to Obsidian; those with their suffixes count as notes then. In links and
            embeds they are attachments all the same.
        load_seconds: How long a loader may take for one file.

    Raises:
        VaultError: If there is no such folder, or an option is wrong.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        *,
        ignore: Sequence[str] = (),
        follow_symlinks: bool = False,
        embed_heading: Literal["keep", "drop"] = "keep",
        comments: Literal["drop", "keep"] = "drop",
        max_embed_depth: int = 10,
        max_rendered_chars: int = 2_000_000,
        loaders: Sequence[Loader] = (),
        load_seconds: float = 120.0,
    ) -> None:
        folder = Path(root).expanduser()
        if not folder.is_dir():
            what = "is not a folder" if folder.exists() else "does not exist"
            raise VaultError(f"vault {folder} {what}; give the folder that holds the notes")
        for name, value in (("embed_heading", embed_heading), ("comments", comments)):
            if value not in ("keep", "drop"):
                raise VaultError(f"{name} is {value!r}, but must be 'keep' or 'drop'")
        if not 0 <= max_embed_depth <= MAX_EMBED_DEPTH:
            raise VaultError(f"max_embed_depth is {max_embed_depth}, but must be 0 to {MAX_EMBED_DEPTH}")
        self.root = folder.resolve()
        self._ignore = compile_ignore([ignore] if isinstance(ignore, str) else list(ignore))
        self._options = RenderOptions(embed_heading, comments, max_embed_depth, max_rendered_chars)
        self._follow_symlinks = follow_symlinks
        self._loaders = Loaders(loaders, load_seconds)
        self._reader = SourceReader(self.root, self._loaders)

    def paths(self) -> list[str]:
        """Return the vault-relative POSIX paths of all notes as they are now, sorted, in Unicode form NFC."""
        self._forget()
        return list(self._listing.notes)

    def attachments(self) -> list[str]:
        """Return the paths of all files that are no notes."""
        return list(self._listing.attachments)

    def unreadable_folders(self) -> frozenset[str]:
        """Return the folders whose notes are unknown, since they could not be listed; the vault's own is empty text."""
        return self._listing.unreadable_folders

    def file(self, path: str) -> Path:
        """Return where the note ``path`` lies on disk, whose spelling of accents may differ.

        Raises:
            VaultError: If the vault has no such note.
        """
        return self.root / self._name_on_disk(path)

    def stat(self, path: str) -> os.stat_result:
        """Return size, times and inode of the file of the note ``path``.

        Raises:
            VaultError: If the vault has no such note.
            OSError: If the file is gone or cannot be looked at.
        """
        # Called for each note of a run; a Path would take most of its time.
        return os.stat(f"{self.root}{os.sep}{self._name_on_disk(path)}")  # noqa: PTH116

    def read_bytes(self, path: str) -> bytes:
        """Return what the file of the note ``path`` holds.

        Raises:
            VaultError: If the vault has no such note.
            OSError: If it cannot be read, or something else stands in its place by now: a link, a pipe or a device.
        """
        name = self._name_on_disk(path)
        return self._reader.read_bytes(name, self._listing.elsewhere.get(name))

    def note(self, path: str) -> Note:
        """Return the note ``path``; one that cannot be read has no text, and ``diagnostics`` says why.

        Raises:
            VaultError: If the vault has no such note.
        """
        return to_note(self._read(path), self._linker)

    def resolve(self, target: str, *, source: str) -> str | None:
        """Return the path of the file that ``target`` means in the note ``source``; None if there is none.

        Args:
            target: A link's name or path, with or without ``[[ ]]``, subpath and alias.
            source: The note that the link stands in.
        """
        name = target.strip().removeprefix("!").removeprefix("[[").removesuffix("]]")
        name = name.split("|", 1)[0].removesuffix("\\")
        found = self._linker.resolve(name, source).path
        if found is None and "#" in name:
            found = self._linker.resolve(name.split("#", 1)[0], source).path
        return found

    def render(self, path: str) -> RenderedNote:
        """Return the note ``path`` as plain Markdown with its embeds filled in.

        Whatever the notes hold, this doesn't fail: what cannot be filled in stays, and the diagnostics say why. A note
        that cannot be read has no text and a diagnostic with a code of ``UNREADABLE_NOTE_CODES``.

        Raises:
            VaultError: If the vault has no such note.
        """
        return render(self._read(path), self._linker, self._options)

    @cached_property
    def links(self) -> LinkGraph:
        """The links between all notes, as they were when first asked for since the last call of ``paths``."""
        return build_link_graph(self.note(path) for path in self._listing.notes)

    @cached_property
    def diagnostics(self) -> list[Diagnostic]:
        """What is wrong in the vault, sorted; made by rendering all notes, when first asked for since ``paths``.

        Besides what rendering tells: plain links that lead nowhere, and names that clash.
        """
        return check(self._listing, self._linker, self._read, self.read_bytes, self._options)

    def _forget(self) -> None:
        for name in ("_listing", "_linker", "links", "diagnostics"):
            self.__dict__.pop(name, None)

    @cached_property
    def _listing(self) -> Listing:
        suffixes = (*NOTE_SUFFIXES, *self._loaders.suffixes)
        return walk(self.root, self._ignore, follow_symlinks=self._follow_symlinks, suffixes=suffixes)

    @cached_property
    def _linker(self) -> Linker:
        listing = self._listing
        names = NameIndex([*listing.notes, *listing.attachments], listing.shortcuts, self._read_aliases)
        # What a loader reads has its own place in an index; put into the notes that embed it, it would be there twice.
        return Linker(names, frozenset(listing.own_notes), self._read)

    def _read_aliases(self) -> dict[str, list[str]]:
        aliases: dict[str, list[str]] = {}
        for path in self._listing.own_notes:
            name = self._name_on_disk(path)
            for alias in self._reader.read_aliases(path, name, self._listing.elsewhere.get(name)):
                if not holds_placeholder(alias):  # in a template, where it names no note yet
                    aliases.setdefault(alias, []).append(path)
        return aliases

    def _read(self, path: str) -> Source:
        path = self._listed(path)
        name = self._listing.notes[path]
        return self._reader.read(path, name, self._listing.elsewhere.get(name))

    def _name_on_disk(self, path: str) -> str:
        return self._listing.notes[self._listed(path)]

    def _listed(self, path: str) -> str:
        """Return a note's path as ``paths`` has it, however it is spelt: what is said of a note names it in one way.

        Only what the walk has found can be named, so no path leads out.
        """
        notes = self._listing.notes
        if path in notes:
            return path
        found = next((each for each, on_disk in notes.items() if on_disk == path), None)
        if found is None:
            found = self._linker.resolve("/" + path, path).path
        if found is None or found not in notes:
            raise VaultError(f"no note {path!r} in vault {self.root}; give its path there, such as folder/note.md")
        return found
