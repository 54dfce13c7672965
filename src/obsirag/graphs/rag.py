"""The wiring of the question graph."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from obsirag.config import RagConfig, nearest_names
from obsirag.errors import ConfigError
from obsirag.graphs.own_nodes import Node
from obsirag.graphs.parts import RagParts, open_parts
from obsirag.graphs.set_labels import LabelsOfUser, set_labels
from obsirag.graphs.tracing import Observer
from obsirag.graphs.wiring import (
    RagGraph,
    Wiring,
    add_answer,
    add_judging,
    add_ordering,
    add_question,
    add_searches,
)

if TYPE_CHECKING:
    from obsirag.components import Components

__all__ = ["RagGraph", "build_rag_graph", "wire_rag_graph"]


def build_rag_graph(
    config: RagConfig,
    *,
    components: Components | None = None,
    nodes: Mapping[str, Node] | None = None,
    observers: Sequence[Observer] = (),
    labels: Collection[str] | LabelsOfUser | None = None,
) -> RagGraph:
    """Return the graph that answers questions from the notes, not compiled.

    Its input is ``{"messages": […]}``, its context ``{"labels": […]}`` (optional), its output ``messages``, ``answer``,
    ``citations``, ``status`` and ``degraded``. Compiled with a checkpointer it keeps threads.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.
        nodes: Nodes by the names of those whose places they take: functions, plain or async, or Runnables, that get the
            state as its caller may read it and return an update. A search gets ``{"query": …}`` alone, and ``filter``
            where the question belongs to an area with one.
        observers: Watch the nodes, such as a ``RunRecorder``; see :data:`obsirag.graphs.Observer`.
        labels: For a graph whose runs others start: the labels of all callers, or a function that gives those of the
            user whom a LangGraph server has authenticated (``runtime.server_info.user``; None without one). It is
            called in every node. A run whose context has labels is refused then. None for those of the context.

    Raises:
        ConfigError: If the configuration is wrong, the graph has no node of a name, or what is given for one is no
            node.
        PluginError: If a part cannot be made.
        CatalogueError: If there is no index, or it cannot be opened, or was made with another embedding model.
    """
    given_labels = set_labels(labels)
    if not isinstance(nodes, Mapping | None):
        raise ConfigError(f"nodes must be functions by the names of nodes, not a {type(nodes).__name__}")
    parts = open_parts(config, components, observers)
    return wire_rag_graph(replace(parts, nodes=nodes or {}, labels=given_labels))


def wire_rag_graph(parts: RagParts) -> RagGraph:
    """Return the graph of these parts, not compiled.

    take_question → [intent] → [contextualise] → [plan] → [map_terms] → searches side by side → fuse → [rerank] →
    select → [grade] → [read_pages] → [request_review → review] → answer ⇄ verify_citations → publish; from grade back
    to the searches, by way of rewrite, or to the web; and from intent to converse or decline → publish. A question with
    several aspects is searched for, and answered by answer_aspect, once for each; compose puts that together.
    """
    wiring = Wiring(parts)
    add_question(wiring)
    add_searches(wiring)
    add_ordering(wiring)
    add_judging(wiring)
    add_answer(wiring)
    if unknown := sorted({*parts.nodes, *parts.versions} - set(wiring.graph.nodes)):
        known = sorted(name for name in wiring.graph.nodes if not name.startswith("__"))
        near = nearest_names(unknown[0], known)
        hint = f" (did you mean {near[0]}?)" if near else ""
        raise ConfigError(f"nodes: this graph has no {', '.join(unknown)}{hint}; it has {', '.join(known)}")
    return wiring.graph
