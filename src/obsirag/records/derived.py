"""Notes that were made from answers: how they are known, and from what they were made."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

__all__ = ["DERIVED", "Original", "is_derived", "originals_of"]

DERIVED = "obsirag"
"""What stands under ``derived`` in the front matter of such a note."""


class Original(NamedTuple):
    """A note from which another was made.

    Args:
        path: Its vault-relative path.
        sha256: The hash of its file as it was then, in hexadecimal digits; empty if nobody noted it.
    """

    path: str
    sha256: str


def is_derived(metadata: Mapping[Any, Any]) -> bool:
    """Say whether a note, or a chunk, was made from an answer, by its metadata."""
    return bool(metadata.get("derived") == DERIVED)


def originals_of(metadata: Mapping[Any, Any]) -> tuple[Original, ...]:
    """Return the notes from which a note was made, by its front matter or by a chunk's metadata.

    People may have edited it: what cannot be read is passed over.
    """
    stated = metadata.get("sources")
    if isinstance(stated, str):  # as chunks carry it
        try:
            stated = json.loads(stated)
        except ValueError:
            return ()
    entries = [each for each in stated if isinstance(each, Mapping)] if isinstance(stated, list) else []
    return tuple(
        Original(each["note"], str(each.get("sha256") or "")) for each in entries if isinstance(each.get("note"), str)
    )
