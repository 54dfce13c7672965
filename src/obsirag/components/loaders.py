"""From the configuration to a vault with loaders for its other files."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from obsirag.components.one_part import build_part
from obsirag.components.parts import Components
from obsirag.config import RagConfig
from obsirag.plugins import Registry
from obsirag.records import LoadedFile, Loader

if TYPE_CHECKING:
    from obsirag.vault import Vault

__all__ = ["ConfiguredLoader", "build_loaders", "open_vault"]


@dataclass(frozen=True, slots=True)
class ConfiguredLoader:
    """A loader that a plugin made, with what tells it from another one.

    Args:
        loader: The loader.
        origin: Its plugin, with the version of its distribution.
        options: A name of its options, which holds none of them.
    """

    loader: Loader
    origin: str
    options: str

    @property
    def suffixes(self) -> Collection[str]:
        """The ends of the names of the files that it reads."""
        return self.loader.suffixes

    def load(self, path: Path) -> LoadedFile:
        """Return a file as Markdown."""
        return self.loader.load(path)


def build_loaders(config: RagConfig, plugins: Registry) -> tuple[ConfiguredLoader, ...]:
    """Return the loaders that ``loaders`` names, in its order.

    Args:
        config: The configuration.
        plugins: Where plugins are looked up.

    Raises:
        ConfigError: If options are wrong, or ``offline`` forbids a loader.
        PluginError: If one cannot be made.
    """
    return tuple(
        ConfiguredLoader(
            build_part(config, plugins, "loader", part, place=f"loaders.{index}"),
            str(plugins.load(part.name)),
            sha256(json.dumps(part.options, sort_keys=True, default=str).encode()).hexdigest(),
        )
        for index, part in enumerate(config.loaders)
    )


def open_vault(config: RagConfig, components: Components | None = None) -> Vault:
    """Return the configuration's vault, read with its options and loaders.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.

    Raises:
        ConfigError: If options of a loader are wrong.
        PluginError: If a loader cannot be made.
        VaultError: If there is no such folder, or the loaders don't go together.
    """
    from obsirag.vault import Vault

    given = components.loaders if components else None
    loaders = build_loaders(config, Registry(options=config.plugins)) if given is None else given
    return Vault(config.vault, **config.vault_options.model_dump(), loaders=loaders)
