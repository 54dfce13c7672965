"""One part, made by the plugin that the configuration names."""

from __future__ import annotations

from typing import Any

from obsirag.components.offline import refuse_remote
from obsirag.config import Part, RagConfig, resolve_options
from obsirag.plugins import Kind, Registry

__all__ = ["build_part", "check_part"]


def check_part(config: RagConfig, plugins: Registry, kind: Kind, part: Part, place: str = "") -> dict[str, Any]:
    """Return the options of a part that could be made.

    Args:
        config: The configuration.
        plugins: Where its plugin is looked up.
        kind: Its kind.
        part: What the configuration says of it.
        place: Where it says so, e.g. ``cleaning.steps.0``; the kind if empty.

    Raises:
        ConfigError: If a variable of the environment is missing, or ``offline`` forbids the part.
        PluginError: If the plugin cannot be loaded, or makes no such part.
    """
    plugins.require(kind, part.name)
    options = resolve_options(part, place=place or kind)
    if config.offline:
        refuse_remote(plugins, place or kind, part.name, options)
    return options


def build_part(config: RagConfig, plugins: Registry, kind: Kind, part: Part, place: str = "", **context: Any) -> Any:
    """Return a part, made.

    Args:
        config: As for ``check_part``.
        plugins: Likewise.
        kind: Likewise.
        part: Likewise.
        place: Likewise.
        context: What its hook takes beside the options.

    Raises:
        ConfigError: If options are wrong, or ``offline`` forbids the part.
        PluginError: If it cannot be made.
    """
    return plugins.build(kind, part.name, check_part(config, plugins, kind, part, place), **context)
