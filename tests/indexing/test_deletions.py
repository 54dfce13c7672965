"""A vault that looks as if most of it were gone does not cost an index."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from index_worlds import World
from obsirag.errors import CatalogueError, VaultError
from obsirag.vault import Vault

SIZE = 120


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    for number in range(SIZE):
        world.write(f"{'disk' if number % 3 else 'here'}/{number}.md", f"text {number}")
    world.sync()
    return world


def test_very_many_deletions_need_consent(world: World) -> None:
    before = world.state()
    for path in (world.vault / "disk").iterdir():
        path.unlink()
    with pytest.raises(CatalogueError, match=r"80 of the 120 .*allow-deletions"):
        world.sync()
    assert world.state() == before
    assert len(world.sync(allow_deletions=True).deleted) == 80
    assert world.catalogue.note_count() == 40


@pytest.mark.parametrize("full", [False, True])
def test_half_of_the_notes_may_go_and_a_small_index_may_lose_all_but_one(world: World, full: bool) -> None:
    for path in sorted((world.vault / "disk").iterdir())[:60]:
        path.unlink()
    assert len(world.sync(full=full).deleted) == 60
    for path in (world.vault / "disk").iterdir():
        path.unlink()
    for path in sorted((world.vault / "here").iterdir())[1:]:
        path.unlink()
    assert len(world.sync(full=full, allow_deletions=True).deleted) == 59


def test_moving_everything_needs_no_consent(world: World) -> None:
    (world.vault / "disk").rename(world.vault / "moved")
    assert len(world.sync().renamed) == 80


def test_a_vault_whose_folder_became_a_file_leaves_the_index(world: World, tmp_path: Path) -> None:
    before = world.state()
    world.vault.rename(tmp_path / "away")
    world.vault.write_text("a file")
    with pytest.raises(VaultError, match="not a folder"):
        world.sync()
    assert world.state() == before


def test_a_vault_that_may_not_be_listed_leaves_the_index(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    before = world.state()

    def refuse(_: object) -> object:
        raise PermissionError(13, "Permission denied")  # the tests may run as root, to whom no folder is closed

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", refuse)
        with pytest.raises(CatalogueError, match="no notes"):
            world.sync()
    assert world.state() == before


def test_notes_that_cannot_be_read_stay_and_are_told(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    class HalfReadable(Vault):
        def stat(self, path: str) -> os.stat_result:
            if path.startswith("disk/"):
                raise PermissionError(13, "Permission denied")
            return super().stat(path)

    report = world.sync(vault=HalfReadable(world.vault))
    assert (len(report.failed), report.deleted, world.catalogue.note_count()) == (80, (), SIZE)
    assert "disk/1.md" in world.sources("text 1")
