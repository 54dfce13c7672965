import os
from pathlib import Path

import pytest

from index_worlds import World
from obsirag.vault import Vault

ODD_NAMES = [b"\xd6\xd0.md", b"\xce\xc4.md", b"\xff.md", b"\xfe\xff/\xff.md", "\u212a.md".encode()]


def write_bytes_named(root: Path, name: bytes, text: str) -> None:
    file = root / os.fsdecode(name)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    except OSError:
        pytest.skip("this file system takes no such name")


@pytest.mark.parametrize("names", [ODD_NAMES[:1], ODD_NAMES])
def test_files_of_any_name_are_indexed_and_known_again(tmp_path: Path, names: list[bytes]) -> None:
    world = World(tmp_path)
    world.write("plain.md", "lion fact")
    for number, name in enumerate(names):
        write_bytes_named(world.vault, name, f"zebra fact {number}")
    first = world.sync()
    assert (len(first.added), first.failed) == (len(names) + 1, ())
    second = world.sync()
    assert (len(second.unchanged), second.added, second.changed, second.failed) == (len(names) + 1, (), (), ())
    write_bytes_named(world.vault, names[0], "giraffe fact")
    assert len(world.sync().changed) == 1
    (world.vault / os.fsdecode(names[0])).unlink()
    assert len(world.sync().deleted) == 1


def test_a_text_that_no_file_can_hold_does_not_stop_the_run(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("plain.md", "lion fact")
    world.write("x.canvas", '{"nodes": [{"id": "a", "type": "text", "text": "zebra \\ud800 fact"}]}')
    world.write("y.md", '---\ntitle: "\\ud800"\n---\ngiraffe')
    report = world.sync()
    assert (len(report.added), report.failed) == (3, ())


FOLDERS = ["locked", "Cafe\u0301", "deep/\u212ait", os.fsdecode(b"\xd6\xff")]


@pytest.mark.parametrize("folder", FOLDERS)
def test_notes_in_a_folder_that_cannot_be_read_stay(
    tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = World(tmp_path)
    world.write("plain.md", "lion fact")
    write_bytes_named(world.vault, os.fsencode(folder) + b"/below/n.md", "zebra fact")
    (known,) = set(world.sync().added) - {"plain.md"}
    scandir = os.scandir

    def refuse(path: str) -> object:
        # The tests may run as root, to whom no folder is closed.
        if Path(path) == world.vault / folder:
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", refuse)
        report = world.sync()
    assert (report.deleted, [each.path for each in report.failed]) == ((), [known])
    assert world.sources("zebra")[0] == known
    assert (len(world.sync().unchanged), world.sync().failed) == (2, ())
    (world.vault / folder / "below" / "n.md").unlink()
    assert world.sync().deleted == (known,)


def test_notes_behind_a_link_to_a_disk_that_is_away_stay(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("plain.md", "lion fact")
    disk = tmp_path / "disk"
    disk.mkdir()
    (disk / "n.md").write_text("zebra fact")
    (world.vault / "Cafe\u0301").symlink_to(disk)

    def sync():
        return world.sync(vault=Vault(world.vault, follow_symlinks=True))

    assert sync().added == ("Caf\u00e9/n.md", "plain.md")
    disk.rename(tmp_path / "away")
    report = sync()
    assert (report.deleted, [each.path for each in report.failed]) == ((), ["Caf\u00e9/n.md"])
    (tmp_path / "away").rename(disk)
    assert len(sync().unchanged) == 2
    (world.vault / "Cafe\u0301").unlink()
    assert sync().deleted == ("Caf\u00e9/n.md",)


class RacingVault(Vault):
    """A vault in which something takes a note's place as soon as all notes were listed."""

    def paths(self) -> list[str]:
        found = super().paths()
        note = self.root / "n.md"
        note.unlink()
        self.take_its_place(note)
        return found


def pipe(place: Path) -> None:
    os.mkfifo(place)


def endless(place: Path) -> None:
    place.symlink_to("/dev/zero")


def link_out(place: Path) -> None:
    outside = place.parent.parent / "outside.md"
    outside.write_text("giraffe fact")
    place.symlink_to(outside)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
@pytest.mark.parametrize("take_its_place", [pipe, endless, link_out, Path.mkdir])
def test_what_takes_the_place_of_a_note_is_neither_waited_for_nor_read(tmp_path: Path, take_its_place) -> None:
    world = World(tmp_path)
    world.write("n.md", "zebra fact")
    world.write("other.md", "lion fact")
    assert world.sync().added == ("n.md", "other.md")
    vault = RacingVault(world.vault)
    vault.take_its_place = take_its_place
    report = world.sync(vault=vault)
    assert [(each.path, each.code) for each in report.failed] == [("n.md", "unreadable")]
    assert (report.changed, report.deleted) == ((), ())
    assert "giraffe" not in str(world.state())
    assert world.sources("zebra")[0] == "n.md"
