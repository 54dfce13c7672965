"""What indexing would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsirag.components.index import open_indexer
from obsirag.components.parts import Components
from obsirag.config import RagConfig

if TYPE_CHECKING:
    from obsirag.indexing import SyncPlan

__all__ = ["plan_sync"]


def plan_sync(config: RagConfig, *, components: Components | None = None, full: bool = False) -> SyncPlan:
    """Return what ``index_vault`` would do, without writing or embedding anything.

    The index need not exist: then everything would be added.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.
        full: As for ``index_vault``.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        VaultError: If the vault cannot be read.
        CatalogueError: If the index cannot be read, was made with another embedding model, or was written meanwhile.
    """
    from obsirag.catalogue import Catalogue

    with open_indexer(config, components, Catalogue.open_read_only) as indexer:
        return indexer.plan(full=full)
