"""Whatever happens to a vault and to its index, in any order: what readers see on the way, and what comes of it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from index_models import (
    FIRST_MODEL,
    LABELS,
    OTHER_MODEL,
    Model,
    Models,
    Version,
    embedding_model,
    files_of,
    labels_in_turn,
    readable,
    refused_texts,
    shown,
    without,
)
from obsirag.catalogue import known_files, note_states, unfinished_business
from obsirag.cleaning import clean
from obsirag.config import CleaningOptions
from obsirag.errors import CatalogueError, ServiceError
from obsirag.indexing import SyncPlan
from obsirag.plugins.memory import MemoryVectorStore
from obsirag.records import IndexReport
from obsirag.splitters import ObsidianSplitter
from vault_machines import PATHS, VaultMachine, bodies, embeds, paths

batch_sizes = st.sampled_from([1, 1, 3, 100])
steps = st.one_of(st.integers(0, 20), st.integers(0, 60))
models = st.sampled_from([FIRST_MODEL, OTHER_MODEL])
modes = st.sampled_from(["full", "rebuild"])
words = st.sampled_from([None, "plain", "other", ""])
fulls = st.sampled_from([False, False, False, True])


class IndexMachine(VaultMachine):
    """A vault that changes, and an index of it that runs bring up to date, or die over."""

    def __init__(self) -> None:
        super().__init__()
        self.models = Models(self.world)
        self.shown: dict[str, Version] = {}
        self.failed: set[str] = set()

    @initialize(
        bodies=st.lists(st.tuples(bodies, embeds), min_size=5, max_size=5),
        is_indexed=st.sampled_from([True, True, False]),
    )
    def begin(self, bodies: list[tuple[list[str], str]], is_indexed: bool) -> None:
        for path, (body, embed) in zip(PATHS, bodies, strict=True):
            self.write(path, [*body, embed], [])
        if is_indexed:
            self.catch_up()

    # The settings and the services.

    @rule(patterns=st.sampled_from([(), ("sub/",), ("beta.md",), ("/alpha.md", "*.png")]))
    def ignore(self, patterns: tuple[str, ...]) -> None:
        self.world.ignore = patterns

    @rule(chunk_size=st.sampled_from([40, 1000]), marker=st.sampled_from(["under", "plain", "-"]))
    def reconfigure(self, chunk_size: int, marker: str) -> None:
        cleaning = CleaningOptions(markers=(marker,))
        self.world.options = {
            "splitter": ObsidianSplitter(chunk_size=chunk_size),
            "clean": lambda rendered: clean(rendered, cleaning),
            "settings": {"splitter": str(chunk_size), "cleaning": marker},
        }

    @rule(word=words)
    def let_model_fail(self, word: str | None) -> None:
        """Let the model refuse texts with a word, all of them, or none."""
        self.world.embeddings.fails = lambda text: word is not None and word in text

    @rule()
    def lose_store(self) -> None:
        if self.store == "kept":
            MemoryVectorStore.delete(self.world.kept, self.world.kept.ids())
        else:
            shutil.rmtree(self.world.index / "chroma", ignore_errors=True)

    # The runs.

    @rule()
    def catch_up(self) -> None:
        """Sync once the files are old enough for their states to be trusted."""
        time.sleep(0.025)
        self.run({}, 100)

    @rule(full=fulls, batch_size=batch_sizes)
    def sync(self, full: bool, batch_size: int) -> None:
        self.run({"full": full}, batch_size)

    @rule(path=paths, body=bodies, lasts=st.lists(steps, min_size=1, max_size=3), full=fulls, batch_size=batch_sizes)
    def kill_sync(self, path: str, body: list[str], lasts: list[int], full: bool, batch_size: int) -> None:
        """Write a note, and let one run after the other die over it."""
        self.write(path, body, [])
        for last in lasts:
            self.run({"full": full}, batch_size, last)

    @rule(mode=modes, model=models, word=words, batch_size=batch_sizes, last=st.one_of(st.none(), steps))
    def rebuild(self, mode: str, model: str, word: str | None, batch_size: int, last: int | None) -> None:
        """Go over to a model, or embed anew with the one that is in use."""
        self.world.embeddings = embedding_model(model, self.world.clock)
        self.let_model_fail(word)
        self.run({}, batch_size)
        self.run({mode: True}, batch_size, last)

    def run(self, mode: dict[str, bool], batch_size: int, last: int | None = None) -> None:
        """Run to the end or to a step, and look at what comes of it."""
        world, known = self.world, self.world.catalogue.model_id
        is_other = known not in (None, world.embeddings.model_id)
        anew = is_other or (known is not None and "rebuild" in mode)
        if is_other and not any(mode.values()):
            self.check_refused(CatalogueError, world.plan)
            self.check_refused(CatalogueError, world.sync)
            assert world.embeddings.calls == []
            return
        if anew and world.embeddings.fails("obsidian"):
            self.check_refused(ServiceError, lambda: world.sync(**mode))
            return
        model = self.models.now()
        refused = refused_texts(world, model, anew=anew)
        plan = self.plan(full=any(mode.values()))
        with world.catalogue.reading() as connection:
            before = set(known_files(connection))
        report = world.sync_or_die(last, batch_size=batch_size, **mode)
        now = shown(world, LABELS)
        self.check_versions(now, model, set(refused), plan, died=report is None)
        self.check_ledger(now, model, set(refused), died=report is None)
        self.shown = now
        self.check_readers()
        if report is not None:
            self.check_report(report, plan, refused, before, embeds_as_planned=anew == is_other)
            self.check_index(model, set(refused))

    def plan(self, *, full: bool) -> SyncPlan:
        files, self.world.embeddings.calls = files_of(self.world), []
        plan = self.world.plan(full=full)
        assert (files_of(self.world), self.world.embeddings.calls) == (files, [])
        return plan

    def check_refused(self, error: type[Exception], call: Callable[[], object]) -> None:
        files, self.world.embeddings.calls = files_of(self.world), []
        with pytest.raises(error):
            call()
        assert files_of(self.world) == files

    def check_versions(
        self, now: dict[str, Version], model: Model, refused: set[str], plan: SyncPlan, *, died: bool
    ) -> None:
        """Of each note there is its new version, all of it; the one before, if the run died or could not embed it."""
        for path in {*self.shown, *model.shown, *now}:
            old, new = self.shown.get(path, ()), model.shown.get(path, ())
            if path in refused:
                new = old if labels_in_turn(old) == labels_in_turn(new) else ()
            assert now.get(path, ()) in ([old, new] if died else [new]), path
        for old_path, new_path in plan.renamed:
            assert not (old_path in now and new_path in now), "a renamed note is there twice"
            if old_path in self.shown and new_path in model.shown and not refused:
                assert old_path in now or new_path in now, "a renamed note is gone"

    def check_ledger(self, now: dict[str, Version], model: Model, refused: set[str], *, died: bool) -> None:
        """Each note is named once, with what became of it."""
        with self.world.catalogue.reading() as connection:
            noted, unfinished = note_states(connection), unfinished_business(connection)
        states = {each.path: each.state for each in noted}
        failed = {path for path, state in states.items() if state == "failed"}
        assert len(states) == len(noted)
        for path in states.keys() - failed:
            assert states[path] == ("indexed" if path in now else "skipped")
        if died:
            others = {path for path in now.keys() | self.shown if now.get(path) != self.shown.get(path)}
            assert now.keys() <= states.keys()
            assert failed <= (self.failed - others) | refused
        else:
            assert (set(states), failed) == (model.notes(), refused)
            assert unfinished.keys() <= ({"staged_vectors", "stale_notes"} if refused else {"staged_vectors"})
        self.failed = failed

    def check_report(
        self,
        report: IndexReport,
        plan: SyncPlan,
        refused: dict[str, set[str]],
        before: set[str],
        *,
        embeds_as_planned: bool,
    ) -> None:
        with self.world.catalogue.reading() as connection:
            after = set(known_files(connection))
        came, went = {new for _, new in report.renamed}, {old for old, _ in report.renamed}
        assert {*report.added} | came == after - before
        assert ({*report.deleted} | went) - {*refused} == before - after - {*refused}
        assert {each.path: each.code for each in report.failed} == dict.fromkeys(refused, "embedding-failed")
        for kind in ("added", "changed", "unchanged"):
            assert {*getattr(report, kind)} == {*getattr(plan, kind)} - {*refused}, kind
        assert {*report.renamed} == {(old, new) for old, new in plan.renamed if new not in refused}
        assert {*report.deleted} == {*plan.deleted} | {old for old, new in plan.renamed if new in refused}
        if embeds_as_planned:
            assert report.embedded == plan.to_embed - len(set().union(*refused.values()))

    def check_index(self, model: Model, refused: set[str]) -> None:
        """What the run made is what a fresh index has, and another run finds nothing to do."""
        world, state = self.world, self.world.state()
        assert without(state, refused) == without(model.state, refused)
        assert state["store"].keys() == {row[0] for row in state["chunks"] if not row[0].startswith("none:")}
        if refused:
            return
        assert state == model.state
        report = world.sync()
        assert (world.embeddings.calls, world.kept.writes, report.embedded) == ([], [], 0)
        assert set(report.unchanged) == model.notes()
        assert self.store == "kept" or world.opened == 0
        assert world.state() == state

    def check_readers(self) -> None:
        """Each finds of the versions what their labels let them read, and nothing else."""
        for labels in ((), ("boss",), ("team",)):
            assert shown(self.world, labels) == readable(self.shown, labels)

    @invariant()
    def what_is_found_stays(self) -> None:
        """Neither a change of the vault nor the loss of a store changes what is found."""
        assert shown(self.world, LABELS) == self.shown


class ChromaIndexMachine(IndexMachine):
    """The same with a store in files."""

    store = "chroma"


MOST = settings().max_examples
TestIndexMachine = IndexMachine.TestCase
TestIndexMachine.settings = settings(max_examples=MOST * 2 // 5, stateful_step_count=12)
TestChromaIndexMachine = ChromaIndexMachine.TestCase
TestChromaIndexMachine.settings = settings(max_examples=MOST // 25, stateful_step_count=10)
