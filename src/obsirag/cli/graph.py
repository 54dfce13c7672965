"""``obsirag graph``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from obsirag.cli.printing import print_line
from obsirag.cli.settle import ConfigFile, IndexFolder, PresetName, VaultFolder, settle_config

if TYPE_CHECKING:
    from langchain_core.runnables.graph import Graph

__all__ = ["graph"]


def graph(
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    preset: PresetName = None,
    mermaid: Annotated[bool, typer.Option("--mermaid", help="Print it as a Mermaid diagram.")] = False,
) -> None:
    """Show the question graph of a configuration: its nodes, and where each of them leads."""
    from obsirag.graphs import build_rag_graph

    drawn = build_rag_graph(settle_config(vault, index, config, preset=preset)).compile().get_graph()
    if mermaid:
        print_line(drawn.draw_mermaid().rstrip())
        return
    print_nodes(drawn)


def print_nodes(drawn: Graph) -> None:
    """Print each node with those that may follow it."""
    for name in drawn.nodes:
        targets = [edge.target for edge in drawn.edges if edge.source == name]
        if targets:
            print_line(f"{name} → {', '.join(targets)}")
