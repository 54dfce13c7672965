"""Wherever a run dies: the next one gives what a fresh index has, and the one after does nothing."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from index_worlds import World
from obsirag.splitters import ObsidianSplitter

PATHS = ["a.md", "b.md", "sub/a.md", "sub/c.md"]


@settings(max_examples=30)  # there are not many ways to die here, and each takes several runs
@given(st.integers(0, 60), st.sampled_from([1, 2, 100]))
def test_a_rebuild_for_another_model_can_die_anywhere(last: int, batch_size: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        world = World(Path(name) / "old")
        for path in PATHS:
            world.write(path, f"words of {path}\n\n![[a]]\n")
        world.sync()
        world.embeddings.dimensions, world.embeddings.model_id = 24, "other:24"
        world.sync_until(last, full=True, batch_size=batch_size)
        world.sync(full=world.catalogue.model_id != "other:24")
        fresh = World(Path(name) / "new", vault=world.vault)
        fresh.embeddings = world.embeddings
        fresh.sync()
        assert world.state() == fresh.state()
        world.catalogue.close()
        fresh.catalogue.close()


def make_scene(world: World) -> None:
    world.write("a.md", "first words")
    world.write("b.md", "![[a]]\n\n![[Nick]]\n\nown words of b")
    world.write("c.md", "![[b]]\n\nsee [[old]] and ![[picture.png]]")
    world.write("d.md", "to be deleted")
    world.write("f.md", "---\naliases: [Nick]\n---\nthe one with a nickname")
    world.write("g.md", "---\npermission: boss\n---\nrestricted words")
    world.write("h.md", "![[a]]")
    world.write("old.md", "to be renamed, of two chunks\n\n# Part\n\n" + "many words " * 30)


def change_scene(world: World) -> None:
    world.write("a.md", "second words")
    world.remove("d.md")
    world.write("e.md", "new words")
    world.write("f.md", "the one without it")
    world.write("g.md", "no longer restricted words")
    world.rename("old.md", "sub/new.md")
    (world.vault / "sub/picture.png").write_bytes(b"png")


def test_a_run_can_die_at_every_step(tmp_path: Path) -> None:
    fresh = World(tmp_path / "fresh")
    make_scene(fresh)
    change_scene(fresh)
    fresh.options = {"splitter": ObsidianSplitter(chunk_size=100)}
    fresh.sync()
    for last in itertools.count():
        world = World(tmp_path / str(last))
        world.options = fresh.options
        make_scene(world)
        world.sync()
        change_scene(world)
        died = world.sync_until(last, batch_size=1)
        world.sync()
        assert world.state() == fresh.state(), f"died after step {last}"
        world.catalogue.close()
        if not died:
            assert last > 30
            break
