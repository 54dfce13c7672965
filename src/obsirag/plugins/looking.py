"""What can be told of one plugin that is imported for it, without making a part."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from typing import Any

from obsirag.errors import MissingExtraError, ObsiragError
from obsirag.plugins.loading import PluginFailure
from obsirag.plugins.registry import Registry

__all__ = ["look_at"]


def look_at(registry: Registry, entry_point: EntryPoint) -> dict[str, Any]:
    """Import a plugin, and return what can be told of it without making a part, as fields of a ``PluginInfo``."""
    loaded = registry.load_declared(entry_point)
    if isinstance(loaded, PluginFailure):
        state = "missing extra" if isinstance(loaded.cause, MissingExtraError) else "failed"
        return {"state": state, "cause": loaded.reason, "seconds": loaded.seconds}
    found = {"kinds": loaded.kinds, "api_version": loaded.api_version, "seconds": loaded.seconds}
    try:
        missing = registry.missing(loaded)
    except ObsiragError as error:
        return {**found, "state": "failed", "cause": str(error)}
    if missing is not None:
        return {**found, "state": "missing extra", "cause": f"pip install {missing}"}
    return {**found, "state": "ready"}
