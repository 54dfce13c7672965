"""Making the index what the vault is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore
from langchain_text_splitters import TextSplitter

from obsirag._version import installed_version
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
from obsirag.indexing.embedding import Embedder, check_answers, gives_other_lengths
from obsirag.indexing.lock import writer_lock
from obsirag.indexing.preparing import Preparer, VaultLike
from obsirag.indexing.run import Run
from obsirag.indexing.store_writer import StoreWriter
from obsirag.records import IndexReport, RenderedNote

__all__ = ["sync"]

_FORMAT = "2"
"""Raised when the code makes other chunks or metadata from the same notes and settings between two versions."""


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
    wait: float = 60.0,
    retry_delays: Sequence[float] = (0.5, 2.0),
) -> IndexReport:
    """Bring an index up to date with a vault; only what changed is read, embedded and written.

    Another version of obsirag may render, clean or cut otherwise: it makes all notes anew, and embeds what is new then.

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
            declare a smaller one of their own for what they are given.
        progress: Called with the number of notes looked at, their total, and the last one's path.
        full: Whether to look at every note whatever its file's state, compare the whole store, and accept another
            embedding model, for which everything is embedded anew.
        wait: Seconds to wait for another run to end.
        retry_delays: Seconds to wait before each further try of a failed embedding batch.

    Returns:
        What was found and done. A note that could not be indexed is among ``failed``, and what the index held of it
        stays.

    Raises:
        VaultError: If there is no such vault, or no note in it.
        CatalogueError: If the index was made with another embedding model, if the vault has lost all its notes, or if
            another run doesn't end.
        ServiceError: If the vector store fails before the first note, or an embedding model that the index was not made
            with does not answer.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, not {batch_size}")
    texts_at_a_time = _batch_size(embeddings, batch_size)
    settings = settings or {}
    model_id = embedding_model_id(embeddings)
    with writer_lock(catalogue.folder, wait):
        if not full:
            catalogue.check_model(model_id)
        paths = _paths(vault, catalogue)
        name = _settings_name(settings)
        store = StoreWriter(catalogue, open_store, embeddings, model_id, batch_size)
        if catalogue.model_id not in (None, model_id) or (full and _has_other_lengths(catalogue, embeddings)):
            # Nothing may be given up for a model or a store that cannot be used.
            check_answers(embeddings, model_id, retry_delays)
            store.open()
            _give_up_model(catalogue)
        if catalogue.meta("reset_store"):
            store.reset()
        store.verify(settings.get("vector_store", ""), full)
        store.clear()
        run = Run(
            vault=vault,
            catalogue=catalogue,
            changes=find_changes(vault, paths, catalogue, name, full),
            preparer=Preparer(vault, clean, splitter, name),
            embedder=Embedder(embeddings, model_id, catalogue, texts_at_a_time, retry_delays),
            store=store,
            group_size=texts_at_a_time,
        )
        return run.work(embeddings, progress or (lambda *_: None), prune=full)


def _settings_name(settings: Mapping[str, str]) -> str:
    """Return the name of what notes are made with: the code, whose versions may make them otherwise, and settings."""
    made_with = [json.dumps([key, settings.get(key)]) for key in ("vault", "cleaning", "splitter")]
    return digest(_FORMAT, installed_version(), *made_with)


def _batch_size(embeddings: Embeddings, most: int) -> int:
    """Return how many texts to give a model at a time; an attribute of a stranger counts only if it is a number."""
    declared = getattr(embeddings, "batch_size", None)
    if isinstance(declared, int) and not isinstance(declared, bool) and declared > 0:
        return min(most, declared)
    return most


def _paths(vault: VaultLike, catalogue: Catalogue) -> list[str]:
    """Return the vault's notes; a vault that is gone or has none is more likely a mistake than a wish."""
    if not vault.root.is_dir():
        raise VaultError(f"There is no vault folder {vault.root}. Check the setting `vault`.")
    paths = vault.paths()
    if paths:
        return paths
    known = catalogue.note_count()
    if known:
        raise CatalogueError(
            f"The vault {vault.root} has no notes, but the index {catalogue.folder} holds {known}. Is the folder "
            "mounted, and are the settings `vault` and `ignore` right? The index was left as it is; if it is to go, "
            "remove the index folder."
        )
    raise VaultError(f"There are no notes in {vault.root}. Check the settings `vault` and `ignore`.")


def _has_other_lengths(catalogue: Catalogue, embeddings: Embeddings) -> bool:
    """Say whether the model became another one under the same name."""
    known = catalogue.meta("dimensions")
    return known is not None and gives_other_lengths(embeddings, int(known))


def _give_up_model(catalogue: Catalogue) -> None:
    """Empty an index that was made with another model: no vector of it can be kept.

    It is bound to the new model with the first vectors that come from it.
    """
    with catalogue.writing() as connection:
        publish(connection, [], list(known_notes(connection)))
        drop_unused_vectors(connection, "")
        for key, value in (("reset_store", "1"), ("model_id", None), ("dimensions", None)):
            write_meta(connection, key, value)
