"""Plugins: the hooks they implement, the registry that finds them, and those that are built in."""

from obsirag.plugins.kinds import KINDS, Kind
from obsirag.plugins.loading import Plugin, PluginFailure
from obsirag.plugins.markers import hookimpl, hookspec
from obsirag.plugins.registry import PluginInfo, Registry

__all__ = ["KINDS", "Kind", "Plugin", "PluginFailure", "PluginInfo", "Registry", "hookimpl", "hookspec"]
