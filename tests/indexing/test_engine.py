"""A run whose notes are read and embedded elsewhere makes the same index."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from langchain_core.embeddings import Embeddings

from index_worlds import CountingEmbeddings, World
from obsirag.indexing.changes import Look
from obsirag.indexing.examining import Examiner, Finding


class AheadOfTime:
    """Looks at all notes before the first finding is taken, and asks a model of its own."""

    def __init__(self) -> None:
        self.own = CountingEmbeddings()
        self.looked_at: list[str] = []

    def examine(self, examiner: Examiner, looks: Iterable[Look]) -> Iterator[Finding]:
        told = [*looks]
        self.looked_at += [look.path for look in told]
        return iter([*map(examiner.examine, told)])

    def model(self, embeddings: Embeddings) -> Embeddings:
        return self.own


@pytest.fixture
def world(tmp_path: Path) -> World:
    made = World(tmp_path)
    for name in "abcdef":
        made.write(f"{name}.md", f"# {name}\n\nWords of {name}.\n\n![[{chr(ord(name) - 1)}]]\n")
    return made


def test_the_index_is_the_same_and_the_engines_model_is_asked(world: World, tmp_path: Path) -> None:
    engine = AheadOfTime()
    world.sync(engine=engine, batch_size=2)
    assert engine.looked_at == [f"{name}.md" for name in "abcdef"]
    assert (bool(engine.own.calls), world.embeddings.calls) == (True, [])
    (tmp_path / "fresh").mkdir()
    fresh = World(tmp_path / "fresh", vault=world.vault)
    fresh.sync()
    assert world.state() == fresh.state()


def test_a_run_that_dies_takes_what_was_looked_at_ahead_with_it(world: World, tmp_path: Path) -> None:
    engine = AheadOfTime()
    for last in range(1, 40, 3):
        world.sync_or_die(last, engine=engine, batch_size=1)
    world.write("c.md", "Other words.\n")
    world.sync(engine=engine)
    (tmp_path / "fresh").mkdir()
    fresh = World(tmp_path / "fresh", vault=world.vault)
    fresh.sync()
    assert world.state() == fresh.state()


def test_an_unchanged_vault_gives_an_engine_nothing_to_do(world: World) -> None:
    world.sync()
    engine = AheadOfTime()
    assert len(world.sync(engine=engine).unchanged) == 6
    assert (engine.looked_at, engine.own.calls) == ([], [])


def test_a_rebuild_and_a_plan_go_through_the_engine(world: World) -> None:
    world.sync()
    before, engine = world.state(), AheadOfTime()
    world.sync(engine=engine, rebuild=True)
    assert engine.looked_at == [f"{name}.md" for name in "abcdef"] * 2
    assert world.state() == before
    world.options["engine"] = engine
    world.write("g.md", "New words.\n")
    assert world.plan().added == ("g.md",)
    assert engine.looked_at[-1] == "g.md"
