"""Plugins: the hooks they implement, the registry that finds them, and those that are built in."""

from obsirag.plugins.api_version import API_VERSION, OLDEST_API_VERSION
from obsirag.plugins.kinds import KINDS, Kind
from obsirag.plugins.loading import Plugin, PluginFailure
from obsirag.plugins.markers import hookimpl, hookspec
from obsirag.plugins.node_parts import NodeParts
from obsirag.plugins.node_versions import DEFAULT_VERSION, make_node, require_version
from obsirag.plugins.registry import Registry
from obsirag.plugins.surveying import PluginInfo, PluginState, survey

__all__ = [
    "API_VERSION",
    "DEFAULT_VERSION",
    "KINDS",
    "OLDEST_API_VERSION",
    "Kind",
    "NodeParts",
    "Plugin",
    "PluginFailure",
    "PluginInfo",
    "PluginState",
    "Registry",
    "hookimpl",
    "hookspec",
    "make_node",
    "require_version",
    "survey",
]
