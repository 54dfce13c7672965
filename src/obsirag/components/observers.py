"""From the configuration to who watches a graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from obsirag.components.one_part import build_part
from obsirag.config import RagConfig
from obsirag.plugins import Registry

__all__ = ["build_observers"]


def build_observers(config: RagConfig, *, registry: Registry | None = None) -> list[Callable[[Any], Any]]:
    """Return the observers that ``tracing.observers`` names, in its order.

    Args:
        config: The configuration.
        registry: Where plugins are looked up; those installed if None.

    Raises:
        ConfigError: If options are wrong, or ``offline`` forbids an observer.
        PluginError: If one cannot be made.
    """
    plugins = registry or Registry(options=config.plugins)
    return [
        build_part(config, plugins, "observer", part, place=f"tracing.observers.{index}")
        for index, part in enumerate(config.tracing.observers)
    ]
