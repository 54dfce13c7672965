"""Names of files in one form, which can be stored as text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import count

__all__ = ["stored_names", "to_storable"]

# How Python stands for the bytes of a file name that are no Unicode; nothing can store them as text.
_UNDECODABLE = re.compile("[\ud800-\udfff]")
_REPLACEMENT = "\ufffd"


def stored_names(paths: Iterable[str]) -> dict[str, str]:
    """Return the paths by names that can be stored, each its own, sorted.

    Where several would have one name, the file that is written so keeps it, and those that aren't valid Unicode come
    last.
    """
    names: dict[str, str] = {}
    others: list[tuple[bool, bool, str]] = []
    for path in paths:
        if path.isascii():
            names[path] = path
        else:
            others.append((_UNDECODABLE.search(path) is not None, path != to_storable(path), path))
    for undecodable, _, path in sorted(others):
        name = next(name for name in _candidates(path, undecodable) if name not in names)
        names[name] = path
    return dict(sorted(names.items()))


def _candidates(path: str, undecodable: bool) -> Iterator[str]:
    yield to_storable(path)
    if not undecodable:
        yield path
        return
    for marks in count(2):
        yield to_storable(path, marks)


def to_storable(path: str, marks: int = 1) -> str:
    """Return ``path`` in Unicode form NFC, with ``marks`` U+FFFD before the digits of each byte that is no Unicode."""
    readable = _UNDECODABLE.sub(lambda found: _REPLACEMENT * marks + f"{ord(found.group()) & 0xFF:02X}", path)
    return unicodedata.normalize("NFC", readable)
