"""Reading a vault's notes from disk."""

from __future__ import annotations

import os
from collections import OrderedDict
from pathlib import Path

from obsirag.errors import VaultError
from obsirag.markdown import split_front_matter
from obsirag.records import PUBLIC, Diagnostic, count_line_ends
from obsirag.vault.canvas import lay_out_canvas
from obsirag.vault.codes import BAD_CANVAS, BAD_FRONT_MATTER, UNDECODABLE, UNREADABLE
from obsirag.vault.decoding import decode
from obsirag.vault.opening import read_elsewhere, read_inside, require_file
from obsirag.vault.properties import (
    UNREADABLE_PERMISSIONS,
    aliases_in,
    goes_on_as_front_matter,
    meant_as_front_matter,
    read_front_matter,
)
from obsirag.vault.property_links import links_in
from obsirag.vault.source import Source, is_internal

__all__ = ["SourceReader", "parse_source"]

_KEPT = 512


class SourceReader:
    """Reads notes, keeping the last few as long as their files stay as they are.

    Args:
        root: The vault's folder, resolved.
    """

    def __init__(self, root: Path) -> None:
        self._root = f"{root}"
        self._inside = self._root.rstrip(os.sep) + os.sep
        self._kept: OrderedDict[str, tuple[tuple[int, ...], Source]] = OrderedDict()

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
            source = parse_source(path, self.read_bytes(name_on_disk, elsewhere))
        except OSError as error:
            return _unreadable(path, UNREADABLE, f"file cannot be read: {error.strerror or type(error).__name__}")
        self._kept[path] = (signature, source)
        if len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
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
