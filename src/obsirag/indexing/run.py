"""One run of the indexer."""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

from langchain_core.embeddings import Embeddings

from obsirag.catalogue import (
    Catalogue,
    NoteRecord,
    access_keys_of,
    drop_unused_vectors,
    mark_stale,
    publish,
    set_file_state,
    vector_ids_of,
    write_meta,
)
from obsirag.errors import ObsiragError, ServiceError, reason_of
from obsirag.indexing.changes import Changes, SeenFile
from obsirag.indexing.embedding import Embedder
from obsirag.indexing.files import file_hash, file_state, lasting_state
from obsirag.indexing.outcome import Outcome
from obsirag.indexing.preparing import Preparer, VaultLike, input_limit_diagnostics, render_hash
from obsirag.indexing.store_writer import StoreWriter
from obsirag.records import Diagnostic, IndexReport, RenderedNote, access_key
from obsirag.splitters.regions import labels_of
from obsirag.vault import UNREADABLE_NOTE_CODES

__all__ = ["Run"]


class Run:
    """Brings the notes that changed into the catalogue and the store, group by group.

    Args:
        vault: The vault.
        catalogue: The catalogue.
        changes: What to look at.
        preparer: Makes records of notes.
        embedder: Gives them vectors.
        store: Takes the vectors.
        group_size: Number of chunks that are embedded, written and published together.
    """

    def __init__(
        self,
        *,
        vault: VaultLike,
        catalogue: Catalogue,
        changes: Changes,
        preparer: Preparer,
        embedder: Embedder,
        store: StoreWriter,
        group_size: int,
    ) -> None:
        self._vault = vault
        self._catalogue = catalogue
        self._changes = changes
        self._preparer = preparer
        self._embedder = embedder
        self._store = store
        self._group_size = group_size
        self._group: list[NoteRecord] = []
        self.outcome = Outcome(changes)

    def work(self, embeddings: Embeddings, progress: Callable[[int, int, str], None], *, prune: bool) -> IndexReport:
        """Do all the work and say what was done.

        Args:
            embeddings: The model, for the input limit that it may declare.
            progress: Called with the number of notes looked at, their total, and the last one's path.
            prune: Whether to forget the vectors of contents that no note has any longer.
        """
        limit, length = getattr(embeddings, "input_limit", None), getattr(embeddings, "input_length", None)
        self._begin()
        self._remember_touched()
        paths = self._changes.work()
        for done, path in enumerate(paths, start=1):
            record = self._record(path)
            if record is not None:
                self.outcome.diagnostics += input_limit_diagnostics(record, limit, length)
                self._group.append(record)
            if sum(len(each.chunks) for each in self._group) >= self._group_size:
                self._flush()
            progress(done, len(paths), path)
        self._flush()
        self._remove_left_behind()
        self._clear_up(prune)
        return self.outcome.report(self._catalogue.chunk_count(), self._embedder.embedded)

    def _record(self, path: str) -> NoteRecord | None:
        """Return the new version of a note, None if it needs none or cannot be had."""
        known = self._changes.known.get(path)
        try:
            seen = self._seen(path)
            note, rendered = self._preparer.render(path)
            unreadable = _unreadable(rendered)
            if unreadable is not None:
                self.outcome.failed.append(unreadable)
                return None
            self.outcome.diagnostics += rendered.diagnostics
            name = render_hash(note, rendered)
            seen = self._seen_after(path, seen)
            if known is not None and known.render_hash == name and known.settings == self._preparer.settings:
                with self._catalogue.writing() as connection:
                    set_file_state(connection, path, seen.state, seen.hash)
                return None
            return self._preparer.record(note, rendered, seen.state, seen.hash, name)
        except Exception as error:  # noqa: BLE001 - one note's fault, in whatever part, must not end the run
            self._fail(path, "not-indexed", reason_of(error), self._keys_now(path))
            return None

    def _seen(self, path: str) -> SeenFile:
        changes = self._changes
        seen = changes.added.get(path) or changes.changed.get(path) or changes.touched.get(path)
        return seen or SeenFile(changes.known[path].state, changes.known[path].file_hash)

    def _seen_after(self, path: str, seen: SeenFile) -> SeenFile:
        """Return what to remember of a file that has now been read a second time, by the vault."""
        after = file_state(self._vault.stat(path))
        content = seen.hash if after == seen.state else file_hash(self._vault.read_bytes(path))
        # If the content changed meanwhile, nobody knows which of the two was rendered.
        return SeenFile(lasting_state(seen.state, after), seen.hash if content == seen.hash else "")

    def _flush(self) -> None:
        group, self._group = self._group, []
        if not group:
            return
        failures = self._embedder.embed(
            {chunk.content_hash: chunk.content for record in group for chunk in record.chunks}
        )
        ready: list[NoteRecord] = []
        for record in group:
            causes = [failures[chunk.content_hash] for chunk in record.chunks if chunk.content_hash in failures]
            if causes:
                self._fail(record.path, "embedding-failed", causes[0], _keys_of(record))
            else:
                ready.append(record)
        try:
            self._store.write(ready)
        except ServiceError as error:
            for record in ready:
                self._fail(record.path, "store-failed", str(error), _keys_of(record))
            return
        try:
            self._publish(ready)
        except Exception:  # noqa: BLE001 - one note's fault must not cost the others: each is tried by itself
            for record in ready:
                try:
                    self._publish([record])
                except Exception as error:  # noqa: BLE001 - the same
                    self._fail(record.path, "not-stored", reason_of(error), _keys_of(record))

    def _publish(self, records: list[NoteRecord]) -> None:
        left = [self._changes.renamed[each.path] for each in records if each.path in self._changes.renamed]
        with self._catalogue.writing() as connection:
            before = {each.path: vector_ids_of(connection, each.path) for each in records}
            publish(connection, records, left)
        self.outcome.published(records, before)

    def _fail(self, path: str, code: str, message: str, keys: list[str] | None) -> None:
        """Report a note that could not be indexed, and withdraw its old version if others may read the new one.

        Args:
            path: The note.
            code: The diagnostic's code.
            message: Why.
            keys: The access keys of the new version's parts, in order; None if nobody knows them.
        """
        self.outcome.fail(path, code, message)
        if keys is None or path not in self._changes.known:
            return
        with self._catalogue.reading() as connection:
            outdated = _in_turn(access_keys_of(connection, path)) != keys
        if outdated:
            with self._catalogue.writing() as connection:
                publish(connection, [], [path])

    def _keys_now(self, path: str) -> list[str] | None:
        """Return the access keys of a note's parts in order, by its text; None if it cannot be read."""
        try:
            rendered = self._vault.render(path)
        except (OSError, ObsiragError):
            return None
        if _unreadable(rendered) is not None:
            return None
        labels = labels_of(rendered)
        return _in_turn([access_key(labels.at(start)) for start in (0, *labels.borders)])

    def _begin(self) -> None:
        """Mark the notes that the changes reach, and remove those that are gone.

        Renamed notes stay until they come under their other path. What is marked is looked at even if this run dies
        after the change itself was published.
        """
        changes = self._changes
        gone = sorted(changes.deleted - set(changes.renamed.values()))
        if not gone and not changes.affected and changes.attachments is None:
            return
        with self._catalogue.writing() as connection:
            mark_stale(connection, changes.affected)
            publish(connection, [], gone)
            if changes.attachments is not None:
                write_meta(connection, "attachments", changes.attachments)

    def _remove_left_behind(self) -> None:
        """Remove the old versions of renamed notes whose new ones failed: they have no file any longer."""
        failed = {diagnostic.path for diagnostic in self.outcome.failed}
        left = [old for new, old in self._changes.renamed.items() if new in failed]
        if not left:
            return
        with self._catalogue.writing() as connection:
            publish(connection, [], left)

    def _remember_touched(self) -> None:
        touched = {path: seen for path, seen in self._changes.touched.items() if path not in self._changes.affected}
        if not touched:
            return
        with self._catalogue.writing() as connection:
            for path, seen in touched.items():
                set_file_state(connection, path, lasting_state(seen.state, seen.state), seen.hash)

    def _clear_up(self, prune: bool) -> None:
        try:
            self._store.clear()
            self._store.remember_files()
        except ServiceError as error:
            # The notes are right already, and the ids stay among the pending ones for the next run.
            self.outcome.diagnostics.append(Diagnostic("", 0, "store-failed", str(error)))
        if prune:
            with self._catalogue.writing() as connection:
                drop_unused_vectors(connection, self._embedder.model_id)


def _keys_of(record: NoteRecord) -> list[str]:
    return _in_turn([chunk.access for chunk in record.chunks])


def _in_turn(keys: list[str]) -> list[str]:
    return [key for key, _ in groupby(keys)]


def _unreadable(rendered: RenderedNote) -> Diagnostic | None:
    """Return why the note itself, not one that it embeds, could not be read."""
    for diagnostic in rendered.diagnostics:
        if diagnostic.path == rendered.path and diagnostic.code in UNREADABLE_NOTE_CODES:
            return diagnostic
    return None
