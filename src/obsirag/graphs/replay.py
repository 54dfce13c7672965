"""One node of the question graph, run alone on what it got in an earlier run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Send

from obsirag.errors import ConfigError
from obsirag.graphs.state import RagContext

if TYPE_CHECKING:
    from obsirag.graphs.rag import RagGraph

__all__ = ["replay_node"]


def replay_node(graph: RagGraph, node: str, state: Mapping[str, Any], *, labels: Sequence[str] = ()) -> dict[str, Any]:
    """Return the update that a node gives on a state; empty if it gives none, or waits for a person.

    Nothing but the node runs: no other node, no route, no checkpointer of yours.

    Args:
        graph: The graph, not compiled.
        node: The node's name.
        state: What the node is to get, such as ``read_dump(file).state``; of it the node gets what the labels allow.
        labels: The caller's labels.

    Raises:
        ConfigError: If the graph has no such node.
    """
    if node not in graph.nodes:
        raise ConfigError(f"This graph has no node {node}; it has {', '.join(sorted(graph.nodes))}")
    alone: StateGraph[Any, Any, Any, Any] = StateGraph(graph.state_schema, graph.context_schema)
    alone.add_node(node, graph.nodes[node].runnable)
    # Sent, a state reaches the node as it is: no reducer is asked, and the steps that were left are left again.
    alone.add_conditional_edges(START, lambda _: [Send(node, dict(state))], [node])
    update: dict[str, Any] = {}
    for event in alone.compile(checkpointer=InMemorySaver()).stream(
        {"messages": []},
        {"configurable": {"thread_id": "replay"}},
        context=RagContext(labels=list(labels)),
        stream_mode="updates",
    ):
        update |= event.get(node) or {}
    return update
