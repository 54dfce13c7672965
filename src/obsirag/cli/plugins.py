"""``obsirag plugins``."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from obsirag.cli.printing import print_json, print_line

__all__ = ["plugins"]


def plugins(
    as_json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
) -> None:
    """List the plugins that are installed: what they make, from where, and what failed to load. This loads them all."""
    from obsirag.plugins import Registry

    found = [
        {"name": each.name, "distribution": each.distribution, "makes": list(each.kinds), "failure": each.failure}
        for each in Registry().survey()
    ]
    if as_json:
        print_json(found)
        return
    for plugin in found:
        print_plugin(plugin)


def print_plugin(plugin: dict[str, Any]) -> None:
    """Print one plugin on a line."""
    made = ", ".join(plugin["makes"]) or "nothing"
    told = f"failed: {plugin['failure']}" if plugin["failure"] else made
    print_line(f"{plugin['name']:<16} {plugin['distribution']:<24} {told}", style="red" if plugin["failure"] else "")
