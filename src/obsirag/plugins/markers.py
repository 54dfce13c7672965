"""The two marks of the plugin system."""

from __future__ import annotations

from pluggy import HookimplMarker, HookspecMarker

__all__ = ["GROUP", "hookimpl", "hookspec"]

GROUP = "obsirag"
"""The group of entry points in which plugins are declared."""

hookspec = HookspecMarker(GROUP)
hookimpl = HookimplMarker(GROUP)
