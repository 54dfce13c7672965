"""One indexer at a time, and a lock that cannot be had is told as such."""

from __future__ import annotations

from pathlib import Path

import pytest

from obsirag.errors import CatalogueError
from obsirag.indexing import is_being_written, writer_lock
from obsirag.indexing.lock import LOCK_NAME


def test_a_lock_is_seen_and_given_back(tmp_path: Path) -> None:
    with writer_lock(tmp_path, 0):
        assert is_being_written(tmp_path)
        with pytest.raises(CatalogueError, match="Another run"), writer_lock(tmp_path, 0):
            pass
    assert not is_being_written(tmp_path)
    with writer_lock(tmp_path, 0):
        pass


def spoil(folder: Path, how: str) -> None:
    lock = folder / LOCK_NAME
    if how == "a folder":
        lock.mkdir()
    elif how == "another file":
        lock.write_text("no database " * 100)
    else:
        lock.symlink_to(folder / "gone" / LOCK_NAME)


@pytest.mark.parametrize("how", ["a folder", "another file", "a dead link"])
def test_what_cannot_be_locked_is_said(tmp_path: Path, how: str) -> None:
    spoil(tmp_path, how)
    assert not is_being_written(tmp_path)
    with pytest.raises(CatalogueError, match="cannot be locked"), writer_lock(tmp_path, 0):
        pass


def test_what_is_raised_under_the_lock_is_left_as_it_is(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), writer_lock(tmp_path, 0):
        raise KeyboardInterrupt
    assert not is_being_written(tmp_path)
