"""Files whose names get in each other's way."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator

from obsirag.records import Diagnostic
from obsirag.vault.codes import DUPLICATE_NAME, NAME_COLLISION

__all__ = ["find_collisions", "find_duplicate_names"]


def find_duplicate_names(notes: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield one finding for each name that notes in several folders have, with all their paths.

    Args:
        notes: The vault-relative paths of the notes.
    """
    by_name: dict[str, list[str]] = {}
    for path in notes:
        by_name.setdefault(_link_name(path), []).append(path)
    for paths in by_name.values():
        # What differs in its spelling only is a collision instead.
        if len({_same_file(path) for path in paths}) > 1:
            first, *others = sorted(paths)
            message = f"{len(paths)} notes have this name, so links need their paths; the others: {', '.join(others)}"
            yield Diagnostic(first, 0, DUPLICATE_NAME, message)


def find_collisions(files: Iterable[str]) -> Iterator[Diagnostic]:
    """Yield one finding for each set of files or folders that some systems take for one.

    Args:
        files: The vault-relative paths of all files.
    """
    groups: dict[str, set[str]] = {}
    for path in dict.fromkeys(each for file in files for each in _with_folders(file)):
        folder, _, name = path.rpartition("/")
        groups.setdefault(f"{_same_file(folder)}/{_same_file(name)}", set()).add(path)
    for paths in groups.values():
        if len({path.rpartition("/")[2] for path in paths}) > 1:
            together = ", ".join(map(_spelt, sorted(paths)))
            message = f"only case or Unicode form tells these apart, which not all systems do: {together}; rename them"
            yield Diagnostic(min(paths), 0, NAME_COLLISION, message)


def _with_folders(path: str) -> Iterator[str]:
    while path:
        yield path
        path = path.rpartition("/")[0]


def _link_name(path: str) -> str:
    """Return a note's name as links give it, for comparing."""
    name = _normal(path.rpartition("/")[2], str.casefold)
    return name.removesuffix(".md")


def _same_file(path: str) -> str:
    # Lower case, not case folding: no file system takes "ß" for "ss".
    return _normal(path, str.lower)


def _normal(name: str, fold: Callable[[str], str]) -> str:
    return unicodedata.normalize("NFC", fold(unicodedata.normalize("NFC", name)))


def _spelt(path: str) -> str:
    """Return a path so that a difference in Unicode form can be seen."""
    return path if path == unicodedata.normalize("NFC", path) else ascii(path)
