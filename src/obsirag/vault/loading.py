"""Files that are no notes, read by loaders: which loader reads which file, and what it gives, checked."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from obsirag.errors import VaultError
from obsirag.records import FilePart, LoadedFile, Loader
from obsirag.vault.decoding import storable
from obsirag.vault.walk import NOTE_SUFFIXES

__all__ = ["Loaders", "LoadingTimeoutError"]

_DEEPEST = 20


class LoadingTimeoutError(Exception):
    """A loader took too long."""


class Loaders:
    """The loaders of a vault.

    Args:
        loaders: The loaders.
        seconds: How long one may take for a file.

    Raises:
        VaultError: If one has no suffixes, or those of notes, or two read files of the same.
    """

    def __init__(self, loaders: Sequence[Loader], seconds: float) -> None:
        self._seconds = seconds
        self._by_suffix: dict[str, Loader] = {}
        for loader in loaders:
            for suffix in _suffixes_of(loader):
                other = self._by_suffix.setdefault(suffix, loader)
                if other is not loader:
                    raise VaultError(f"two loaders read {suffix} files: {_name(other)} and {_name(loader)}")

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The ends of the names of the files that are read by loaders."""
        return tuple(self._by_suffix)

    def loader_of(self, path: str) -> Loader | None:
        """Return who reads a file; None if no loader does. The longest suffix decides."""
        if not self._by_suffix:
            return None
        name = path.lower()
        fitting = [suffix for suffix in self._by_suffix if name.endswith(suffix)]
        return self._by_suffix[max(fitting, key=len)] if fitting else None

    def load(self, loader: Loader, file: Path) -> LoadedFile:
        """Return what a loader makes of a file, with nothing in it that a note couldn't hold.

        A loader that takes too long is not waited for; it cannot be stopped.

        Raises:
            LoadingTimeoutError: If it takes too long.
            VaultError: If it gives something else than a file's text.
            BaseException: What it raises.
        """
        outcome: list[Any] = []

        def run() -> None:
            try:
                outcome[:] = [loader.load(file), None]
            except BaseException as error:  # noqa: BLE001 - raised where it is waited for
                outcome[:] = [None, error]

        thread = threading.Thread(target=run, name=f"loading {file.name}", daemon=True)
        thread.start()
        thread.join(self._seconds)
        if not outcome:
            raise LoadingTimeoutError
        if outcome[1] is not None:
            raise outcome[1]
        return _checked(outcome[0])


def _suffixes_of(loader: Loader) -> list[str]:
    given: Any = getattr(loader, "suffixes", None)
    if not isinstance(given, Collection) or isinstance(given, str) or not given:
        raise VaultError(f"the loader {_name(loader)} has no `suffixes`, such as ['.txt']")
    for suffix in given:
        is_suffix = isinstance(suffix, str) and suffix.startswith(".") and len(suffix) > 1
        if not is_suffix or suffix != suffix.lower() or "/" in suffix:
            raise VaultError(f"the loader {_name(loader)} has the suffix {suffix!r}: one is in lower case, like '.txt'")
        if suffix.endswith(NOTE_SUFFIXES):
            raise VaultError(f"the loader {_name(loader)} has the suffix {suffix!r}, but such files are notes already")
    return list(given)


def _name(loader: object) -> str:
    return str(getattr(loader, "origin", "") or type(loader).__qualname__)


def _checked(loaded: Any) -> LoadedFile:
    if not isinstance(loaded, LoadedFile):
        raise VaultError(f"the loader gave a {type(loaded).__name__} instead of a LoadedFile")
    if not isinstance(loaded.text, str):
        raise VaultError(f"the loader gave a {type(loaded.text).__name__} for the text")
    metadata = _plain(loaded.metadata, 0)
    if not isinstance(metadata, dict):
        raise VaultError(f"the loader gave a {type(loaded.metadata).__name__} for the metadata")
    findings = loaded.findings
    if not isinstance(findings, tuple | list) or not all(isinstance(each, str) for each in findings):
        raise VaultError("the loader gave findings that are no texts")
    text = storable(loaded.text)
    return LoadedFile(text, metadata, _parts(loaded.parts, len(text)), tuple(map(storable, findings)))


def _parts(given: Any, length: int) -> tuple[FilePart, ...]:
    if not isinstance(given, tuple | list) or not all(isinstance(each, FilePart) for each in given):
        raise VaultError("the loader gave parts that are no FilePart")
    before = 0
    for each in given:
        start: Any = each.start
        if not isinstance(start, int) or isinstance(start, bool) or not isinstance(each.name, str):
            raise VaultError("the loader gave a part without a place or a name")
        if not before <= start <= length:
            raise VaultError(f"the loader gave parts out of order or of the text: one at {start}, after {before}")
        before = start
    return tuple(FilePart(each.start, storable(each.name)) for each in given)


def _plain(value: Any, depth: int) -> Any:
    """Return a value of metadata as front matter could hold it."""
    if depth > _DEEPEST:
        raise VaultError("the loader gave metadata that lies too deep in itself")
    if value is None or isinstance(value, bool | int | float | date):
        return value
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, Mapping):
        return {storable(str(key)): _plain(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(each, depth + 1) for each in value]
    raise VaultError(f"the loader gave metadata of the kind {type(value).__name__}, which no front matter holds")
