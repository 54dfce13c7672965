"""The frame in which a question graph is wired: nodes as their callers may see them, routes with the steps left."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Any

from langgraph.graph import StateGraph

from obsirag.errors import ConfigError
from obsirag.graphs.aspect_parts import answer_parts, search_parts
from obsirag.graphs.aspects import has_aspects
from obsirag.graphs.callers import Place, for_caller
from obsirag.graphs.model_calls import ModelCalls, Work, run_without_model
from obsirag.graphs.nodes.fuse import FuseNode
from obsirag.graphs.own_nodes import OwnNode
from obsirag.graphs.parts import RagParts
from obsirag.graphs.state import (
    RagContext,
    RagInput,
    RagOutput,
    RagState,
    whole_state,
)
from obsirag.graphs.steps import TO_ANSWER, TO_PUBLISH_HITS, with_steps_of_run
from obsirag.graphs.tracing import version_of

__all__ = ["RagGraph", "Route", "Wiring"]

RagGraph = StateGraph[RagState, RagContext, RagInput, RagOutput]
Route = Callable[[RagState], str | list[Any]]


class Wiring:
    """The nodes and the edges, part by part; what isn't configured isn't there."""

    def __init__(self, parts: RagParts) -> None:
        self.parts = parts
        self.calls = ModelCalls(parts.chat_model, parts.budget) if parts.chat_model is not None else None
        self.graph: RagGraph = StateGraph(RagState, RagContext, input_schema=RagInput, output_schema=RagOutput)
        pool = parts.retrieval.pool(reranks=parts.reranker is not None)
        self.fuse = FuseNode(parts.retrieval, pool, parts.living, parts.preferring)

    def add(
        self,
        name: str,
        node: Callable[[Any], Any],
        node_async: Callable[[Any], Awaitable[Any]] | None = None,
        *,
        place: Place | None = None,
        may_fail: bool = False,
        gives: Collection[str] = (),
        timeout: float | None = None,
    ) -> None:
        """Add a node, or what was given or chosen in its place; what ``OwnNode`` is told is for that one."""
        own: OwnNode | None = None
        version = version_of(self.parts.nodes.get(name, node))
        if name in self.parts.nodes:
            own = OwnNode(self.parts.nodes[name], name, may_fail, gives, timeout, labels=self.parts.labels)
        elif (chosen := self.parts.versions.get(name)) is not None and chosen.make is not None:
            version = chosen.name
            own = OwnNode(chosen.make(self.parts), name, may_fail, gives, timeout, version, self.parts.labels)
        if own is not None:
            node, node_async = own, own.call_async
        self.graph.add_node(name, for_caller(node, node_async, place, self.parts.tracing, version, self.parts.labels))

    @property
    def judges(self) -> bool:
        """Whether it is judged if what was found can answer the question."""
        # Whether the notes are enough has to be known before the web can be the way out.
        return self.parts.grades or self.parts.falls_back_on_web

    @property
    def before_answer(self) -> str:
        """The node that comes before the answer, or the answer."""
        return "answer" if self.parts.web is None else "read_pages"

    @property
    def search_names(self) -> list[str]:
        """The searches that each question is put to."""
        return [*self.parts.searches]

    def to_searches(self, state: RagState) -> str | list[Any]:
        """Return the way to the searches; of a question with several aspects, one of each for each."""
        if not state["question"] or state["remaining_steps"] < TO_PUBLISH_HITS:
            return "publish"
        # What was put in other words is the whole question.
        if has_aspects(state) and not state["verdicts"]:
            return search_parts(state, self.search_names)
        return self.search_names

    @staticmethod
    def past(following: str, state: RagState) -> str:
        """Return the next node, or the one that there are still steps for."""
        steps = state["remaining_steps"]
        if steps < TO_ANSWER:
            return "publish"
        return following if steps > TO_ANSWER else "answer"

    def route(self, name: str, to_next: Route, targets: Collection[str]) -> None:
        """Add the edges from a node.

        Args:
            name: The node.
            to_next: Says where to go on, from the state with the steps that are really left.
            targets: Where that may be, the end aside.
        """
        known = [*dict.fromkeys([*targets, "publish"])]
        leads_to_answer = "answer" in known and name != "verify_citations"

        def routed(state: RagState) -> str | list[Any]:
            whole = with_steps_of_run(whole_state(state), name)
            to = to_next(whole)
            if isinstance(to, str) and to not in known:
                raise ConfigError(f"nodes: {name} sends to {to}, but this graph goes on to {', '.join(known)}")
            return self._to_answer(name, whole) if to == "answer" and leads_to_answer else to

        ways = ["request_review", "answer_aspect"] if leads_to_answer else []
        self.graph.add_conditional_edges(name, routed, [*known, *(way for way in ways if way in self._ways)])

    def _to_answer(self, name: str, state: RagState) -> str | list[Any]:
        """Return the way from a node to an answer: by way of a person, or in parts, or straight."""
        if self.parts.holds(state) and name != "review":
            return "request_review" if state["remaining_steps"] >= 2 + TO_ANSWER else "publish"
        return answer_parts(state, self.parts.budget) if has_aspects(state) else "answer"

    @property
    def _ways(self) -> list[str]:
        """The nodes besides ``answer`` by which a question may be answered."""
        return [
            *(["answer_aspect"] if self.parts.plans else []),
            *(["request_review"] if self.parts.may_hold else []),
        ]

    def with_model(self, work: Callable[[RagState], Work]) -> tuple[Callable[[RagState], Any], Any]:
        """Return the work of a node as a node, without and with an event loop."""
        calls = self.calls
        if calls is None:
            return lambda state: run_without_model(work(state)), None
        return (
            lambda state: calls.run(work(state), state["usage"]),
            lambda state: calls.arun(work(state), state["usage"]),
        )
