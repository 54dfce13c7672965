"""``obsirag plugins``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from obsirag.cli.printing import complain, print_json, print_line
from obsirag.cli.settle import ConfigFile, config_file_here, settle_config

if TYPE_CHECKING:
    from obsirag.plugins import PluginInfo

__all__ = ["plugins"]


def plugins(
    config: ConfigFile = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.1, help="How long the import of one plugin may take.")
    ] = 10.0,
) -> None:
    """List the plugins that are installed: what they make, from where, and why one cannot be used.

    This imports them all but those that the configuration denies, each of other distributions in a process of its own.
    """
    from obsirag.plugins import Registry, survey

    file = config or config_file_here()
    settings = None if file is None else settle_config(None, None, file, needs_index=False)
    registry = Registry(options=None if settings is None else settings.plugins)
    for warning in registry.warnings:
        complain(f"Warning: {warning}")
    found = survey(registry, time_limit=seconds)
    if as_json:
        print_json([each._asdict() for each in found])
        return
    for plugin in found:
        print_plugin(plugin)


def print_plugin(plugin: PluginInfo) -> None:
    """Print one plugin on a line."""
    origin = f"{plugin.distribution} {plugin.version}".rstrip()
    made = ", ".join(plugin.kinds) or "nothing"
    told = made if plugin.state == "ready" else f"{plugin.state}: {plugin.cause}"
    took = "" if plugin.seconds is None else f"{plugin.seconds:.2f} s"
    is_wrong = plugin.state in ("failed", "too slow")
    print_line(f"{plugin.name:<16} {origin:<24} {took:>8}  {told}", style="red" if is_wrong else "")
