"""How long a question can take, in steps and model calls."""

from __future__ import annotations

from typing import NamedTuple

from obsirag.config import RagConfig

__all__ = ["GraphBounds", "bounds_of", "graph_bounds"]


class GraphBounds(NamedTuple):
    """The most that one question can take.

    Args:
        steps: Steps of the graph; nodes that run side by side are one.
        chat_model_calls: Calls of the chat model.
        searches: Searches, each with at most one call of the embedding model.
    """

    steps: int
    chat_model_calls: int
    searches: int

    @property
    def recursion_limit(self) -> int:
        """The smallest ``recursion_limit`` that never cuts a question short."""
        return self.steps + 1


def graph_bounds(config: RagConfig, *, chat_model: bool | None = None, reranker: bool | None = None) -> GraphBounds:
    """Return the most steps and model calls that a question can take under a configuration.

    Args:
        config: The configuration.
        chat_model: Whether there is a chat model; as the configuration says if None. For one given as a component.
        reranker: The same for the reranker.
    """
    weights = config.retrieval.weights
    return bounds_of(
        searches=(weights.vector > 0) + (weights.keyword > 0),
        chat_model=config.chat_model is not None if chat_model is None else chat_model,
        reranker=config.reranker is not None if reranker is None else reranker,
        max_regenerations=config.answers.max_regenerations,
    )


def bounds_of(*, searches: int, chat_model: bool, reranker: bool, max_regenerations: int) -> GraphBounds:
    """Return the bounds of a graph of these parts."""
    answers = 1 + max_regenerations if chat_model else 1
    # Taking the question, searching, fusing, reranking; answering and verifying; publishing.
    return GraphBounds(
        steps=3 + reranker + 2 * answers + 1, chat_model_calls=answers if chat_model else 0, searches=searches
    )
