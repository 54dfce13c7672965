"""What Word, PowerPoint and Excel files have in common: they are zip files with XML in them."""

from __future__ import annotations

import zipfile
from pathlib import Path

from obsirag.errors import VaultError
from obsirag.loaders.limits import MEBIBYTE, Limits

__all__ = ["require_sound"]

_MOST_ENTRIES = 20_000
_OLD_OR_ENCRYPTED = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_LOOKED_AT = 2048


def require_sound(path: Path, main: str, kind: str, limits: Limits) -> None:
    """Refuse a file that is no such zip file, that unpacks to too much, or whose XML defines entities.

    Args:
        path: The file.
        main: The folder that such a file has: ``word``.
        kind: What it should be, in words: ``Word file``.
        limits: What it may cost.

    Raises:
        VaultError: If it is refused.
    """
    with path.open("rb") as file:
        if file.read(8) == _OLD_OR_ENCRYPTED:
            raise VaultError(f"this is a {kind} with a password, or one of before 2007; save it without, as a new one")
    try:
        with zipfile.ZipFile(path) as packed:
            entries = packed.infolist()
            if not any(entry.filename.startswith(f"{main}/") for entry in entries):
                raise VaultError(f"this is no {kind}; is its name wrong?")
            _require_bounded(entries, limits)
            for entry in entries:
                if entry.filename.lower().endswith((".xml", ".rels")):
                    _require_plain(packed, entry)
    except (zipfile.BadZipFile, NotImplementedError, EOFError, RuntimeError) as error:
        raise VaultError(f"this is no {kind}, or it is broken; is its name wrong?") from error


def _require_bounded(entries: list[zipfile.ZipInfo], limits: Limits) -> None:
    # Reading stops at the size that an entry declares, so that a false one doesn't get past this.
    size = sum(entry.file_size for entry in entries)
    if size > limits.unpacked_size * MEBIBYTE or len(entries) > _MOST_ENTRIES:
        raise VaultError(
            f"it unpacks to {size // MEBIBYTE:,} MiB in {len(entries):,} files, more than `unpacked_size` "
            f"({limits.unpacked_size:,} MiB) or {_MOST_ENTRIES:,} files"
        )


def _require_plain(packed: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
    with packed.open(entry) as part:
        head = part.read(_LOOKED_AT).replace(b"\0", b"")  # of UTF-16 too
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise VaultError("its XML declares a document type, which no such file needs; it is not read")
