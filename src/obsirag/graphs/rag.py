"""The wiring of the question graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from langgraph.graph import END, START, StateGraph

from obsirag.config import RagConfig
from obsirag.graphs.callers import for_caller
from obsirag.graphs.nodes.answer import AnswerNode
from obsirag.graphs.nodes.fuse import FuseNode
from obsirag.graphs.nodes.publish import PublishNode
from obsirag.graphs.nodes.rerank import RerankNode
from obsirag.graphs.nodes.search import SearchNode, failing_as
from obsirag.graphs.nodes.take_question import take_question
from obsirag.graphs.nodes.verify_citations import VerifyCitationsNode
from obsirag.graphs.parts import RagParts, open_parts
from obsirag.graphs.state import RagContext, RagInput, RagOutput, RagState

if TYPE_CHECKING:
    from obsirag.components import Components

__all__ = ["RagGraph", "build_rag_graph", "wire_rag_graph"]

RagGraph = StateGraph[RagState, RagContext, RagInput, RagOutput]

# LangGraph wants a step to be left when the last node has run.
_PUBLISHING = 2
_FROM_FUSING = 4 + 1


def build_rag_graph(config: RagConfig, *, components: Components | None = None) -> RagGraph:
    """Return the graph that answers questions from the notes, not compiled.

    Its input is ``{"messages": […]}``, its context ``{"labels": […]}`` (optional), its output ``messages``, ``answer``,
    ``citations``, ``status`` and ``degraded``. Compiled with a checkpointer it keeps threads.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        CatalogueError: If there is no index, or it cannot be opened, or was made with another embedding model.
    """
    return wire_rag_graph(open_parts(config, components))


def wire_rag_graph(parts: RagParts) -> RagGraph:
    """Return the graph of these parts, not compiled."""
    graph: RagGraph = StateGraph(RagState, RagContext, input_schema=RagInput, output_schema=RagOutput)
    fuse = FuseNode(parts.retrieval)
    answer = AnswerNode(parts.chat_model, parts.vault)
    graph.add_node("take_question", take_question)
    graph.add_node("fuse", for_caller(fuse))
    graph.add_node("answer", for_caller(answer, answer.call_async))
    graph.add_node("verify_citations", for_caller(VerifyCitationsNode(parts.vault, parts.answers.max_regenerations)))
    graph.add_node("publish", for_caller(PublishNode(parts.vault, fuse)))

    graph.add_edge(START, "take_question")
    _add_searches(graph, parts)
    _add_reranker(graph, parts)
    graph.add_edge("answer", "verify_citations")
    graph.add_conditional_edges("verify_citations", _after_verification, ["answer", "publish"])
    graph.add_edge("publish", END)
    return graph


def _add_searches(graph: RagGraph, parts: RagParts) -> None:
    searches = parts.searches
    following = _if_steps_left("fuse", _FROM_FUSING if parts.reranker is None else _FROM_FUSING + 1)
    graph.add_conditional_edges("take_question", _after_question([*searches]), [*searches, "publish"])
    for name, search in searches.items():
        node = SearchNode(name, search, parts.retrieval.candidates)
        graph.add_node(name, node, error_handler=failing_as(name, following))
        graph.add_conditional_edges(name, following, ["fuse", "publish"])


def _add_reranker(graph: RagGraph, parts: RagParts) -> None:
    if parts.reranker is None:
        graph.add_edge("fuse", "answer")
        return
    rerank = RerankNode(parts.reranker)
    graph.add_node(
        "rerank", for_caller(rerank, rerank.call_async), error_handler=failing_as("reranker", lambda _: "answer")
    )
    graph.add_edge("fuse", "rerank")
    graph.add_edge("rerank", "answer")


def _after_question(searches: list[str]) -> Callable[[RagState], list[str]]:
    def route(state: RagState) -> list[str]:
        return searches if state["question"] and state["remaining_steps"] > _PUBLISHING else ["publish"]

    return route


def _if_steps_left(following: str, steps: int) -> Callable[[RagState], str]:
    def route(state: RagState) -> str:
        return following if state["remaining_steps"] >= steps else "publish"

    return route


def _after_verification(state: RagState) -> str:
    return "answer" if state["complaint"] else "publish"
