"""Marks that follow the notes which they are on."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path

from obsirag.errors import CatalogueError
from obsirag.feedback import FILE_NAME, MarksFile

__all__ = ["move_marks"]

_log = logging.getLogger(__name__)


def move_marks(folder: Path, renamed: Iterable[tuple[str, str]]) -> None:
    """Let the marks on notes that were renamed be marks on the notes of the new names.

    If that fails, the index is right all the same.

    Args:
        folder: The index folder.
        renamed: Old and new paths.
    """
    try:
        MarksFile(folder / FILE_NAME).rename(dict(renamed))
    except CatalogueError as error:
        _log.warning("marks on renamed notes stay on the old names: %s", error)
