"""What became of each note is noted, and so is what a run that died left."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from index_worlds import CountingEmbeddings, World
from obsirag.catalogue import LastRun, NoteState, last_run, note_states, unfinished_business


def states(world: World) -> dict[str, NoteState]:
    with world.catalogue.reading() as connection:
        return {state.path: state for state in note_states(connection)}


def run_of(world: World) -> LastRun | None:
    with world.catalogue.reading() as connection:
        return last_run(connection)


def texts_of(world: World, path: str) -> list[str]:
    return [hit.page_content for hit in world.keywords().search("words", limit=9, filter={"source": path})]


def unfinished(world: World) -> dict[str, int]:
    with world.catalogue.reading() as connection:
        return unfinished_business(connection)


def test_each_note_is_indexed_skipped_or_failed(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("a.md", "lion fact\n\n" + "# H\n\nmany words " * 90)
    world.write("empty.md", "---\ntags: [x]\n---\n\n")
    world.write("bad.md", "fine so far")
    world.sync()
    (world.vault / "bad.md").write_bytes(b"caf\xe9")
    (world.vault / "worse.md").write_bytes(b"caf\xe9")
    before = datetime.now(UTC) - timedelta(seconds=1)
    world.sync()
    found = states(world)
    assert {path: each.state for path, each in found.items()} == {
        "a.md": "indexed",
        "bad.md": "failed",
        "empty.md": "skipped",
        "worse.md": "failed",
    }
    assert sum(each.chunks for each in found.values()) == world.catalogue.chunk_count()
    assert (found["bad.md"].chunks, found["worse.md"].chunks, found["empty.md"].chunks) == (1, 0, 0)
    assert (found["bad.md"].code, found["empty.md"].code, found["a.md"].code) == ("undecodable", "no-text", "")
    assert all(each.when and before <= each.when <= datetime.now(UTC) for each in found.values())


def test_a_note_that_is_mended_is_no_longer_failed_and_one_that_is_gone_is_forgotten(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("a.md", "x")
    for name in ("b.md", "c.md"):
        (world.vault / name).write_bytes(b"caf\xe9")
    world.sync()
    world.write("b.md", "y")
    world.remove("c.md")
    world.sync()
    assert {path: each.state for path, each in states(world).items()} == {"a.md": "indexed", "b.md": "indexed"}


def test_a_note_that_a_run_which_died_has_mended_is_no_longer_failed(tmp_path: Path) -> None:
    found: set[tuple[str, bool]] = set()
    for last in range(1, 20):
        world = World(tmp_path / str(last))
        world.write("a.md", "first words")
        world.write("b.md", "words")
        world.sync()
        world.write("a.md", "second words")
        world.embeddings.fails = lambda text: text == "second words"
        world.sync()
        assert states(world)["a.md"].state == "failed"
        world.write("a.md", "third words")
        world.sync_until(last)
        found.add((states(world)["a.md"].state, "third words" in texts_of(world, "a.md")))
        world.catalogue.close()
    assert found == {("failed", False), ("indexed", True)}


def test_a_failed_note_that_became_again_what_is_indexed_is_no_longer_failed(tmp_path: Path) -> None:
    found: list[str] = []
    for last in range(10):
        world = World(tmp_path / str(last))
        world.write("a.md", "first words")
        world.sync()
        world.write("a.md", "second words")
        world.embeddings.fails = lambda text: text == "second words"
        world.sync()
        world.write("a.md", "first words")
        if world.sync_until(last):
            found.append(states(world)["a.md"].state)
        world.catalogue.close()
    assert (found[0], found[-1]) == ("failed", "indexed")


def test_an_unchanged_note_keeps_its_time(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("a.md", "x")
    world.sync()
    with world.catalogue.writing() as connection:
        connection.execute("UPDATE notes SET indexed_at = 1000")
    world.write("b.md", "y")
    world.sync()
    found = states(world)
    assert (found["a.md"].when, found["b.md"].when != found["a.md"].when) == (datetime.fromtimestamp(1000, UTC), True)


def test_the_last_run_is_noted_when_it_ends(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert run_of(world) is None
    world.write("a.md", "x")
    assert world.sync_until(5)
    assert run_of(world) is None
    world.sync()
    world.sync()
    found = run_of(world)
    assert found is not None
    assert abs(found.at.timestamp() - time.time()) < 60
    assert {name for name, count in found.counts.items() if count} == {"unchanged"}


def test_what_a_run_that_died_left_is_told_until_the_next_one_has_done_it(tmp_path: Path) -> None:
    kinds: set[str] = set()
    for last in range(1, 30):
        world = World(tmp_path / str(last))
        world.write("a.md", "x")
        world.write("b.md", "![[a]]\n\n![[c]]")
        world.sync()
        world.write("a.md", "z")
        world.embeddings = CountingEmbeddings(24, world.clock)
        world.embeddings.model_id = "other:24"
        world.sync_until(last, full=True, batch_size=1)
        kinds |= unfinished(world).keys()
        world.sync(full=True)
        assert unfinished(world) == {}
        world.catalogue.close()
    assert kinds == {"stale_notes", "pending_vectors", "unfilled_store", "staged_vectors"}
