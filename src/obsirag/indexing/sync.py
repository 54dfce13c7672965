"""Making the index what the vault is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore
from langchain_text_splitters import TextSplitter

from obsirag.catalogue import (
    Catalogue,
    digest,
    drop_unused_vectors,
    embedding_model_id,
    known_notes,
    publish,
    write_meta,
)
from obsirag.errors import CatalogueError, VaultError
from obsirag.indexing.changes import find_changes
from obsirag.indexing.embedding import Embedder
from obsirag.indexing.lock import writer_lock
from obsirag.indexing.preparing import Preparer, VaultLike
from obsirag.indexing.run import Run
from obsirag.indexing.store_writer import StoreWriter
from obsirag.records import IndexReport, RenderedNote

__all__ = ["sync"]

_FORMAT = "1"
"""Raised when the code makes other chunks or metadata from the same notes and settings: it rebuilds what it affects."""


def sync(
    *,
    vault: VaultLike,
    splitter: TextSplitter,
    embeddings: Embeddings,
    open_store: Callable[[Embeddings], VectorStore],
    catalogue: Catalogue,
    clean: Callable[[RenderedNote], RenderedNote] | None = None,
    settings: Mapping[str, str] | None = None,
    batch_size: int = 256,
    progress: Callable[[int, int, str], None] | None = None,
    full: bool = False,
    allow_empty: bool = False,
    wait: float = 60.0,
    retry_delays: Sequence[float] = (0.5, 2.0),
) -> IndexReport:
    """Bring an index up to date with a vault; only what changed is read, embedded and written.

    Whatever the moment at which a run dies, the next one finishes the job.

    Args:
        vault: The vault, made for this run.
        splitter: Cuts the notes; the project's own or any LangChain splitter.
        embeddings: The embedding model.
        open_store: Opens the vector store with the embeddings it is to use; called only if the store is needed.
        catalogue: The index's catalogue.
        clean: Cleans a rendered note before it is split.
        settings: What the notes are made with, as texts: ``vault``, ``cleaning`` and ``splitter``, any of which makes
            the notes be made anew where it changes, and ``vector_store``: where it changes, the new store is filled.
        batch_size: Most texts of one call to the model, and most vectors of one call to the store; the embeddings may
            declare a smaller one of their own.
        progress: Called with the number of notes looked at, their total, and the last one's path.
        full: Whether to look at every note whatever its file's state, compare the whole store, and accept another
            embedding model, for which everything is embedded anew.
        allow_empty: Whether a vault without notes may empty the index.
        wait: Seconds to wait for another run to end.
        retry_delays: Seconds to wait before each further try of a failed embedding batch.

    Returns:
        What was found and done. A note that could not be indexed is among ``failed``, and what the index held of it
        stays.

    Raises:
        VaultError: If there is no such vault, or no note in it.
        CatalogueError: If the index was made with another embedding model, if the vault has lost all its notes, or if
            another run doesn't end.
        ServiceError: If the vector store fails before the first note.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, not {batch_size}")
    batch_size = min(batch_size, getattr(embeddings, "batch_size", batch_size))
    settings = settings or {}
    model_id = embedding_model_id(embeddings)
    with writer_lock(catalogue.folder, wait):
        if not full:
            catalogue.check_model(model_id)
        paths = _paths(vault, catalogue, allow_empty)
        _take_model(catalogue, model_id)
        name = digest(_FORMAT, *(json.dumps([key, settings.get(key)]) for key in ("vault", "cleaning", "splitter")))
        store = StoreWriter(catalogue, open_store, embeddings, model_id, batch_size)
        if catalogue.meta("reset_store"):
            store.reset()
        store.verify(settings.get("vector_store", ""), full)
        store.clear()
        run = Run(
            vault=vault,
            catalogue=catalogue,
            changes=find_changes(vault, paths, catalogue, name, full),
            preparer=Preparer(vault, clean, splitter, name),
            embedder=Embedder(embeddings, model_id, catalogue, batch_size, retry_delays),
            store=store,
            group_size=batch_size,
        )
        return run.work(embeddings, progress or (lambda *_: None), prune=full)


def _paths(vault: VaultLike, catalogue: Catalogue, allow_empty: bool) -> list[str]:
    """Return the vault's notes; a vault that is gone or has none is more likely a mistake than a wish."""
    if not vault.root.is_dir():
        raise VaultError(f"There is no vault folder {vault.root}. Check the setting `vault`.")
    paths = vault.paths()
    if paths or allow_empty:
        return paths
    known = catalogue.note_count()
    if known:
        raise CatalogueError(
            f"The vault {vault.root} has no notes, but the index {catalogue.folder} holds {known}. Is the folder "
            "mounted, and are the settings `vault` and `ignore` right? The index was left as it is; to empty it on "
            "purpose, pass allow_empty=True or remove the index folder."
        )
    raise VaultError(f"There are no notes in {vault.root}. Check the settings `vault` and `ignore`.")


def _take_model(catalogue: Catalogue, model_id: str) -> None:
    """Bind the index to a model; if it was made with another one, empty it: no vector of it can be kept."""
    before = catalogue.model_id
    if before == model_id:
        return
    with catalogue.writing() as connection:
        if before is not None:
            publish(connection, [], list(known_notes(connection)))
            drop_unused_vectors(connection, model_id)
            write_meta(connection, "reset_store", "1")
        write_meta(connection, "model_id", model_id)
        write_meta(connection, "dimensions", None)
