"""From the configuration to versions of the question graph's nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from obsirag.components.offline import refuse_remote
from obsirag.config import Part, RagConfig, resolve_options
from obsirag.errors import ConfigError
from obsirag.plugins import DEFAULT_VERSION, NodeParts, Registry, make_node, require_version

__all__ = ["NodeVersion", "choose_versions"]


@dataclass(frozen=True, slots=True)
class NodeVersion:
    """A version that was chosen for a node.

    Args:
        name: Its name, as it stands in the configuration.
        make: Makes it of the parts of a graph; None for the node's own version.
    """

    name: str
    make: Callable[[NodeParts], Any] | None


def choose_versions(config: RagConfig, *, registry: Registry | None = None) -> dict[str, NodeVersion]:
    """Return the versions that a configuration chooses, by node.

    Nothing is loaded before a version is made, which raises a ConfigError if there is none or its options are wrong,
    and a PluginError if its plugin fails.

    Args:
        config: The configuration.
        registry: Where plugins are looked up; those installed if None.

    Raises:
        ConfigError: If options are given to a node's own version.
    """
    for node, part in config.nodes.items():
        if part.name == DEFAULT_VERSION and part.options:
            raise ConfigError(f"nodes.{node}: version {DEFAULT_VERSION} takes no options here, only other versions do")
    plugins = registry or Registry(options=config.plugins)
    return {
        node: NodeVersion(
            part.name, None if part.name == DEFAULT_VERSION else partial(_make, config, plugins, node, part)
        )
        for node, part in config.nodes.items()
    }


def _make(config: RagConfig, plugins: Registry, node: str, part: Part, parts: NodeParts) -> Any:
    require_version(plugins, node, part.name)
    options = resolve_options(part, place=f"nodes.{node}")
    if config.offline:
        refuse_remote(plugins, f"nodes.{node}", part.name, options)
    return make_node(plugins, node, part.name, options, parts)
