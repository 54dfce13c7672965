import os
from pathlib import Path

import pytest

from index_worlds import World

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
