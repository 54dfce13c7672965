"""A plan says what the run after it does, and writes nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from index_worlds import CountingEmbeddings, World
from obsirag.errors import CatalogueError
from obsirag.splitters import ObsidianSplitter

PATHS = ["a.md", "b.md", "sub/a.md", "sub/c.md"]
TEXTS = [
    "words",
    "![[a]]",
    "![[Nick]]\n\n![[c]]",
    "---\naliases: [Nick]\n---\nwords",
    "# A\n\n" + "many words " * 30,
    "",
]

actions = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(PATHS), st.sampled_from(TEXTS)),
    st.tuples(st.just("write"), st.sampled_from(PATHS), st.sampled_from(TEXTS)),
    st.tuples(st.just("remove"), st.sampled_from(PATHS)),
    st.tuples(st.just("rename"), st.sampled_from(PATHS), st.sampled_from(PATHS)),
    st.tuples(st.just("break"), st.sampled_from(PATHS)),
    st.tuples(st.just("splitter"), st.sampled_from([100, 1000])),
)


def act(world: World, kind: str, *rest: Any) -> None:
    if kind == "write":
        world.write(*rest)
    elif kind == "break":
        world.write(rest[0], "")
        (world.vault / rest[0]).write_bytes(b"caf\xe9")
    elif kind == "remove" and (world.vault / rest[0]).exists():
        world.remove(rest[0])
    elif kind == "rename" and (world.vault / rest[0]).exists() and not (world.vault / rest[1]).exists():
        world.rename(*rest)
    elif kind == "splitter":
        world.options = {"splitter": ObsidianSplitter(chunk_size=rest[0]), "settings": {"splitter": str(rest[0])}}


@settings(max_examples=60)
@given(st.lists(st.lists(actions, max_size=5), min_size=1, max_size=4), st.booleans())
def test_a_plan_tells_what_the_run_after_it_does(history: list[list[Any]], full: bool) -> None:
    with tempfile.TemporaryDirectory() as name:
        world = World(Path(name))
        world.write("always.md", "a vault without notes is refused")
        for changes in history:
            for change in changes:
                act(world, *change)
            world.embeddings.calls = []
            told = world.plan(full=full)
            assert world.embeddings.calls == []
            report = world.sync(full=full)
            for kind in ("added", "changed", "renamed", "unchanged", "deleted", "failed"):
                assert getattr(told, kind) == getattr(report, kind), kind
            assert told.to_embed == report.embedded
        world.catalogue.close()


def test_a_plan_refuses_what_the_run_refuses_and_tells_what_a_rebuild_embeds(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("a.md", "x")
    world.write("b.md", "y")
    world.sync()
    world.embeddings = CountingEmbeddings(24)
    with pytest.raises(CatalogueError, match="obsirag rebuild"):
        world.plan()
    assert (world.plan(full=True).unchanged, world.plan(full=True).to_embed) == (("a.md", "b.md"), 2)


def test_so_many_deletions_that_they_need_consent_are_told(tmp_path: Path) -> None:
    world = World(tmp_path)
    for number in range(100):
        world.write(f"{number}.md", f"text {number}")
    world.sync()
    for number in range(50):
        world.remove(f"{number}.md")
    assert not world.plan().needs_consent
    world.remove("50.md")
    assert world.plan().needs_consent
    assert len(world.plan().deleted) == 51
