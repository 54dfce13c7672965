"""Reading a vault's notes from disk."""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path

from obsirag.errors import VaultError, reason_of
from obsirag.markdown import split_front_matter
from obsirag.records import PUBLIC, Diagnostic, FilePart, LoadedFile, Loader, count_line_ends, merge_permissions
from obsirag.vault.canvas import lay_out_canvas
from obsirag.vault.codes import (
    BAD_CANVAS,
    BAD_FRONT_MATTER,
    NOT_LOADED,
    PARTLY_LOADED,
    SLOW_LOADER,
    UNDECODABLE,
    UNREADABLE,
)
from obsirag.vault.decoding import decode
from obsirag.vault.loading import Loaders, LoadingTimeoutError
from obsirag.vault.opening import read_elsewhere, read_inside, require_file, require_same
from obsirag.vault.properties import (
    UNREADABLE_PERMISSIONS,
    aliases_in,
    goes_on_as_front_matter,
    meant_as_front_matter,
    read_front_matter,
    stated_permissions,
)
from obsirag.vault.property_links import links_in
from obsirag.vault.source import Source, is_internal

__all__ = ["SourceReader", "parse_source"]

_KEPT = 512
_KEPT_CHARACTERS = 20_000_000  # what loaders read may be books
_MOST_FINDINGS = 20


class SourceReader:
    """Reads notes, keeping the last few as long as their files stay as they are.

    Args:
        root: The vault's folder, resolved.
        loaders: Read the files that are no notes.
    """

    def __init__(self, root: Path, loaders: Loaders) -> None:
        self._loaders = loaders
        self._root = f"{root}"
        self._inside = self._root.rstrip(os.sep) + os.sep
        self._kept: OrderedDict[str, tuple[tuple[int, ...], Source]] = OrderedDict()
        self._characters = 0

    def read(self, path: str, name_on_disk: str, elsewhere: str | None = None) -> Source:
        """Return a note; one that cannot be read has no text and a diagnostic that says so.

        Args:
            path: Its path.
            name_on_disk: The path of its file as the system has it, below the vault's folder.
            elsewhere: Where the file really lies, if a link that may be followed leads out of the vault.
        """
        file = self._inside + name_on_disk
        try:
            signature = _signature(file)
            kept = self._kept.get(path)
            if kept is not None and kept[0] == signature:
                self._kept.move_to_end(path)
                return kept[1]
            loader = self._loaders.loader_of(name_on_disk)
            if loader is None:
                source = parse_source(path, self.read_bytes(name_on_disk, elsewhere))
            else:
                source = self._load(loader, path, file, elsewhere or file)
        except OSError as error:
            return _unreadable(path, UNREADABLE, f"file cannot be read: {error.strerror or type(error).__name__}")
        self._keep(path, signature, source)
        return source

    def read_aliases(self, path: str, name_on_disk: str, elsewhere: str | None = None) -> tuple[str, ...]:
        """Return a note's aliases, none if it cannot be read; nothing else of it is looked at.

        Args:
            path: As for ``read``.
            name_on_disk: Likewise.
            elsewhere: Likewise.
        """
        if path in self._kept:
            return self.read(path, name_on_disk, elsewhere).aliases
        file = self._inside + name_on_disk
        try:
            _signature(file)
            text = decode(self.read_bytes(name_on_disk, elsewhere))
        except (OSError, UnicodeDecodeError):
            return ()
        yaml_text, _ = split_front_matter(text)
        # Most notes have none, and YAML is slow. In what isn't ASCII a key may hold characters that nobody sees.
        if not yaml_text or (yaml_text.isascii() and "alias" not in yaml_text.lower()):
            return ()
        return aliases_in(read_front_matter(yaml_text).metadata)

    def read_bytes(self, name_on_disk: str, elsewhere: str | None = None) -> bytes:
        """Return what a note's file holds.

        Args:
            name_on_disk: As for ``read``.
            elsewhere: Likewise.

        Raises:
            OSError: If it cannot be read, or something else stands in its place by now: a link, a pipe or a device.
        """
        if elsewhere is None:
            return read_inside(self._root, name_on_disk)
        return read_elsewhere(self._inside + name_on_disk, elsewhere)

    def _keep(self, path: str, signature: tuple[int, ...], source: Source) -> None:
        before = self._kept.pop(path, None)
        self._kept[path] = (signature, source)
        self._characters += len(source.text) - (len(before[1].text) if before else 0)
        while len(self._kept) > _KEPT or (self._characters > _KEPT_CHARACTERS and len(self._kept) > 1):
            _, (_, oldest) = self._kept.popitem(last=False)
            self._characters -= len(oldest.text)

    def _load(self, loader: Loader, path: str, file: str, real: str) -> Source:
        require_same(file, real)
        try:
            loaded = self._loaders.load(loader, Path(real))
        except LoadingTimeoutError:
            return _unreadable(
                path, SLOW_LOADER, "its loader took too long; raise `load_seconds`, or leave the file out"
            )
        except VaultError as error:
            return _unreadable(path, NOT_LOADED, str(error))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - anybody's code, whose fault costs this file
            return _unreadable(path, NOT_LOADED, f"its loader failed: {reason_of(error)}")
        require_same(file, real)  # a link that was put in its place meanwhile may have led out
        return parse_loaded(path, loaded)


