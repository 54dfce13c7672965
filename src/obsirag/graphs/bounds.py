"""How long a question can take, in steps and model calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from obsirag.config import RagConfig
from obsirag.graphs.steps import grades, rewrites_follow_ups
from obsirag.graphs.structured import MAX_CALLS

if TYPE_CHECKING:
    from obsirag.graphs.parts import RagParts

__all__ = ["GraphBounds", "bounds_of", "bounds_of_parts", "graph_bounds"]

# The first notes, and the others.
_BATCHES = 2


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
    has_model = config.chat_model is not None if chat_model is None else chat_model
    return bounds_of(
        searches=(weights.vector > 0) + (weights.keyword > 0),
        chat_model=has_model,
        reranker=config.reranker is not None if reranker is None else reranker,
        select=True,
        rewrites_follow_ups=rewrites_follow_ups(config),
        grades=grades(config),
        max_rewrites=config.grading.max_rewrites,
        max_regenerations=config.answers.max_regenerations,
        max_calls=config.budget.model_calls,
    )


def bounds_of_parts(parts: RagParts) -> GraphBounds:
    """Return the bounds of the graph of these parts."""
    return bounds_of(
        searches=len(parts.searches),
        chat_model=parts.chat_model is not None,
        reranker=parts.reranker is not None,
        select=parts.select is not None,
        rewrites_follow_ups=parts.rewrites_follow_ups,
        grades=parts.grades,
        max_rewrites=parts.grading.max_rewrites,
        max_regenerations=parts.answers.max_regenerations,
        max_calls=parts.budget.model_calls,
    )


def bounds_of(
    *,
    searches: int,
    chat_model: bool,
    reranker: bool,
    select: bool,
    rewrites_follow_ups: bool,
    grades: bool,
    max_rewrites: int,
    max_regenerations: int,
    max_calls: int,
) -> GraphBounds:
    """Return the bounds of a graph with these steps; see :func:`graph_bounds`."""
    rewords = rewrites_follow_ups and chat_model
    rewrites = max_rewrites if grades and chat_model else 0
    rounds = 1 + rewrites
    answers = 1 + max_regenerations if chat_model else 1
    steps = 1 + rewords  # taking the question, rewording it
    steps += rounds * (2 + reranker + select + grades) + rewrites  # searching, fusing, and so on; other words
    steps += 2 * answers + 1  # answering and verifying; publishing
    calls = rewords + rounds * grades * _BATCHES * MAX_CALLS + rewrites + answers
    return GraphBounds(
        steps=steps, chat_model_calls=min(calls, max_calls) if chat_model else 0, searches=rounds * searches
    )
