"""The vector store during a run: written before the catalogue shows a note, cleared after."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence

from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from obsirag.catalogue import (
    CachedEmbeddings,
    Catalogue,
    LiveVector,
    NoteRecord,
    add_pending,
    batches,
    cached_vectors,
    delete_vectors,
    drop_pending,
    is_persistent,
    live_vector_ids,
    pending_vector_ids,
    project,
    stored_ids,
    write_meta,
    write_vectors,
)
from obsirag.errors import ServiceError, reason_of

__all__ = ["StoreWriter"]


class StoreWriter:
    """Keeps a store in step with the catalogue.

    Every id that is about to be written or is no longer needed stands among the catalogue's pending ids until the store
    is known not to hold it in vain. So whatever a run that dies leaves in the store, the next one finds it.

    Args:
        catalogue: The catalogue.
        open_store: Opens the store with the embeddings it is to use.
        embeddings: The model.
        model_id: Its stable name.
        batch_size: Most vectors of one call.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        open_store: Callable[[Embeddings], VectorStore],
        embeddings: Embeddings,
        model_id: str,
        batch_size: int,
    ) -> None:
        self._catalogue = catalogue
        self._open_store = open_store
        self._embeddings = embeddings
        self._model_id = model_id
        self._batch_size = batch_size
        self._store: VectorStore | None = None
        self._down: ServiceError | None = None

    def open(self) -> VectorStore:
        """Return the store, opened when it is first needed: that may take longer than a whole run without changes."""
        if self._store is None:
            self._store = self._open_store(CachedEmbeddings(self._embeddings, self._catalogue))
        return self._store

    def write(self, records: Sequence[NoteRecord]) -> None:
        """Write the vectors of notes that are not in the store yet; all of them are in the cache.

        Raises:
            ServiceError: If the store fails twice; from then on it isn't asked again.
        """
        if self._down is not None:
            raise self._down
        if not is_persistent(self.open()):
            return
        with self._catalogue.reading() as connection:
            live = live_vector_ids(connection, [chunk.vector_id for record in records for chunk in record.chunks])
            new = [(record.path, chunk) for record in records for chunk in record.chunks if chunk.vector_id not in live]
            vectors = cached_vectors(connection, self._model_id, (chunk.content_hash for _, chunk in new))
        if not new:
            return
        with self._catalogue.writing() as connection:
            add_pending(connection, (chunk.vector_id for _, chunk in new))
        for batch in batches(new, self._batch_size):
            self._write_batch(
                [
                    LiveVector(chunk.vector_id, chunk.content, vectors[chunk.content_hash], chunk.access, path)
                    for path, chunk in batch
                ]
            )

    def clear(self) -> None:
        """Delete from the store what it holds in vain.

        Raises:
            ServiceError: If the store fails.
        """
        with self._catalogue.reading() as connection:
            pending = pending_vector_ids(connection)
        if not pending:
            return
        if is_persistent(self.open()):
            self._delete(pending)
        with self._catalogue.writing() as connection:
            drop_pending(connection, pending)

    def verify(self, store_settings: str, full: bool) -> None:
        """Make the store right where it may not be: it is another one than before, or its files are gone.

        Args:
            store_settings: What tells the store from others.
            full: Whether to compare all its ids.
        """
        known = self._catalogue.meta("vector_store")
        files = set(json.loads(self._catalogue.meta("store_files") or "[]"))
        lost = not files <= self._files()
        if (known != store_settings or full or lost) and is_persistent(self.open()):
            project(self._catalogue, self.open(), self._model_id, self._batch_size)
        if known != store_settings:
            with self._catalogue.writing() as connection:
                write_meta(connection, "vector_store", store_settings)

    def remember_files(self) -> None:
        """Remember what lies in the index folder beside the catalogue: if it is gone one day, the store is."""
        if self._store is None:
            return
        with self._catalogue.writing() as connection:
            write_meta(connection, "store_files", json.dumps(sorted(self._files())))

    def _files(self) -> set[str]:
        # Found once, without opening the store, which would make its files anew.
        return {entry.name for entry in self._catalogue.folder.iterdir() if entry.is_dir()}

    def reset(self) -> None:
        """Empty the store after the catalogue was emptied for another embedding model.

        A store that is bound to the length of its vectors has a method ``reset()``.
        """
        reset = getattr(self.open(), "reset", None)
        if is_persistent(self.open()):
            if callable(reset):
                reset()
            else:
                present = stored_ids(self.open())
                with self._catalogue.reading() as connection:
                    surplus = present if present is not None else pending_vector_ids(connection)
                self._delete(sorted(surplus))
        with self._catalogue.writing() as connection:
            drop_pending(connection, pending_vector_ids(connection))
            write_meta(connection, "reset_store", None)

    def _write_batch(self, batch: Sequence[LiveVector]) -> None:
        try:
            write_vectors(self.open(), batch)
        except Exception as first:  # noqa: BLE001 - a store is somebody else's code and may raise anything
            try:
                # The first try may have written a part of the batch, and not every store replaces an id.
                self._delete([each.vector_id for each in batch])
                write_vectors(self.open(), batch)
            except Exception as second:  # noqa: BLE001 - the same
                self._down = ServiceError(f"The vector store failed to write: {reason_of(second)}")
                raise self._down from first

    def _delete(self, vector_ids: Iterable[str]) -> None:
        try:
            delete_vectors(self.open(), list(vector_ids), self._batch_size)
        except Exception as error:
            raise ServiceError(f"The vector store failed to delete: {reason_of(error)}") from error
