"""Plugins: the hooks they implement, the registry that finds them, and those that are built in."""

from obsirag.plugins.kinds import KINDS, Kind
from obsirag.plugins.loading import Plugin, PluginFailure
from obsirag.plugins.markers import hookimpl, hookspec
from obsirag.plugins.node_parts import NodeParts
from obsirag.plugins.node_versions import DEFAULT_VERSION, make_node, require_version
from obsirag.plugins.registry import PluginInfo, Registry

__all__ = [
    "DEFAULT_VERSION",
    "KINDS",
    "Kind",
    "NodeParts",
    "Plugin",
    "PluginFailure",
    "PluginInfo",
    "Registry",
    "hookimpl",
    "hookspec",
    "make_node",
    "require_version",
]
