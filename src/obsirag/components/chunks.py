"""How a note is cut, without an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from obsirag.components.build import build_components
from obsirag.components.parts import Components
from obsirag.config import RagConfig
from obsirag.errors import VaultError

if TYPE_CHECKING:
    from langchain_core.documents import Document
    from langchain_text_splitters import TextSplitter

__all__ = ["split_note"]


def split_note(config: RagConfig, path: str, *, components: Components | None = None) -> list[Document]:
    """Return the chunks of one note, as indexing would make them.

    The vault itself is read, whatever labels its notes carry: this is for those who may read the files.

    Args:
        config: The configuration.
        path: The note, as a path in the vault.
        components: Ready parts, instead of those that the configuration describes.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        VaultError: If the vault cannot be read, or has no such note.
    """
    from obsirag.cleaning import clean
    from obsirag.indexing import split_note as cut
    from obsirag.vault import UNREADABLE_NOTE_CODES, Vault

    rendered = Vault(config.vault, **config.vault_options.model_dump()).render(path)
    for diagnostic in rendered.diagnostics:
        if diagnostic.path == path and diagnostic.code in UNREADABLE_NOTE_CODES:
            raise VaultError(str(diagnostic))
    parts = build_components(config, components, kinds=("embeddings", "splitter", "cleaner"))
    return cut(clean(rendered, config.cleaning, more_steps=parts.cleaners or ()), cast("TextSplitter", parts.splitter))
