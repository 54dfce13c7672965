"""Versions of nodes of the question graph, as plugins bring them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from obsirag.config import nearest_names
from obsirag.errors import ConfigError, PluginError
from obsirag.plugins.boundary import call_guarded
from obsirag.plugins.declared import OWN_DISTRIBUTION
from obsirag.plugins.loading import Plugin
from obsirag.plugins.node_parts import NodeParts
from obsirag.plugins.registry import Registry

__all__ = ["DEFAULT_VERSION", "make_node", "require_version"]

DEFAULT_VERSION = "1"
"""The name of the version that a node has if none is chosen."""


def require_version(plugins: Registry, node: str, version: str) -> None:
    """Make sure that there is a version of a node.

    Args:
        plugins: Where plugins are looked up.
        node: The node.
        version: The version: a plugin's name.

    Raises:
        ConfigError: If there is no such plugin, or it has no version of the node.
        PluginError: If it fails.
    """
    name = version.rpartition(":")[2]
    if name not in {each.name for each in plugins.declared}:
        near = nearest_names(name, [*_built_in(plugins, node), *(each.name for each in plugins.declared)])
        hint = f"; did you mean `{near[0]}`?" if near else "."
        raise ConfigError(f"nodes.{node}: there is no version {version!r}{hint} {_there_are(plugins, node)}")
    plugin = plugins.load(version)
    made = _versions_of(plugin)
    if node not in made:
        has = f"versions of {', '.join(sorted(made))} only" if made else "no versions of nodes"
        raise ConfigError(f"nodes.{node}: {plugin} has {has}. {_there_are(plugins, node)}")


def make_node(plugins: Registry, node: str, version: str, options: dict[str, Any], parts: NodeParts) -> Any:
    """Return a version of a node, as its plugin makes it.

    Args:
        plugins: Where plugins are looked up.
        node: The node.
        version: The version, of which it is known that there is one.
        options: Its options.
        parts: The parts of the graph.

    Raises:
        ConfigError: If it cannot be made with these options and parts.
        PluginError: If it fails.
    """
    plugin = plugins.load(version)
    make = partial(_versions_of(plugin)[node], dict(options), parts)
    return call_guarded(plugin, f"make the node {node}", options, make)


def _versions_of(plugin: Plugin) -> Mapping[str, Callable[[dict[str, Any], NodeParts], Any]]:
    given = call_guarded(plugin, "say of which nodes it has versions", {}, lambda: plugin.call("nodes"))
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(name, str) and callable(given[name]) for name in given):
        raise PluginError(f"{plugin} is to give functions by the names of nodes, but gave something else")
    return given


def _there_are(plugins: Registry, node: str) -> str:
    names = ", ".join([DEFAULT_VERSION, *_built_in(plugins, node)])
    return f"Built-in versions of {node}: {names}"


def _built_in(plugins: Registry, node: str) -> list[str]:
    # Asking a stranger would mean to import it.
    return [
        name
        for name in (each.name for each in plugins.built_in)
        if node in _versions_of(plugins.load(f"{OWN_DISTRIBUTION}:{name}"))
    ]
