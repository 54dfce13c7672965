"""One run of the indexer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby, pairwise
from typing import NamedTuple

from obsirag.catalogue import (
    Catalogue,
    NoteRecord,
    access_keys_of,
    drop_unused_vectors,
    mark_stale,
    origins,
    origins_of,
    publish,
    remember_run,
    set_file_state,
    vector_ids_of,
    write_meta,
)
from obsirag.errors import ObsiragError, ServiceError, reason_of
from obsirag.indexing.changes import Changes
from obsirag.indexing.embedding import Embedder
from obsirag.indexing.examining import NOT_INDEXED, Finding, fault_of
from obsirag.indexing.files import lasting_state
from obsirag.indexing.outcome import Outcome
from obsirag.indexing.preparing import VaultLike
from obsirag.indexing.renamed_marks import move_marks
from obsirag.indexing.store_writer import StoreWriter
from obsirag.records import Diagnostic, IndexReport, access_key
from obsirag.splitters.regions import labels_of

__all__ = ["Run"]

Progress = Callable[[int, int, str], None]


class Run:
    """Brings the notes that changed into the catalogue and the store, group by group.

    Its steps in their order: ``begin``; ``prepare`` and ``write`` in turn until it ``is_done``; ``finish``. Whoever
    takes one holds the writer's lock.

    Args:
        vault: The vault.
        catalogue: The catalogue.
        changes: What to look at.
        findings: What each note to look at needs, in their order; taken one by one, as they are wanted.
        embedder: Gives records vectors.
        store: Takes the vectors.
        group_size: Number of chunks that are embedded, written and published together.
        prune: Whether to forget the vectors of contents that no note has any longer.
        embedded: Number of texts that were embedded before this run for it.
    """

    def __init__(
        self,
        *,
        vault: VaultLike,
        catalogue: Catalogue,
        changes: Changes,
        findings: Iterator[Finding],
        embedder: Embedder,
        store: StoreWriter,
        group_size: int,
        prune: bool = False,
        embedded: int = 0,
    ) -> None:
        self._vault = vault
        self._catalogue = catalogue
        self._changes = changes
        self._findings = findings
        self._embedder = embedder
        self._store = store
        self._group_size = group_size
        self._prune = prune
        self._embedded = embedded
        self._paths = changes.work()
        self._done = 0
        self._group: list[NoteRecord] = []
        self.outcome = Outcome(changes)

    @property
    def is_done(self) -> bool:
        """Whether all notes were looked at, and what came of it was written."""
        return self._done == len(self._paths) and not self._group

    @property
    def _is_group_full(self) -> bool:
        return sum(len(each.chunks) for each in self._group) >= self._group_size

    def begin(self) -> None:
        """Mark the notes that the changes reach, and remove those that are gone.

        Renamed notes stay until they come under their other path. What is marked is looked at even if this run dies
        after the change itself was published.
        """
        changes = self._changes
        gone = sorted(changes.deleted - set(changes.renamed.values()))
        touched = {path: seen for path, seen in changes.touched.items() if path not in changes.affected}
        if not gone and not changes.affected and not touched and changes.attachments is None:
            return
        with self._catalogue.writing() as connection:
            mark_stale(connection, changes.affected)
            publish(connection, [], gone)
            if changes.attachments is not None:
                write_meta(connection, "attachments", changes.attachments)
            for path, seen in touched.items():
                set_file_state(connection, path, lasting_state(seen.state, seen.state), seen.hash)

    def prepare(self, progress: Progress) -> None:
        """Look at the next notes, until there are enough chunks to embed and write together.

        Args:
            progress: Called for each note that is settled, with the number of notes looked at, their total, and the
                note's path.
        """
        while self._done < len(self._paths):
            self._look_at(self._paths[self._done])
            self._done += 1
            if self._done == len(self._paths) or self._is_group_full:
                return
            self._tell(progress)

    def write(self, progress: Progress) -> None:
        """Embed, write and publish what was prepared.

        Args:
            progress: Called as ``prepare`` does, for the last note.
        """
        group, self._group = self._group, []
        if group:
            self._write_group(group)
        if self._done:
            self._tell(progress)

    def finish(self) -> IndexReport:
        """Clear up, note what became of the notes, and say what was done."""
        self._remove_left_behind()
        self._clear_up()
        report = self.outcome.report(self._catalogue.chunk_count(), self._embedded + self._embedder.embedded)
        if report.renamed:
            move_marks(self._catalogue.folder, report.renamed)
        with self._catalogue.writing() as connection:
            if self._prune:
                drop_unused_vectors(connection, self._embedder.model_id)
            remember_run(connection, report)
        return report

    def _tell(self, progress: Progress) -> None:
        progress(self._done, len(self._paths), self._paths[self._done - 1])

    def _look_at(self, path: str) -> None:
        finding = next(self._findings)
        self.outcome.diagnostics += finding.diagnostics
        if finding.record is not None:
            self._group.append(finding.record)
        elif finding.seen is not None:
            with self._catalogue.writing() as connection:
                set_file_state(connection, path, finding.seen.state, finding.seen.hash)
        elif finding.failure is not None and finding.failure.code == NOT_INDEXED:
            self._fail(path, NOT_INDEXED, finding.failure.message, self._readers_now(path))
        elif finding.failure is not None:
            self.outcome.failed.append(finding.failure)

    def _write_group(self, group: list[NoteRecord]) -> None:
        failures = self._embedder.embed(
            {chunk.content_hash: chunk.content for record in group for chunk in record.chunks}
        )
        ready: list[NoteRecord] = []
        for record in group:
            causes = [failures[chunk.content_hash] for chunk in record.chunks if chunk.content_hash in failures]
            if causes:
                self._fail(record.path, "embedding-failed", causes[0], _readers_of(record))
            else:
                ready.append(record)
        try:
            self._store.write(ready)
        except ServiceError as error:
            for record in ready:
                self._fail(record.path, "store-failed", str(error), _readers_of(record))
            return
        try:
            self._publish(ready)
        except Exception:  # noqa: BLE001 - one note's fault must not cost the others: each is tried by itself
            for record in ready:
                try:
                    self._publish([record])
                except Exception as error:  # noqa: BLE001 - the same
                    self._fail(record.path, "not-stored", reason_of(error), _readers_of(record))

    def _publish(self, records: list[NoteRecord]) -> None:
        left = [self._changes.renamed[each.path] for each in records if each.path in self._changes.renamed]
        with self._catalogue.writing() as connection:
            before = {each.path: vector_ids_of(connection, each.path) for each in records}
            publish(connection, records, left)
        self.outcome.published(records, before)

    def _fail(self, path: str, code: str, message: str, readers: _Readers | None) -> None:
        """Report a note that could not be indexed, and withdraw its old version if others may read the new one.

        Args:
            path: The note.
            code: The diagnostic's code.
            message: Why.
            readers: Who may read the new version's parts; None if nobody knows.
        """
        self.outcome.fail(path, code, message)
        if readers is None or path not in self._changes.paths:
            return
        with self._catalogue.reading() as connection:
            before = _Readers(_in_turn(access_keys_of(connection, path)), origins_of(connection, path))
        if readers.are_others_than(before):
            with self._catalogue.writing() as connection:
                publish(connection, [], [path])

    def _readers_now(self, path: str) -> _Readers | None:
        """Return who may read a note's parts, by its text; None if it cannot be read."""
        try:
            rendered = self._vault.render(path)
        except (OSError, ObsiragError):
            return None
        if fault_of(rendered) is not None:
            return None
        labels, text = labels_of(rendered), rendered.text
        stretches = pairwise([0, *labels.borders, len(text)])
        # Blanks, such as a line end behind an embed, make no chunk, and so are nobody's to read.
        keys = _in_turn([access_key(labels.at(start)) for start, end in stretches if not text[start:end].isspace()])
        return _Readers(keys, {(each.path, access_key(labels.at(each.start))) for each in rendered.segments})

    def _remove_left_behind(self) -> None:
        """Remove the old versions of renamed notes whose new ones failed: they have no file any longer."""
        failed = {diagnostic.path for diagnostic in self.outcome.failed}
        left = [old for new, old in self._changes.renamed.items() if new in failed]
        if not left:
            return
        with self._catalogue.writing() as connection:
            publish(connection, [], left)

    def _clear_up(self) -> None:
        try:
            self._store.clear()
            self._store.close()
        except ServiceError as error:
            # The notes are right already, and the ids stay among the pending ones for the next run.
            self.outcome.diagnostics.append(Diagnostic("", 0, "store-failed", str(error)))


class _Readers(NamedTuple):
    """Who may read a note's parts.

    Args:
        keys: The parts' access keys, in order.
        origins: Which notes' text stands under which key.
    """

    keys: list[str]
    origins: set[tuple[str, str]]

    def are_others_than(self, before: _Readers) -> bool:
        """Say whether others may read the parts now, or the text of a note that is still among them."""
        paths = {path for path, _ in self.origins}
        return self.keys != before.keys or any(path in paths for path, _ in before.origins - self.origins)


def _readers_of(record: NoteRecord) -> _Readers:
    chunks = [(chunk.access, chunk.metadata) for chunk in record.chunks]
    return _Readers(_in_turn([access for access, _ in chunks]), origins(chunks))


def _in_turn(keys: list[str]) -> list[str]:
    return [key for key, _ in groupby(keys)]
