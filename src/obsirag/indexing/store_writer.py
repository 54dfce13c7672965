"""The stores during a run: written before the catalogue shows a note, cleared after."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from obsirag.catalogue import (
    CachedEmbeddings,
    Catalogue,
    LiveText,
    LiveVector,
    NoteRecord,
    add_pending,
    batches,
    cached_vectors,
    drop_pending,
    live_vector_ids,
    pending_vector_ids,
    write_meta,
)
from obsirag.errors import ServiceError
from obsirag.indexing.one_store import OneStore
from obsirag.records import KeywordIndex

__all__ = ["StoreWriter"]

_KEYWORDS = "keyword_index"


class StoreWriter:
    """Keeps the vector store, and the keyword index if there is one, in step with the catalogue.

    Every id that is about to be written or is no longer needed stands among the catalogue's pending ids until the
    stores are known not to hold it in vain. So whatever a run that dies leaves in them, the next one finds it.

    Args:
        catalogue: The catalogue.
        open_store: Opens the vector store with the embeddings it is to use.
        embeddings: The model.
        model_id: Its stable name.
        batch_size: Most vectors of one call.
        settings: What tells the vector store from others.
        open_keywords: Opens the keyword index; None where the catalogue's own is used.
        keyword_settings: What tells that from others.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        open_store: Callable[[Embeddings], VectorStore],
        embeddings: Embeddings,
        model_id: str,
        batch_size: int,
        settings: str = "",
        open_keywords: Callable[[], KeywordIndex | None] | None = None,
        keyword_settings: str = "",
    ) -> None:
        self._catalogue = catalogue
        self._model_id = model_id
        self._batch_size = batch_size
        cached = CachedEmbeddings(embeddings, catalogue)
        self._vectors = OneStore(catalogue, lambda: open_store(cached), model_id, batch_size, settings)
        self._stores = [self._vectors]
        if open_keywords is not None:
            self._stores.append(
                OneStore(catalogue, open_keywords, model_id, batch_size, keyword_settings, kind=_KEYWORDS)
            )
        self._down: ServiceError | None = None

    def open(self) -> None:
        """Open the stores, so that it is seen whether they can be used."""
        for store in self._stores:
            store.open()

    def write(self, records: Sequence[NoteRecord]) -> None:
        """Write the chunks of notes that are not in the stores yet; all their vectors are in the cache.

        Raises:
            ServiceError: If a store fails twice; from then on none is asked again.
        """
        if self._down is not None:
            raise self._down
        stores = [store for store in self._stores if store.kept is not None]
        if not stores:
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
            written = [
                LiveVector(chunk.vector_id, chunk.content, vectors[chunk.content_hash], chunk.access, path)
                for path, chunk in batch
            ]
            texts = [
                LiveText.of_chunk(chunk.vector_id, chunk.content, chunk.metadata, chunk.access, path)
                for path, chunk in batch
            ]
            try:
                for store in stores:
                    store.write(written, texts)
            except ServiceError as error:
                self._down = error
                raise

    def clear(self) -> None:
        """Delete from the stores what they hold in vain.

        Raises:
            ServiceError: If a store fails.
        """
        with self._catalogue.reading() as connection:
            pending = pending_vector_ids(connection)
        if not pending:
            return
        for store in self._stores:
            store.delete(pending)
        with self._catalogue.writing() as connection:
            drop_pending(connection, pending)

    def verify(self, full: bool) -> None:
        """Make the stores right where they may not be, see :meth:`OneStore.verify`."""
        if len(self._stores) == 1 and self._catalogue.meta(_KEYWORDS) is not None:
            with self._catalogue.writing() as connection:
                write_meta(connection, _KEYWORDS, None)  # it falls behind from now on
        for store in self._stores:
            store.verify(full)

    def close(self) -> None:
        """Let go of the stores, and remember their files as they are then."""
        for store in self._stores:
            store.close()

    def refill(self) -> None:
        """Empty the vector store, which holds another model's vectors, and fill it with those of the catalogue.

        Raises:
            ServiceError: If the store fails.
        """
        self._vectors.refill()
        with self._catalogue.writing() as connection:
            write_meta(connection, "reset_store", None)

    def empty(self) -> None:
        """Delete all that the stores may hold of this index, but what lies in their own files in its folder.

        Raises:
            ServiceError: If a store fails.
        """
        for store in self._stores:
            if not store.files:
                store.empty()

    @property
    def files(self) -> set[str]:
        """The names of what the stores made in the index folder."""
        return {name for store in self._stores for name in store.files}
