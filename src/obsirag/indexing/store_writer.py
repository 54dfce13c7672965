"""The vector store during a run: written before the catalogue shows a note, cleared after."""

from __future__ import annotations

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
    next_index_version,
    pending_vector_ids,
    project,
    seems_emptied,
    write_meta,
    write_vectors,
)
from obsirag.errors import ServiceError, reason_of
from obsirag.indexing.store_files import StoreFiles

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
        settings: What tells the store from others.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        open_store: Callable[[Embeddings], VectorStore],
        embeddings: Embeddings,
        model_id: str,
        batch_size: int,
        settings: str = "",
    ) -> None:
        self._catalogue = catalogue
        self._open_store = open_store
        self._embeddings = embeddings
        self._model_id = model_id
        self._batch_size = batch_size
        self._settings = settings
        self._files = StoreFiles(catalogue)
        self._store: VectorStore | None = None
        self._down: ServiceError | None = None

    def open(self) -> VectorStore:
        """Return the store, opened when it is first needed: that may take longer than a whole run without changes."""
        if self._store is None:
            if self._files.is_first_opening or self._is_another:
                self._files.before_opening()
            self._store = self._open_store(CachedEmbeddings(self._embeddings, self._catalogue))
            self._files.after_opening()
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

    def verify(self, full: bool) -> None:
        """Make the store right where it may not be: it is another one than before, or has lost its vectors.

        One whose files are as the last run left them isn't even opened; one that lost any of them is filled anew, and
        another one is asked for two of its vectors.

        Args:
            full: Whether to compare all its ids.

        Raises:
            ServiceError: If the store fails.
        """
        compare = full or self._is_another
        if not compare and (self._catalogue.meta("store_keeps_nothing") or self._files.are_unchanged()):
            return
        if not self._is_another and self._files.have_gone():
            self.refill()
            return
        persistent = is_persistent(self.open())
        mended = False
        try:
            if persistent and (compare or seems_emptied(self._catalogue, self.open())):
                mended = project(self._catalogue, self.open(), self._model_id, self._batch_size)
        except Exception as error:
            raise ServiceError(f"The vector store failed: {reason_of(error)}") from error
        if mended:
            with self._catalogue.writing() as connection:
                next_index_version(connection)  # an open store may not see what another process wrote
        if self._is_another:
            with self._catalogue.writing() as connection:
                write_meta(connection, "vector_store", self._settings)
                write_meta(connection, "store_keeps_nothing", None if persistent else "1")

    @property
    def _is_another(self) -> bool:
        """Whether it is another store than the one that the index had."""
        return self._catalogue.meta("vector_store") != self._settings

    def close(self) -> None:
        """Let go of the store, and remember its files as they are then."""
        if self._store is not None:
            release = getattr(self._store, "release", None)
            if callable(release):
                release()
            self._store = None
            self._files.remember()

    def refill(self) -> None:
        """Empty the store, which holds another model's vectors, and fill it with those of the catalogue.

        A store that is bound to the length of its vectors has a method ``reset()``.

        Raises:
            ServiceError: If the store fails.
        """
        if is_persistent(self.open()):
            reset = getattr(self.open(), "reset", None)
            try:
                if callable(reset):
                    reset()
                else:
                    self.empty()
                project(self._catalogue, self.open(), self._model_id, self._batch_size)
            except Exception as error:
                raise ServiceError(f"The vector store failed: {reason_of(error)}") from error
        with self._catalogue.writing() as connection:
            drop_pending(connection, pending_vector_ids(connection))
            write_meta(connection, "reset_store", None)
            next_index_version(connection)  # who opened the store meanwhile opens it again, and sees all of it

    def empty(self) -> None:
        """Delete all that the store may hold of this index.

        Raises:
            ServiceError: If the store fails.
        """
        if not is_persistent(self.open()):
            return
        with self._catalogue.reading() as connection:
            known = live_vector_ids(connection) | set(pending_vector_ids(connection))
        self._delete(sorted(known))

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
