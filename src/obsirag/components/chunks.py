"""How notes are cut, without an index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsirag.components.cutting import NoteCutter, Progress
from obsirag.components.parts import Components
from obsirag.config import RagConfig

if TYPE_CHECKING:
    from langchain_core.documents import Document

    from obsirag.splitters import SplitReport

__all__ = ["report_splitting", "split_note"]


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
    cutter = NoteCutter(config, components)
    return cutter.cut(cutter.render(path))


def report_splitting(
    config: RagConfig,
    path: str | None = None,
    *,
    components: Components | None = None,
    progress: Progress | None = None,
) -> SplitReport:
    """Return how a vault, or one note, would be cut by indexing.

    The vault itself is read, as by ``split_note``. Notes of a vault that cannot be read are among the warnings.

    Args:
        config: The configuration.
        path: The note, as a path in the vault; all notes if None.
        components: Ready parts, instead of those that the configuration describes.
        progress: Called with the number of notes done, the number of all, and the note's path.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        VaultError: If the vault cannot be read, has no such note, or the one note cannot be read.
    """
    cutter = NoteCutter(config, components)
    return cutter.report_vault(progress) if path is None else cutter.report(path)
