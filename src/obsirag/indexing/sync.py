"""Making the index what the vault is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore
from langchain_text_splitters import TextSplitter

from obsirag.catalogue import Catalogue
from obsirag.indexing.engine import Engine, LocalEngine
from obsirag.indexing.indexer import Indexer
from obsirag.indexing.lock import writer_lock
from obsirag.indexing.preparing import VaultLike
from obsirag.records import IndexReport, KeywordIndex, RenderedNote

__all__ = ["run_sync", "sync"]

Progress = Callable[[int, int, str], None]


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
    concurrency: int = 1,
    calls_per_second: float | None = None,
    open_keywords: Callable[[], KeywordIndex | None] | None = None,
    progress: Progress | None = None,
    full: bool = False,
    rebuild: bool = False,
    allow_deletions: bool = False,
    wait: float = 60.0,
    retry_delays: Sequence[float] = (0.5, 2.0),
    engine: Engine | None = None,
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
            the notes be made anew where it changes, ``vector_store`` and ``keyword_index``: where it changes, the new
            one is filled.
        batch_size: Most texts of one call to the model, and most vectors of one call to the store; the embeddings may
            declare a smaller one of their own for what they are given.
        concurrency: Most calls to the model at a time.
        calls_per_second: Most calls to the model a second, further tries included; None for no limit.
        open_keywords: Opens the keyword index, where it isn't the catalogue's own; called only if it is needed.
        progress: Called with the number of notes looked at, their total, and the last one's path.
        full: Whether to look at every note whatever its file's state, compare the whole store, and accept another
            embedding model, for which everything is embedded anew: all of it first, so that readers have the old
            vectors until then.
        rebuild: Whether to do that and to embed everything anew for the same model, too.
        allow_deletions: Whether more than half of the notes of an index of at least a hundred may leave it.
        wait: Seconds to wait for another run to end.
        retry_delays: Seconds to wait before each further try of a failed embedding batch.
        engine: Where notes are read, made and embedded; in this process if None.

    Returns:
        What was found and done. A note that could not be indexed is among ``failed``, and what the index held of it
        stays.

    Raises:
        VaultError: If there is no such vault, or no note in it.
        CatalogueError: If the index was made with another embedding model, if the vault has lost all or very many
            of its notes, or if another run doesn't end.
        ServiceError: If the vector store fails before the first note, or, where everything is to be embedded anew, the
            embedding model does.
    """
    indexer = Indexer(
        vault=vault,
        splitter=splitter,
        embeddings=embeddings,
        open_store=open_store,
        catalogue=catalogue,
        clean=clean,
        settings=settings or {},
        batch_size=batch_size,
        concurrency=concurrency,
        calls_per_second=calls_per_second,
        open_keywords=open_keywords,
        retry_delays=retry_delays,
        engine=engine or LocalEngine(),
    )
    return run_sync(indexer, progress, full=full, rebuild=rebuild, allow_deletions=allow_deletions, wait=wait)


def run_sync(
    indexer: Indexer,
    progress: Progress | None = None,
    *,
    full: bool = False,
    rebuild: bool = False,
    allow_deletions: bool = False,
    wait: float = 60.0,
) -> IndexReport:
    """Do what ``sync`` says, with parts that were put together before."""
    tell = progress or (lambda *_: None)
    with writer_lock(indexer.catalogue.folder, wait):
        run = indexer.start(tell, full=full, rebuild=rebuild, allow_deletions=allow_deletions)
        run.begin()
        while not run.is_done:
            run.prepare(tell)
            run.write(tell)
        return run.finish()
