"""Notes made from answers whose originals are no longer what they were."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from hashlib import sha256

from obsirag.records import Diagnostic, is_derived, originals_of
from obsirag.vault.codes import ORIGINAL_CHANGED, ORIGINAL_MISSING
from obsirag.vault.source import Source

__all__ = ["find_changed_originals"]


def find_changed_originals(
    source: Source, notes: Collection[str], read_bytes: Callable[[str], bytes]
) -> Iterator[Diagnostic]:
    """Yield a finding for each original of a note made from an answer that has changed since, or is gone.

    Args:
        source: The note.
        notes: The paths of all notes of the vault.
        read_bytes: Reads the file of a note.
    """
    if not is_derived(source.metadata):
        return
    for original in originals_of(source.metadata):
        if original.path not in notes:
            message = f"{original.path!r}, from which this answer was made, is gone; ask again, or remove this note"
            yield Diagnostic(source.path, 0, ORIGINAL_MISSING, message)
        elif original.sha256 and _hash(original.path, read_bytes) != original.sha256:
            message = f"{original.path!r} has changed since this answer was made from it; ask again, or look it through"
            yield Diagnostic(source.path, 0, ORIGINAL_CHANGED, message)


def _hash(path: str, read_bytes: Callable[[str], bytes]) -> str:
    try:
        return sha256(read_bytes(path)).hexdigest()
    except OSError:
        return ""
