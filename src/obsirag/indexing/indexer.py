"""What an index is made of and with, and how a run over it starts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf

from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore
from langchain_text_splitters import TextSplitter

from obsirag._version import installed_version
from obsirag.catalogue import Catalogue, cached_hashes, digest, embedding_model_id, staged_name
from obsirag.errors import CatalogueError, VaultError
from obsirag.indexing.changes import Changes, Look, SeenFile, find_changes
from obsirag.indexing.deletions import check_deletions
from obsirag.indexing.embedding import Embedder, check_answers, gives_other_lengths
from obsirag.indexing.embedding_calls import EmbeddingCalls
from obsirag.indexing.engine import Engine, LocalEngine
from obsirag.indexing.examining import Examiner, Finding
from obsirag.indexing.files import UNKNOWN_STATE
from obsirag.indexing.planning import SyncPlan, plan_of
from obsirag.indexing.preparing import Preparer, VaultLike
from obsirag.indexing.rebuilding import contents_of, embed_anew, take_over
from obsirag.indexing.run import Run
from obsirag.indexing.store_writer import StoreWriter
from obsirag.records import KeywordIndex, RenderedNote

__all__ = ["Indexer"]

_FORMAT = "4"
"""Raised when the code makes other chunks or metadata from the same notes and settings between two versions."""

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, kw_only=True)
class Indexer:
    """A vault, its index, and the parts that bring the one into the other.

    Args:
        vault: The vault, made for one run.
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
        open_keywords: Opens the keyword index, where it isn't the catalogue's own.
        retry_delays: Seconds to wait before each further try of a failed embedding batch.
        engine: Where notes are read, made and embedded; all the rest is done here.
    """

    vault: VaultLike
    splitter: TextSplitter
    embeddings: Embeddings
    open_store: Callable[[Embeddings], VectorStore]
    catalogue: Catalogue
    clean: Callable[[RenderedNote], RenderedNote] | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    batch_size: int = 256
    concurrency: int = 1
    calls_per_second: float | None = None
    open_keywords: Callable[[], KeywordIndex | None] | None = None
    retry_delays: Sequence[float] = (0.5, 2.0)
    engine: Engine = field(default_factory=LocalEngine)

    def __post_init__(self) -> None:
        for name in ("batch_size", "concurrency"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.calls_per_second is not None and not 0 < self.calls_per_second < inf:
            raise ValueError(f"calls_per_second must be a number over 0, or None, not {self.calls_per_second}")

    def plan(self, *, full: bool = False) -> SyncPlan:
        """Return what a run would do, without writing or embedding anything."""
        if not full:
            self.catalogue.check_model(self._model_id)
        paths = _paths(self.vault, self.catalogue)
        preparer = self._preparer()
        changes = find_changes(self.vault, paths, self.catalogue, preparer.settings, full)
        plan = plan_of(changes, self._findings(changes, preparer), self.catalogue, self._model_id)
        if not full or self.catalogue.model_id in (None, self._model_id):
            return plan
        contents = {key for finding in self._made_anew(paths, preparer) for key in contents_of(finding)}
        with self.catalogue.reading() as connection:
            staged = cached_hashes(connection, staged_name(self._model_id), contents)
        return replace(plan, to_embed=len(contents - staged))

    def start(
        self, progress: Progress, *, full: bool = False, rebuild: bool = False, allow_deletions: bool = False
    ) -> Run:
        """Return a run that is ready to begin; the caller holds the writer's lock.

        Args:
            progress: Called as notes are embedded ahead for a rebuild, see ``obsirag.indexing.sync.sync``.
            full: Whether to look at every note, compare the whole store, and accept another embedding model.
            rebuild: Whether to embed everything anew, besides.
            allow_deletions: Whether a large part of the notes may leave the index.

        Raises:
            VaultError: If there is no such vault, or no note in it.
            CatalogueError: If the index was made with another embedding model, or the vault lost very many notes.
            ServiceError: If the vector store or, for a rebuild, the embedding model fails.
        """
        full = full or rebuild
        if not full:
            self.catalogue.check_model(self._model_id)
        paths = _paths(self.vault, self.catalogue)
        preparer = self._preparer()
        store = StoreWriter(
            self.catalogue,
            self.open_store,
            self.embeddings,
            self._model_id,
            self.batch_size,
            self.settings.get("vector_store", ""),
            self.open_keywords,
            self.settings.get("keyword_index", ""),
        )
        embedded = 0
        if full and self._needs_vectors(rebuild):
            self._changes(paths, preparer, False, allow_deletions)  # what is refused shall not cost the embedding
            embedded = self._renew_vectors(paths, preparer, store, progress)
        if self.catalogue.meta("reset_store"):
            store.refill()
        store.verify(full)
        store.clear()
        changes = self._changes(paths, preparer, full, allow_deletions)
        return Run(
            vault=self.vault,
            catalogue=self.catalogue,
            changes=changes,
            findings=self._findings(changes, preparer),
            embedder=self._embedder(),
            store=store,
            group_size=self._group_size,
            prune=full,
            embedded=embedded,
        )

    @property
    def _model_id(self) -> str:
        return embedding_model_id(self.embeddings)

    @property
    def _texts_at_a_time(self) -> int:
        """How many texts to give the model; an attribute of a stranger counts only if it is a number."""
        declared = getattr(self.embeddings, "batch_size", None)
        if isinstance(declared, int) and not isinstance(declared, bool) and declared > 0:
            return min(self.batch_size, declared)
        return self.batch_size

    @property
    def _group_size(self) -> int:
        """How many texts to gather before the model is asked: as many as it takes in all calls that go side by side."""
        return self._texts_at_a_time * self.concurrency

    @cached_property
    def _calls(self) -> EmbeddingCalls:
        # One for all runs, or each would begin with a call of its own under a rate limit.
        return EmbeddingCalls(
            self.engine.model(self.embeddings),
            self.retry_delays,
            concurrency=self.concurrency,
            calls_per_second=self.calls_per_second,
        )

    def _changes(self, paths: Sequence[str], preparer: Preparer, full: bool, allow_deletions: bool) -> Changes:
        changes = find_changes(self.vault, paths, self.catalogue, preparer.settings, full)
        if not allow_deletions:
            check_deletions(changes, self.vault, self.catalogue)
        return changes

    def _preparer(self) -> Preparer:
        # The name of what notes are made with: the code, whose versions may make them otherwise, and settings.
        made_with = [json.dumps([key, self.settings.get(key)]) for key in ("vault", "cleaning", "splitter")]
        name = digest(_FORMAT, installed_version(), *made_with)
        return Preparer(self.vault, self.clean, self.splitter, name)

    def _findings(self, changes: Changes, preparer: Preparer) -> Iterator[Finding]:
        return self._examine(map(changes.look_at, changes.work()), preparer)

    def _made_anew(self, paths: Sequence[str], preparer: Preparer) -> Iterator[Finding]:
        """Yield what comes of each note if nothing is known of it."""
        return self._examine((Look(path, SeenFile(UNKNOWN_STATE, "")) for path in paths), preparer)

    def _examine(self, looks: Iterable[Look], preparer: Preparer) -> Iterator[Finding]:
        return self.engine.examine(Examiner(self.vault, preparer, self.embeddings), looks)

    def _embedder(self, *, staged: bool = False) -> Embedder:
        return Embedder(self._calls, self._model_id, self.catalogue, self._texts_at_a_time, staged=staged)

    def _needs_vectors(self, rebuild: bool) -> bool:
        """Say whether no vector of the index can be kept: by wish, or since the model is another one."""
        known = self.catalogue.model_id
        if known is None:
            return False
        return rebuild or known != self._model_id or self._has_other_lengths()

    def _has_other_lengths(self) -> bool:
        """Say whether the model became another one under the same name."""
        known = self.catalogue.meta("dimensions")
        return known is not None and gives_other_lengths(self._calls, int(known))

    def _renew_vectors(self, paths: Sequence[str], preparer: Preparer, store: StoreWriter, progress: Progress) -> int:
        """Embed everything anew, let that take the place of the old vectors, and return the number of texts."""
        # Nothing may be given up for a model or a store that cannot be used.
        check_answers(self._calls, self._model_id)
        store.open()
        embedder = self._embedder(staged=True)
        embed_anew(paths, self._made_anew(paths, preparer), embedder, self._group_size, progress)
        take_over(self.catalogue, self._model_id)
        return embedder.embedded


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
            "remove the index folder (`obsirag drop`)."
        )
    raise VaultError(f"There are no notes in {vault.root}. Check the settings `vault` and `ignore`.")
