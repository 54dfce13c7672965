"""The files that a vector store keeps in the index folder."""

from __future__ import annotations

import json
import os
from pathlib import Path

from obsirag.catalogue import Catalogue, write_meta

__all__ = ["PASSING", "StoreFiles"]

PASSING = ("-wal", "-shm", "-journal")
"""How the names of files end that SQLite has beside a database while it is used."""


class StoreFiles:
    """Remembers which entries of the index folder the store made, and their files' sizes.

    By these it is seen without opening the store that its files are as they were. Their times say nothing: some stores
    touch their files when they are only read.

    Args:
        catalogue: The index's catalogue, in whose folder the files lie.
        name: A name for the store, of those that are told apart.
    """

    def __init__(self, catalogue: Catalogue, name: str = "store") -> None:
        self._catalogue = catalogue
        self._own, self._before, self._known = f"{name}_entries", f"entries_before_{name}", f"{name}_sizes"

    def names(self) -> list[str]:
        """Return the names of the entries of the index folder that the store made."""
        return list(json.loads(self._catalogue.meta(self._own) or "[]"))

    @property
    def is_first_opening(self) -> bool:
        """Whether no store of this index was opened before."""
        return self._catalogue.meta(self._own) is None

    def before_opening(self) -> None:
        """Note what lies in the folder before a store is opened there first, unless a run that died has done so."""
        if self._catalogue.meta(self._before) is None:
            self._write(self._before, sorted(self._entries()))

    def after_opening(self) -> None:
        """Note as the store's own what came with its opening."""
        before = self._catalogue.meta(self._before)
        if before is None:
            return
        with self._catalogue.writing() as connection:
            came = self._entries() - set(json.loads(before))
            write_meta(connection, self._own, json.dumps(sorted(came.union(self.names()))))
            write_meta(connection, self._before, None)

    def are_unchanged(self) -> bool:
        """Say whether the store has files here, and they are as they were; False for one that keeps them elsewhere."""
        known = json.loads(self._catalogue.meta(self._known) or "{}")
        return bool(known) and known == self._sizes()

    def have_gone(self) -> bool:
        """Say whether files that the last run left are missing; those that a database only has while it is used aside.

        The store itself may not notice: what it finds is then a part of what it lists.
        """
        known = json.loads(self._catalogue.meta(self._known) or "{}")
        return any(not name.endswith(PASSING) for name in known.keys() - self._sizes().keys())

    def remember(self) -> None:
        """Remember the files as they are now."""
        sizes = self._sizes()
        if json.loads(self._catalogue.meta(self._known) or "{}") != sizes:
            self._write(self._known, sizes)

    def _sizes(self) -> dict[str, int]:
        folder = self._catalogue.folder
        return {
            Path(file).relative_to(folder).as_posix(): os.stat(file).st_size  # noqa: PTH116 - os.walk gives texts
            for name in self.names()
            for file in _files_below(folder / name)
        }

    def _entries(self) -> set[str]:
        return {entry.name for entry in self._catalogue.folder.iterdir() if entry.is_dir()}

    def _write(self, key: str, value: object) -> None:
        with self._catalogue.writing() as connection:
            write_meta(connection, key, json.dumps(value))


def _files_below(folder: Path) -> list[str]:
    return [os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names]  # noqa: PTH118
