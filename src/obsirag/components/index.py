"""From a vault to its index."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from obsirag.components.build import build_components, store_opener
from obsirag.components.parts import Components
from obsirag.components.settings import describe_settings
from obsirag.config import RagConfig

if TYPE_CHECKING:
    from obsirag.records import IndexReport

__all__ = ["aindex_vault", "index_vault"]

Progress = Callable[[int, int, str], None]


def index_vault(
    config: RagConfig,
    *,
    components: Components | None = None,
    progress: Progress | None = None,
    full: bool = False,
) -> IndexReport:
    """Bring the index up to date with the vault, and return what was done.

    Only what is new is embedded. A run that was stopped at any moment is finished by the next one.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.
        progress: Called with the number of notes done, the number of all, and the note's path.
        full: Read every note, whatever its timestamp says, and rebuild the index if it was made with another
            embedding model.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        VaultError: If the vault cannot be read.
        CatalogueError: If the index cannot be opened, or was made with another embedding model.
        ServiceError: If a service fails.
    """
    from obsirag.catalogue import Catalogue
    from obsirag.cleaning import clean
    from obsirag.indexing import sync
    from obsirag.vault import Vault

    # First the vault: a wrong path shall not cost the loading of a model, nor leave an empty index behind.
    vault = Vault(config.vault, **config.vault_options.model_dump())
    parts = build_components(config, components, kinds=("embeddings", "vector_store", "splitter", "cleaner"))
    assert parts.embeddings is not None and parts.splitter is not None  # noqa: S101, PT018 - both were asked for
    with Catalogue.open(config.index) as catalogue:
        return sync(
            vault=vault,
            clean=lambda rendered: clean(rendered, config.cleaning, more_steps=parts.cleaners or ()),
            splitter=parts.splitter,
            embeddings=parts.embeddings,
            open_store=store_opener(config, parts),
            catalogue=catalogue,
            settings=describe_settings(config, parts),
            batch_size=config.indexing.batch_size,
            progress=progress,
            full=full,
        )


async def aindex_vault(
    config: RagConfig,
    *,
    components: Components | None = None,
    progress: Progress | None = None,
    full: bool = False,
) -> IndexReport:
    """Do what ``index_vault`` does, in a thread, where ``progress`` is called too."""
    return await asyncio.to_thread(index_vault, config, components=components, progress=progress, full=full)
