"""From a vault to its index."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from obsirag.components.build import build_components, store_opener
from obsirag.components.cleaning import cleaner_of
from obsirag.components.engines import open_engine
from obsirag.components.keywords import keyword_index_opener
from obsirag.components.loaders import open_vault
from obsirag.components.parts import Components
from obsirag.components.settings import describe_settings
from obsirag.config import RagConfig

if TYPE_CHECKING:
    from obsirag.catalogue import Catalogue
    from obsirag.indexing import Indexer
    from obsirag.plugins import Kind
    from obsirag.records import IndexReport

__all__ = ["aindex_vault", "build_indexing_parts", "index_vault", "open_indexer"]

Progress = Callable[[int, int, str], None]


def index_vault(
    config: RagConfig,
    *,
    components: Components | None = None,
    progress: Progress | None = None,
    full: bool = False,
    allow_deletions: bool = False,
) -> IndexReport:
    """Bring the index up to date with the vault, and return what was done.

    Only what is new is embedded. A run that was stopped at any moment is finished by the next one.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.
        progress: Called with the number of notes done, the number of all, and the note's path.
        full: Read every note, whatever its timestamp says, and rebuild the index if it was made with another
            embedding model.
        allow_deletions: Let more than half of the notes of an index of at least a hundred leave it, if they are no
            longer in the vault.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        VaultError: If the vault cannot be read.
        CatalogueError: If the index cannot be opened, was made with another embedding model, or would lose very many
            notes.
        ServiceError: If a service fails.
    """
    from obsirag.catalogue import Catalogue
    from obsirag.indexing import run_sync

    with open_indexer(config, components, Catalogue.open) as indexer:
        return run_sync(indexer, progress, full=full, allow_deletions=allow_deletions)


async def aindex_vault(
    config: RagConfig,
    *,
    components: Components | None = None,
    progress: Progress | None = None,
    full: bool = False,
    allow_deletions: bool = False,
) -> IndexReport:
    """Do what ``index_vault`` does, in a thread, where ``progress`` is called too."""
    return await asyncio.to_thread(
        index_vault,
        config,
        components=components,
        progress=progress,
        full=full,
        allow_deletions=allow_deletions,
    )


def build_indexing_parts(config: RagConfig, components: Components | None = None) -> Components:
    """Return the parts that indexing needs, ready, so that several runs can use them.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
    """
    kinds: tuple[Kind, ...] = ("embeddings", "vector_store", "keyword_index", "splitter", "cleaner", "loader")
    return build_components(config, components, kinds=kinds)


@contextmanager
def open_indexer(
    config: RagConfig,
    components: Components | None,
    open_catalogue: Callable[[Path], AbstractContextManager[Catalogue]],
) -> Iterator[Indexer]:
    """Lend an indexer over the configuration's vault and index.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.
        open_catalogue: Opens the catalogue in the index folder.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        VaultError: If there is no such vault.
        CatalogueError: If the index cannot be opened.
    """
    from obsirag.indexing import Indexer

    # First the vault: a wrong path shall not cost the loading of a model, nor leave an empty index behind.
    loaders: tuple[Kind, ...] = ("loader",)
    components = build_components(config, components, kinds=loaders)
    vault = open_vault(config, components)
    parts = build_indexing_parts(config, components)
    assert parts.embeddings is not None and parts.splitter is not None  # noqa: S101, PT018 - both were asked for
    calls = _concurrency(config, parts)
    with open_engine(config, parts, calls) as engine, open_catalogue(config.index) as catalogue:
        yield Indexer(
            vault=vault,
            clean=cleaner_of(config, parts),
            splitter=parts.splitter,
            embeddings=parts.embeddings,
            open_store=store_opener(config, parts),
            open_keywords=keyword_index_opener(config, parts),
            catalogue=catalogue,
            settings=describe_settings(config, parts),
            batch_size=config.indexing.batch_size,
            concurrency=calls * config.indexing.processes,
            calls_per_second=config.indexing.calls_per_second,
            engine=engine,
        )


def _concurrency(config: RagConfig, parts: Components) -> int:
    """Return how many calls a process makes to the embedding model at a time.

    What a stranger declares counts only if it is a number.
    """
    declared = getattr(parts.embeddings, "concurrency", None)
    usual = declared if isinstance(declared, int) and not isinstance(declared, bool) and declared > 0 else 1
    return config.indexing.concurrency or usual
