"""The version of the interface between obsirag and its plugins."""

from __future__ import annotations

from typing import Any

from obsirag.errors import PluginError

__all__ = ["API_VERSION", "OLDEST_API_VERSION", "api_version_of"]

API_VERSION = 1
"""Goes up by one with a release that adds a hook or an argument."""

OLDEST_API_VERSION = 1
"""Goes up to the version that took something away or changed its meaning."""


def api_version_of(implementation: Any) -> int | None:
    """Return the version that a plugin says it was made for, in its attribute ``API_VERSION``; None if it says none.

    Raises:
        PluginError: If it doesn't fit this obsirag, or is no version.
    """
    declared = getattr(implementation, "API_VERSION", None)
    if declared is None:
        return None
    if not isinstance(declared, int) or isinstance(declared, bool):
        raise PluginError(f"its API_VERSION is {declared!r}, but has to be a whole number, such as {API_VERSION}")
    if declared > API_VERSION:
        raise PluginError(
            f"it is made for version {declared} of the plugin interface, and this obsirag has version {API_VERSION}: "
            "update obsirag, or install an older version of the plugin"
        )
    if declared < OLDEST_API_VERSION:
        raise PluginError(
            f"it is made for version {declared} of the plugin interface, and this obsirag takes versions "
            f"{OLDEST_API_VERSION} to {API_VERSION}: update the plugin"
        )
    return declared
