"""Asking before a large part of an index goes: a disk that isn't mounted looks like notes that were deleted."""

from __future__ import annotations

from obsirag.catalogue import Catalogue
from obsirag.errors import CatalogueError
from obsirag.indexing.changes import Changes
from obsirag.indexing.preparing import VaultLike

__all__ = ["are_too_many", "check_deletions"]

SMALL_INDEX = 100
"""An index of fewer notes is soon made again, and nothing is asked."""

MOST_DELETED = 0.5
"""The part of its notes that may leave a larger index without being asked."""


def are_too_many(changes: Changes) -> bool:
    """Say whether so many notes are gone that it is more likely a mistake than a wish.

    As many as came are taken off: they may have been moved and changed.
    """
    known, gone = len(changes.paths), len(changes.deleted) - len(changes.added)
    return known >= SMALL_INDEX and gone > MOST_DELETED * known


def check_deletions(changes: Changes, vault: VaultLike, catalogue: Catalogue) -> None:
    """Make sure that no large part of the notes goes by mistake.

    Args:
        changes: How the vault differs from the catalogue.
        vault: The vault, for the message.
        catalogue: The catalogue, likewise.

    Raises:
        CatalogueError: If it would.
    """
    if are_too_many(changes):
        raise CatalogueError(
            f"{len(changes.deleted)} of the {len(changes.paths)} notes that the index {catalogue.folder} holds are no "
            f"longer in the vault {vault.root}. Is every part of it mounted and synchronised, and is the setting "
            "`ignore` right? The index was left as it is; if they are to go, index with allow_deletions=True "
            "(`obsirag index --allow-deletions`)."
        )
