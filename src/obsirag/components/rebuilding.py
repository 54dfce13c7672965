"""Making an index anew, and removing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from obsirag.components.build import store_opener
from obsirag.components.index import open_indexer
from obsirag.components.keywords import keyword_index_opener
from obsirag.components.parts import Components
from obsirag.config import RagConfig

if TYPE_CHECKING:
    from obsirag.records import IndexReport

__all__ = ["drop_index", "rebuild_index"]

Progress = Callable[[int, int, str], None]


def rebuild_index(
    config: RagConfig,
    *,
    components: Components | None = None,
    progress: Progress | None = None,
    allow_deletions: bool = False,
) -> IndexReport:
    """Embed all notes anew, also with another embedding model than before, and bring the index up to date.

    Everything is embedded first; until then readers find what they found before. Then the new vectors take the place of
    the old ones in one transaction. Keywords are found all the time; vectors are missing while the store is filled
    again from the catalogue. A rebuild that was stopped goes on where it was.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.
        progress: Called with the number of notes done, the number of all, and the note's path; twice for each note, as
            it is embedded and as it is compared.
        allow_deletions: As for ``index_vault``.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        VaultError: If the vault cannot be read.
        CatalogueError: If the index cannot be opened, or would lose very many notes.
        ServiceError: If a service fails.
    """
    from obsirag.catalogue import Catalogue
    from obsirag.indexing import run_sync

    with open_indexer(config, components, Catalogue.open) as indexer:
        return run_sync(indexer, progress, rebuild=True, allow_deletions=allow_deletions)


def drop_index(config: RagConfig, *, components: Components | None = None) -> list[str]:
    """Remove the index: what indexing made in its folder, and its vectors where these lie elsewhere.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.

    Returns:
        The names of what else lies in the folder, and stays.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If the vector store cannot be opened.
        CatalogueError: If the folder holds no index, or a run that is indexing doesn't end.
        ServiceError: If the vector store fails.
    """
    from obsirag.indexing import drop

    return drop(
        config.index,
        store_opener(config, components),
        open_keywords=keyword_index_opener(config, components),
    )
