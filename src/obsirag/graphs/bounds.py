"""How long a question can take, in steps and model calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, get_args

from obsirag.config import RagConfig, TermOptions, with_preset
from obsirag.graphs.state import Strategy
from obsirag.graphs.structured import MAX_CALLS
from obsirag.graphs.versions import BY_CHAT_MODEL
from obsirag.plugins import DEFAULT_VERSION

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
        searches: Searches of the notes and of the web; each of the notes' with at most one call of the embedding model.
    """

    steps: int
    chat_model_calls: int
    searches: int

    @property
    def recursion_limit(self) -> int:
        """The smallest ``recursion_limit`` that never cuts a question short.

        Under a smaller one a question ends with what was found by then; under 3 it cannot even be taken and answered
        that nothing was looked for, and LangGraph raises its ``GraphRecursionError``.
        """
        return self.steps + 1


def graph_bounds(
    config: RagConfig,
    *,
    chat_model: bool | None = None,
    reranker: bool | None = None,
    web_search: bool | None = None,
) -> GraphBounds:
    """Return the most steps and model calls that a question can take under a configuration.

    What nodes of one's own and versions of nodes from other packages ask a chat model isn't in it.

    Args:
        config: The configuration.
        chat_model: Whether there is a chat model; as the configuration says if None. For one given as a component.
        reranker: The same for the reranker.
        web_search: The same for the search provider.
    """
    config = with_preset(config)
    weights = config.retrieval.weights
    has_model = config.chat_model is not None if chat_model is None else chat_model
    has_web = config.search_provider is not None if web_search is None else web_search
    return bounds_of(
        searches=(weights.vector > 0) + (weights.keyword > 0),
        chat_model=has_model,
        reranker=config.reranker is not None if reranker is None else reranker,
        select=True,
        reviews=config.review.is_on,
        looks_into_intent=bool(config.intent.enabled),
        asks_for_intent=config.intent.ask_model,
        terms=config.terms if config.terms.is_on else None,
        rewrites_follow_ups=bool(config.conversation.rewrite),
        most_aspects=config.aspects.most if config.aspects.enabled else 1,
        grades=bool(config.grading.enabled),
        versions={node: part.name for node, part in config.nodes.items()},
        max_rewrites=config.grading.max_rewrites,
        max_regenerations=config.answers.max_regenerations,
        web=config.web_search.mode if has_web else "strict",
        max_calls=config.budget.model_calls,
    )


def bounds_of_parts(parts: RagParts) -> GraphBounds:
    """Return the bounds of the graph of these parts."""
    return bounds_of(
        searches=(parts.vector_search is not None) + (parts.keyword_search is not None),
        chat_model=parts.chat_model is not None,
        reranker=parts.reranker is not None,
        select=parts.select is not None,
        reviews=parts.may_hold,
        looks_into_intent=parts.looks_into_intent,
        asks_for_intent=parts.intent.ask_model,
        terms=parts.terms if parts.vocabulary is not None else None,
        rewrites_follow_ups=parts.rewrites_follow_ups,
        most_aspects=parts.aspects.most if parts.plans else 1,
        grades=parts.grades,
        versions={node: version.name for node, version in parts.versions.items()},
        max_rewrites=parts.grading.max_rewrites,
        max_regenerations=parts.answers.max_regenerations,
        web=parts.web_options.mode if parts.web is not None else "strict",
        max_calls=parts.budget.model_calls,
    )


def bounds_of(
    *,
    searches: int,
    chat_model: bool,
    reranker: bool,
    select: bool,
    reviews: bool,
    looks_into_intent: bool,
    asks_for_intent: bool,
    terms: TermOptions | None,
    rewrites_follow_ups: bool,
    most_aspects: int,
    grades: bool,
    versions: Mapping[str, str],
    max_rewrites: int,
    max_regenerations: int,
    web: str,
    max_calls: int,
) -> GraphBounds:
    """Return the bounds of a graph with these steps; see ``graph_bounds``."""
    rewords = rewrites_follow_ups and chat_model
    # No strategy comes twice.
    rewrites = min(max_rewrites, len(get_args(Strategy))) if grades and chat_model else 0
    falls_back = web == "fallback"
    judges = grades or falls_back
    rounds = 1 + rewrites + falls_back
    answers = 1 + max_regenerations if chat_model else 1
    plans = most_aspects > 1
    # What is answered without the notes takes fewer steps and calls than what is searched for.
    steps = 1 + looks_into_intent + rewords + plans + (terms is not None)  # what is done before searching
    steps += rounds * (2 + reranker + select + judges) + rewrites  # searching, fusing, and so on; other words
    steps += web != "strict"  # reading pages
    steps += 2 * reviews  # saying that a person has to look, and waiting for that
    steps += 2 * answers + 1  # answering and verifying; publishing
    first_searches = most_aspects * searches
    if terms is not None and terms.areas:
        first_searches *= 2  # they may be repeated without a filter
    hybrid = web == "hybrid"
    all_searches = first_searches + most_aspects * hybrid + rewrites * (searches + hybrid) + falls_back
    asks_terms = terms is not None and terms.ask_model
    grades_by_model = grades and versions.get("grade", DEFAULT_VERSION) == DEFAULT_VERSION
    forms = looks_into_intent * asks_for_intent + plans + asks_terms + rounds * grades_by_model * _BATCHES
    # Summing up what was before, and wording the question.
    calls = 2 * rewords + forms * MAX_CALLS + rewrites + answers * most_aspects
    calls += plans and versions.get("compose") == BY_CHAT_MODEL
    return GraphBounds(steps=steps, chat_model_calls=min(calls, max_calls) if chat_model else 0, searches=all_searches)