def parse_source(path: str, data: bytes) -> Source:
    """Return the note that the bytes of the file ``path`` hold."""
    try:
        text = decode(data)
    except UnicodeDecodeError as error:
        message = f"not valid {error.encoding} at byte {error.start} ({error.reason}); save the file as UTF-8"
        return _unreadable(path, UNDECODABLE, message)
    if path.lower().endswith(".canvas"):
        return _parse_canvas(path, text)
    return _parse_markdown(path, text)


def _parse_markdown(path: str, text: str) -> Source:
    yaml_text, offset = split_front_matter(text)
    front_matter = read_front_matter(yaml_text)
    permissions, fault = front_matter.permissions, front_matter.fault
    if yaml_text is None and meant_as_front_matter(text):
        permissions = UNREADABLE_PERMISSIONS
        fault = "never closed by `---`, or not at the file's very start"
    elif fault and goes_on_as_front_matter(text[offset:]):
        permissions = UNREADABLE_PERMISSIONS
    diagnostics: tuple[Diagnostic, ...] = ()
    if fault:
        hidden = "" if permissions == PUBLIC else "; the note is hidden, since it mentions permissions"
        message = f"front matter cannot be read ({fault}){hidden}; mend it"
        diagnostics = (Diagnostic(path, 1 + front_matter.fault_line, BAD_FRONT_MATTER, message),)
    links = links_in(front_matter.metadata, yaml_text) if yaml_text and front_matter.metadata else []
    return Source(
        path,
        text[offset:],
        first_line=1 + count_line_ends(text, 0, offset),
        metadata=front_matter.metadata,
        permissions=permissions,
        diagnostics=diagnostics,
        property_links=[each for each in links if is_internal(each.span)],
    )


def parse_loaded(path: str, loaded: LoadedFile) -> Source:
    """Return what a loader made of the file ``path``, whose text is read as that of a note."""
    note = _parse_markdown(path, loaded.text)
    permissions = merge_permissions(note.permissions, stated_permissions(loaded.metadata))
    findings = [*loaded.findings[:_MOST_FINDINGS]]
    if len(loaded.findings) > _MOST_FINDINGS:
        findings.append(f"and {len(loaded.findings) - _MOST_FINDINGS} more")
    if findings and permissions != PUBLIC:
        findings = ["not all of it could be read; what is not told, since not everybody may read the file"]
    offset = len(loaded.text) - len(note.text)
    return Source(
        path,
        note.text,
        first_line=note.first_line,
        metadata={**note.metadata, **loaded.metadata},
        permissions=permissions,
        diagnostics=(*note.diagnostics, *(Diagnostic(path, 0, PARTLY_LOADED, each) for each in findings)),
        property_links=note.property_links,
        parts=tuple(FilePart(max(0, each.start - offset), each.name) for each in loaded.parts),
        is_loaded=True,
    )


def _parse_canvas(path: str, text: str) -> Source:
    try:
        laid_out, origins = lay_out_canvas(text)
    except VaultError as error:
        return _unreadable(path, BAD_CANVAS, str(error))
    return Source(path, laid_out, origins=origins)


def _unreadable(path: str, code: str, message: str) -> Source:
    return Source(path, "", diagnostics=(Diagnostic(path, 0, code, message),))


def _signature(file: str) -> tuple[int, ...]:
    status = os.stat(file)  # noqa: PTH116 - called for each note of a run; a Path would take most of its time
    require_file(status)
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino, status.st_dev
