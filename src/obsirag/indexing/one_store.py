"""One of the stores that hold what the catalogue holds: its vectors, or its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from obsirag.catalogue import (
    Catalogue,
    LiveText,
    LiveVector,
    Store,
    delete_vectors,
    holds_words,
    is_persistent,
    live_vector_ids,
    next_index_version,
    pending_vector_ids,
    project,
    seems_emptied,
    write_meta,
    write_texts,
    write_vectors,
)
from obsirag.errors import ServiceError, reason_of
from obsirag.indexing.store_files import StoreFiles

__all__ = ["OneStore"]


class OneStore:
    """A store that is opened when it is first needed, and made right where it may not be.

    Args:
        catalogue: The catalogue.
        open_store: Opens it, or finds that there is none to be had.
        model_id: The embedding model whose vectors it is to hold.
        batch_size: Most items of one call.
        settings: What tells it from others.
        kind: Which of the stores it is; under this name the catalogue remembers what is known of it.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        open_store: Callable[[], Store | None],
        model_id: str,
        batch_size: int,
        settings: str = "",
        kind: str = "vector_store",
    ) -> None:
        self._catalogue = catalogue
        self._open_store = open_store
        self._model_id = model_id
        self._batch_size = batch_size
        self._settings = settings
        self._kind = kind
        short = kind.removeprefix("vector_")
        self._nothing_kept = f"{short}_keeps_nothing"
        self._files = StoreFiles(catalogue, short)
        self._opened: tuple[Store | None] | None = None

    @property
    def words(self) -> str:
        """What it is, in a sentence."""
        return self._kind.replace("_", " ")

    def open(self) -> Store | None:
        """Return the store, opened when it is first needed: that may take longer than a whole run without changes.

        Returns:
            None if it is found then that there is none to be had.
        """
        if self._opened is None:
            if self._files.is_first_opening or self._is_another:
                self._files.before_opening()
            self._opened = (self._open_store(),)
            self._files.after_opening()
        return self._opened[0]

    @property
    def files(self) -> list[str]:
        """The names of what it made in the index folder."""
        return self._files.names()

    @property
    def kept(self) -> Store | None:
        """The store, opened, if it keeps what is written to it."""
        store = self.open()
        return store if store is not None and is_persistent(store) else None

    def write(self, vectors: Sequence[LiveVector], texts: Sequence[LiveText]) -> None:
        """Write chunks: their vectors, or their words.

        Raises:
            ServiceError: If that fails twice.
        """
        try:
            self._write(vectors, texts)
        except Exception as first:  # noqa: BLE001 - a store is somebody else's code and may raise anything
            try:
                # The first try may have written a part of the batch, and not every store replaces an id.
                self.delete([each.vector_id for each in vectors])
                self._write(vectors, texts)
            except Exception as second:  # noqa: BLE001 - the same
                raise ServiceError(f"The {self.words} failed to write: {reason_of(second)}") from first

    def delete(self, vector_ids: Iterable[str]) -> None:
        """Delete ids.

        Raises:
            ServiceError: If that fails.
        """
        store = self.kept
        if store is None:
            return
        try:
            delete_vectors(store, list(vector_ids), self._batch_size)
        except Exception as error:
            raise ServiceError(f"The {self.words} failed to delete: {reason_of(error)}") from error

    def verify(self, full: bool) -> None:
        """Make the store right where it may not be: it is another one than before, or has lost what it held.

        One whose files are as the last run left them isn't even opened; one that lost any of them is filled anew, and
        another one is asked for two of its vectors.

        Args:
            full: Whether to compare all its ids.

        Raises:
            ServiceError: If the store fails.
        """
        compare = full or self._is_another
        if not compare and (self._catalogue.meta(self._nothing_kept) or self._files.are_unchanged()):
            return
        if not self._is_another and self._files.have_gone():
            self.refill()
            return
        mended = False
        store = self.kept
        try:
            if store is not None and (compare or seems_emptied(self._catalogue, store)):
                mended = self._project(store)
        except Exception as error:
            raise ServiceError(f"The {self.words} failed: {reason_of(error)}") from error
        if mended:
            with self._catalogue.writing() as connection:
                next_index_version(connection)  # an open store may not see what another process wrote
        if compare:
            self._remember()

    def refill(self) -> None:
        """Empty the store, and fill it with what the catalogue holds.

        A store that is bound to the length of its vectors has a method ``reset()``.

        Raises:
            ServiceError: If the store fails.
        """
        if (store := self.kept) is not None:
            reset = getattr(store, "reset", None)
            try:
                if callable(reset):
                    reset()
                else:
                    self.empty()
                self._project(store)
            except Exception as error:
                raise ServiceError(f"The {self.words} failed: {reason_of(error)}") from error
        with self._catalogue.writing() as connection:
            next_index_version(connection)  # who opened the store meanwhile opens it again, and sees all of it

    def empty(self) -> None:
        """Delete all that the store may hold of this index.

        Raises:
            ServiceError: If the store fails.
        """
        with self._catalogue.reading() as connection:
            known = live_vector_ids(connection) | set(pending_vector_ids(connection))
        self.delete(sorted(known))

    def close(self) -> None:
        """Let go of the store, and remember its files as they are then."""
        if self._opened is None:
            return
        release = getattr(self._opened[0], "release", None)
        try:
            if callable(release):
                release()
        except Exception as error:
            raise ServiceError(f"The {self.words} failed: {reason_of(error)}") from error
        self._opened = None
        self._files.remember()

    @property
    def _is_another(self) -> bool:
        """Whether it is another store than the one that the index had."""
        return self._catalogue.meta(self._kind) != self._settings

    def _remember(self) -> None:
        kept = "1" if self.kept is None else None
        if not self._is_another and self._catalogue.meta(self._nothing_kept) == kept:
            return
        with self._catalogue.writing() as connection:
            write_meta(connection, self._kind, self._settings)
            write_meta(connection, self._nothing_kept, kept)

    def _project(self, store: Store) -> bool:
        return project(self._catalogue, store, self._model_id, self._batch_size)

    def _write(self, vectors: Sequence[LiveVector], texts: Sequence[LiveText]) -> None:
        store = self.kept
        if store is None:
            return
        if holds_words(store):
            write_texts(store, texts)
        else:
            write_vectors(store, vectors)
