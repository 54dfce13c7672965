"""The searches, and what is made of their hits."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from obsirag.graphs.asked import area_filter
from obsirag.graphs.aspects import number_of, query_of, ranking_name
from obsirag.graphs.callers import CallerLabels, Place, threaded
from obsirag.graphs.judging import judging_of
from obsirag.graphs.nodes.grade import GradeNode
from obsirag.graphs.nodes.rerank import RerankNode
from obsirag.graphs.nodes.rewrite import RewriteNode
from obsirag.graphs.nodes.search import SearchNode
from obsirag.graphs.nodes.select import SelectNode
from obsirag.graphs.state import (
    RagState,
    empty_state,
)
from obsirag.graphs.state import Search as SearchTask
from obsirag.graphs.wiring.wiring import Wiring
from obsirag.retrievers import Reranking

__all__ = ["add_judging", "add_ordering", "add_searches"]

_WEB = "web_search"


def add_searches(wiring: Wiring) -> None:
    """Add the searches of the notes and of the web, which run side by side."""
    parts = wiring.parts
    for name, search in {**parts.searches, **({_WEB: parts.web} if parts.web is not None else {})}.items():
        options = parts.web_options if name == _WEB else parts.retrieval
        limit = parts.web_options.limit if name == _WEB else parts.retrieval.candidates
        node = SearchNode(name, search, limit, options.timeout)
        is_beside = name in wiring.search_names[1:]
        place = Place(
            view=partial(_search_task, wiring, name),
            after=_for_aspect,
            may_clear=() if is_beside else empty_state().keys() - {"rankings"},
        )
        wiring.add(name, *_with_labels(node, parts.labels), place=place, may_fail=True, timeout=options.timeout)
        wiring.graph.add_edge(name, "fuse")


def add_ordering(wiring: Wiring) -> None:
    """Add what makes one order of all hits, and chooses among them."""
    parts = wiring.parts
    wiring.add("fuse", wiring.fuse, threaded(wiring.fuse) if parts.living or parts.preferring else None)
    last = "fuse"
    if parts.reranker is not None:
        rerank = RerankNode(Reranking(reranker=parts.reranker, **parts.retrieval.rerank.model_dump()))
        wiring.add("rerank", rerank, rerank.call_async)
        last = _follow(wiring, last, "rerank")
    if parts.select is not None:
        select = SelectNode(parts.select, parts.labels)
        wiring.add("select", select, threaded(select), may_fail=True)
        last = _follow(wiring, last, "select")
    _follow(wiring, last, "grade" if wiring.judges else wiring.before_answer)


def add_judging(wiring: Wiring) -> None:
    """Add what judges the passages, and searches again in other words."""
    parts = wiring.parts
    if not wiring.judges:
        return
    # A preset that doesn't judge by the model still knows by words when to ask the web.
    grade = GradeNode(judging_of(parts), parts.prompts, wiring.calls if parts.grades else None)
    # One of somebody's own that doesn't say what follows is followed by the answer, not by a search for ever.
    place = Place(before=lambda _: {"following": "answer"})
    wiring.add("grade", *wiring.with_model(grade.work), place=place)
    targets = [*wiring.search_names, *([_WEB] if parts.falls_back_on_web else []), wiring.before_answer, "answer"]
    wiring.route("grade", partial(_to_what_follows, wiring), [*targets, *(["rewrite"] if parts.may_rewrite else [])])
    if parts.may_rewrite:
        rewrite = RewriteNode(parts.prompts, has_web=parts.falls_back_on_web)
        wiring.add("rewrite", *wiring.with_model(rewrite.work))
        wiring.route("rewrite", partial(_to_what_follows, wiring), targets)


def _search_task(wiring: Wiring, name: str, state: RagState) -> SearchTask:
    query = query_of(state, name)
    chosen = area_filter(state, wiring.parts.terms.areas) if name != _WEB else None
    return SearchTask(query=query) if chosen is None else SearchTask(query=query, filter=chosen)


def _to_what_follows(wiring: Wiring, state: RagState) -> str | list[Any]:
    match state["following"]:
        case "search":
            return wiring.to_searches(state)
        case "answer":
            return wiring.past(wiring.before_answer, state)
        case other:
            return other


def _follow(wiring: Wiring, name: str, following: str) -> str:
    """Add the edge to the next node; past it if there are no more steps left than to answer or to publish."""
    wiring.route(name, lambda state: wiring.past(following, state), {following, "answer"})
    return following


def _with_labels(
    node: SearchNode, labels: CallerLabels
) -> tuple[Callable[[SearchTask], Any], Callable[[SearchTask], Awaitable[Any]]]:
    """Return a search as a node, without and with an event loop, that searches with its caller's labels."""
    return lambda task: node(task, labels()), lambda task: node.call_async(task, labels())


def _for_aspect(state: RagState, update: Any) -> Any:
    """Return a search's update with its hits under the name of the aspect that it was for."""
    number = number_of(state)
    if number is None or not isinstance(update, Mapping) or "rankings" not in update:
        return update
    return {**update, "rankings": {ranking_name(name, number): hits for name, hits in update["rankings"].items()}}
