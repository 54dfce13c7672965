"""The wiring of the question graph."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph

from obsirag.config import RagConfig
from obsirag.errors import ConfigError
from obsirag.graphs.asked import area_filter
from obsirag.graphs.aspect_parts import answer_parts, search_parts
from obsirag.graphs.aspects import has_aspects, number_of, query_of, ranking_name
from obsirag.graphs.callers import Place, caller_labels, for_caller, threaded
from obsirag.graphs.model_calls import ModelCalls, Work, run_without_model
from obsirag.graphs.nodes.answer import AnswerNode
from obsirag.graphs.nodes.answer_aspect import AnswerAspectNode
from obsirag.graphs.nodes.compose import compose
from obsirag.graphs.nodes.contextualise import ContextualiseNode
from obsirag.graphs.nodes.converse import ConverseNode
from obsirag.graphs.nodes.decline import DeclineNode
from obsirag.graphs.nodes.fuse import FuseNode
from obsirag.graphs.nodes.grade import GradeNode
from obsirag.graphs.nodes.intent import IntentNode
from obsirag.graphs.nodes.plan import PlanNode
from obsirag.graphs.nodes.publish import PublishNode
from obsirag.graphs.nodes.read_pages import ReadPagesNode
from obsirag.graphs.nodes.rerank import RerankNode
from obsirag.graphs.nodes.review import ReviewNode, check_checkpointer, request_review
from obsirag.graphs.nodes.rewrite import RewriteNode
from obsirag.graphs.nodes.search import SearchNode
from obsirag.graphs.nodes.select import SelectNode
from obsirag.graphs.nodes.take_question import TakeQuestionNode
from obsirag.graphs.nodes.terms import TermsNode
from obsirag.graphs.nodes.verify_citations import VerifyCitationsNode
from obsirag.graphs.own_nodes import Node, OwnNode
from obsirag.graphs.parts import RagParts, open_parts
from obsirag.graphs.state import (
    RagContext,
    RagInput,
    RagOutput,
    RagState,
    clear_output,
    clear_work,
    empty_state,
    whole_state,
)
from obsirag.graphs.state import Search as SearchTask
from obsirag.graphs.steps import TO_ANSWER, TO_PUBLISH_HITS, with_steps_of_run
from obsirag.graphs.tracing import Observer, version_of
from obsirag.retrievers import Reranking

if TYPE_CHECKING:
    from obsirag.components import Components

__all__ = ["RagGraph", "build_rag_graph", "wire_rag_graph"]

_WEB = "web_search"
_WITHOUT_NOTES = {"chitchat": "converse", "about_answer": "converse", "off_topic": "decline", "unsafe": "decline"}

RagGraph = StateGraph[RagState, RagContext, RagInput, RagOutput]
Route = Callable[[RagState], str | list[Any]]
Step = tuple[str, Callable[[RagState], bool]]
"""A step between the question and the searches: its node, and whether a question is to take it."""


def build_rag_graph(
    config: RagConfig,
    *,
    components: Components | None = None,
    nodes: Mapping[str, Node] | None = None,
    observers: Sequence[Observer] = (),
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

    Raises:
        ConfigError: If the configuration is wrong, the graph has no node of a name, or what is given for one is no
            node.
        PluginError: If a part cannot be made.
        CatalogueError: If there is no index, or it cannot be opened, or was made with another embedding model.
    """
    if not isinstance(nodes, Mapping | None):
        raise ConfigError(f"nodes must be functions by the names of nodes, not a {type(nodes).__name__}")
    return wire_rag_graph(replace(open_parts(config, components, observers), nodes=nodes or {}))


def wire_rag_graph(parts: RagParts) -> RagGraph:
    """Return the graph of these parts, not compiled.

    take_question → [intent] → [contextualise] → [plan] → [map_terms] → searches side by side → fuse → [rerank] →
    select → [grade] → [read_pages] → [request_review → review] → answer ⇄ verify_citations → publish; from grade back
    to the searches, by way of rewrite, or to the web; and from intent to converse or decline → publish. A question with
    several aspects is searched for, and answered by answer_aspect, once for each; compose puts that together.
    """
    return _Wiring(parts).graph()


class _Wiring:
    """The nodes and the edges, part by part; what isn't configured isn't there."""

    def __init__(self, parts: RagParts) -> None:
        self._parts = parts
        self._calls = ModelCalls(parts.chat_model, parts.budget) if parts.chat_model is not None else None
        self._graph: RagGraph = StateGraph(RagState, RagContext, input_schema=RagInput, output_schema=RagOutput)
        pool = parts.retrieval.pool(reranks=parts.reranker is not None)
        self._fuse = FuseNode(parts.retrieval, pool, parts.living)

    def graph(self) -> RagGraph:
        """Return the graph."""
        self._add_question()
        self._add_searches()
        self._add_ordering()
        self._add_judging()
        self._add_answer()
        if unknown := sorted(set(self._parts.nodes) - set(self._graph.nodes)):
            known = sorted(name for name in self._graph.nodes if not name.startswith("__"))
            raise ConfigError(f"nodes: this graph has no {', '.join(unknown)}; it has {', '.join(known)}")
        return self._graph

    def _add(
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
        """Add a node, or the one that was given in its place; what ``OwnNode`` is told is for that one."""
        version = version_of(self._parts.nodes.get(name, node))
        if name in self._parts.nodes:
            own = OwnNode(self._parts.nodes[name], name, may_fail, gives, timeout)
            node, node_async = own, own.call_async
        self._graph.add_node(name, for_caller(node, node_async, place, self._parts.tracing, version))

    def _add_question(self) -> None:
        parts = self._parts
        start = replace(_START, before=_start_for_review) if parts.may_hold else _START
        self._add("take_question", TakeQuestionNode(parts.conversation.max_turns), place=start)
        self._graph.add_edge(START, "take_question")
        steps = [*self._intent_step(), *self._rewording_step(), *self._plan_step(), *self._terms_step()]
        for index, name in enumerate(["take_question", *(name for name, _ in steps)]):
            following = steps[index:]
            route: Route = partial(self._to_first, following)
            targets = [*self._search_names, *(name for name, _ in following)]
            if name == "intent":
                route, targets = _unless_without_notes(route), [*targets, *_WITHOUT_NOTES.values()]
            self._add_route(name, route, targets)

    def _to_first(self, steps: Sequence[Step], state: RagState) -> str | list[Any]:
        """Return the first of the steps that is due, or the searches."""
        due = (name for name, is_due in steps if state["question"] and is_due(state))
        return next(due, None) or self._to_searches(state)

    def _intent_step(self) -> Iterator[Step]:
        """Add the look into what a question is after, and what is said where the notes aren't asked."""
        parts, calls = self._parts, self._calls
        if not parts.looks_into_intent:
            return
        asked = calls if parts.intent.ask_model else None
        intent = IntentNode(parts.intent, parts.prompts, asked, has_model=calls is not None)
        converse = ConverseNode(
            parts.intent.messages,
            parts.prompts,
            has_model=calls is not None,
            drops_unknown_links=parts.answers.drop_unknown_links,
        )
        self._add("intent", *self._with_model(intent.work), may_fail=True)
        self._add("converse", *self._with_model(converse.work), gives=["draft"])
        self._add("decline", DeclineNode(parts.intent), gives=["draft"])
        self._graph.add_edge("converse", "publish")
        self._graph.add_edge("decline", "publish")
        # Looked into or not, the question is to be searched for.
        yield "intent", lambda state: state["remaining_steps"] >= 1 + TO_PUBLISH_HITS

    def _rewording_step(self) -> Iterator[Step]:
        if self._parts.rewrites_follow_ups and self._calls is not None:
            self._add("contextualise", *self._with_model(ContextualiseNode(self._parts.prompts).work))
            yield "contextualise", lambda state: bool(state["earlier"]) and _may_go_on(state)

    def _plan_step(self) -> Iterator[Step]:
        if self._parts.plans:
            plan = PlanNode(self._parts.prompts, self._calls, self._parts.aspects.most)
            self._add("plan", *self._with_model(plan.work))
            yield "plan", _may_go_on

    def _terms_step(self) -> Iterator[Step]:
        parts = self._parts
        if parts.vocabulary is not None:
            calls = self._calls if parts.terms.ask_model else None
            node, node_async = self._with_model(TermsNode(parts.vocabulary, parts.terms, parts.prompts, calls).work)
            self._add("map_terms", node, threaded(node) if calls is None else node_async, may_fail=True)
            yield "map_terms", _may_go_on

    def _add_searches(self) -> None:
        parts = self._parts
        for name, search in {**parts.searches, **({_WEB: parts.web} if parts.web is not None else {})}.items():
            options = parts.web_options if name == _WEB else parts.retrieval
            limit = parts.web_options.limit if name == _WEB else parts.retrieval.candidates
            node = SearchNode(name, search, limit, options.timeout)
            is_beside = name in self._search_names[1:]
            place = Place(
                view=partial(self._search_task, name),
                after=_for_aspect,
                may_clear=() if is_beside else empty_state().keys() - {"rankings"},
            )
            self._add(name, *_with_labels(node), place=place, may_fail=True, timeout=options.timeout)
            self._graph.add_edge(name, "fuse")

    def _add_ordering(self) -> None:
        parts = self._parts
        self._add("fuse", self._fuse, threaded(self._fuse) if parts.living else None)
        last = "fuse"
        if parts.reranker is not None:
            rerank = RerankNode(Reranking(reranker=parts.reranker, **parts.retrieval.rerank.model_dump()))
            self._add("rerank", rerank, rerank.call_async)
            last = self._follow(last, "rerank")
        if parts.select is not None:
            select = SelectNode(parts.select)
            self._add("select", select, threaded(select), may_fail=True)
            last = self._follow(last, "select")
        self._follow(last, "grade" if self._judges else self._before_answer)

    def _add_judging(self) -> None:
        parts = self._parts
        if not self._judges:
            return
        # Other words, searching, fusing, ordering and judging once more, and the answer.
        steps = 1 + 2 + (parts.reranker is not None) + (parts.select is not None) + 1 + TO_ANSWER
        # A preset that doesn't judge by the model still knows by words when to ask the web.
        calls = self._calls if parts.grades else None
        grade = GradeNode(parts.grading, parts.prompts, calls, has_web=parts.falls_back_on_web, steps_to_search=steps)
        self._add("grade", *self._with_model(grade.work))
        may_rewrite = calls is not None and parts.grading.max_rewrites > 0
        targets = [*self._search_names, *([_WEB] if parts.falls_back_on_web else []), self._before_answer, "answer"]
        self._add_route("grade", self._to_what_follows, [*targets, *(["rewrite"] if may_rewrite else [])])
        if may_rewrite:
            rewrite = RewriteNode(parts.prompts, has_web=parts.falls_back_on_web)
            self._add("rewrite", *self._with_model(rewrite.work))
            self._add_route("rewrite", self._to_what_follows, targets)

    def _add_answer(self) -> None:
        parts, answers = self._parts, self._parts.answers
        answer = AnswerNode(
            parts.vault,
            parts.prompts,
            answers.max_passage_tokens,
            has_model=self._calls is not None,
            drops_unknown_links=answers.drop_unknown_links,
            checks_content=answers.check_content,
            messages=parts.intent.messages,
        )
        verify = VerifyCitationsNode(
            parts.vault, answers.max_regenerations, answers.max_passage_tokens, answers.check_content
        )
        self._add("answer", *self._with_model(answer.work), place=_COUNTED, gives=["draft"])
        if parts.plans:
            aspect = AnswerAspectNode(replace(answer, releases=False), verify)
            self._add("answer_aspect", *self._with_model(aspect.work), gives=["aspect_drafts"])
            self._add("compose", compose, gives=["draft"])
            self._graph.add_edge("answer_aspect", "compose")
            self._graph.add_edge("compose", "publish")
        self._add("verify_citations", verify)
        publish = PublishNode(parts.vault, self._fuse, parts.intent.messages, parts.holds)
        self._add("publish", publish, place=_END, gives=["answer", "citations", "status"])
        if parts.may_hold:
            self._add("request_review", request_review, gives=["status"])
            self._add("review", ReviewNode(parts.review.rejected))
            self._graph.add_edge("request_review", "review")
            self._add_route("review", lambda state: "publish" if state["draft"] else "answer", ["answer"])
        if parts.web is not None:
            read = ReadPagesNode(parts.web)
            self._add("read_pages", read, read.call_async, may_fail=True)
            self._add_route("read_pages", lambda _: "answer", ["answer"])
        self._graph.add_edge("answer", "verify_citations")
        self._add_route("verify_citations", self._to_another_answer, ["answer"])
        self._graph.add_edge("publish", END)

    def _search_task(self, name: str, state: RagState) -> SearchTask:
        query = query_of(state, name)
        chosen = area_filter(state, self._parts.terms.areas) if name != _WEB else None
        return SearchTask(query=query) if chosen is None else SearchTask(query=query, filter=chosen)

    @property
    def _judges(self) -> bool:
        # Whether the notes are enough has to be known before the web can be the way out.
        return self._parts.grades or self._parts.falls_back_on_web

    @property
    def _before_answer(self) -> str:
        return "answer" if self._parts.web is None else "read_pages"

    @property
    def _search_names(self) -> list[str]:
        return [*self._parts.searches]

    def _to_searches(self, state: RagState) -> str | list[Any]:
        if not state["question"] or state["remaining_steps"] < TO_PUBLISH_HITS:
            return "publish"
        # What was put in other words is the whole question.
        if has_aspects(state) and not state["verdicts"]:
            return search_parts(state, self._search_names)
        return self._search_names

    def _to_what_follows(self, state: RagState) -> str | list[Any]:
        match state["following"]:
            case "search":
                return self._to_searches(state)
            case "answer":
                return self._past(self._before_answer, state)
            case other:
                return other

    def _to_another_answer(self, state: RagState) -> str:
        """Let the answer be written again, but not for ever, whoever complains of it."""
        may_repeat = (
            state["attempts"] <= self._parts.answers.max_regenerations and state["remaining_steps"] >= TO_ANSWER
        )
        return "answer" if state["complaint"] and may_repeat else "publish"

    def _follow(self, name: str, following: str) -> str:
        """Add the edge to the next node; past it if there are no more steps left than to answer or to publish."""
        self._add_route(name, lambda state: self._past(following, state), {following, "answer"})
        return following

    @staticmethod
    def _past(following: str, state: RagState) -> str:
        steps = state["remaining_steps"]
        if steps < TO_ANSWER:
            return "publish"
        return following if steps > TO_ANSWER else "answer"

    def _add_route(self, name: str, route: Route, targets: Collection[str]) -> None:
        known = [*dict.fromkeys([*targets, "publish"])]
        leads_to_answer = "answer" in known and name != "verify_citations"

        def routed(state: RagState) -> str | list[Any]:
            whole = with_steps_of_run(whole_state(state), name)
            to = route(whole)
            if isinstance(to, str) and to not in known:
                raise ConfigError(f"nodes: {name} sends to {to}, but this graph goes on to {', '.join(known)}")
            return self._to_answer(name, whole) if to == "answer" and leads_to_answer else to

        ways = ["request_review", "answer_aspect"] if leads_to_answer else []
        self._graph.add_conditional_edges(name, routed, [*known, *(way for way in ways if way in self._ways)])

    def _to_answer(self, name: str, state: RagState) -> str | list[Any]:
        """Return the way from a node to an answer: by way of a person, or in parts, or straight."""
        if self._parts.holds(state) and name != "review":
            return "request_review" if state["remaining_steps"] >= 2 + TO_ANSWER else "publish"
        return answer_parts(state, self._parts.budget) if has_aspects(state) else "answer"

    @property
    def _ways(self) -> list[str]:
        """The nodes besides ``answer`` by which a question may be answered."""
        return [
            *(["answer_aspect"] if self._parts.plans else []),
            *(["request_review"] if self._parts.may_hold else []),
        ]

    def _with_model(self, work: Callable[[RagState], Work]) -> tuple[Callable[[RagState], Any], Any]:
        calls = self._calls
        if calls is None:
            return lambda state: run_without_model(work(state)), None
        return (
            lambda state: calls.run(work(state), state["usage"]),
            lambda state: calls.arun(work(state), state["usage"]),
        )


def _with_labels(node: SearchNode) -> tuple[Callable[[SearchTask], Any], Callable[[SearchTask], Awaitable[Any]]]:
    """Return a search as a node, without and with an event loop, that searches with its caller's labels."""
    return lambda task: node(task, caller_labels()), lambda task: node.call_async(task, caller_labels())


def _may_go_on(state: RagState) -> bool:
    """Say whether a step more leaves enough of them to search, to fuse and to answer."""
    return state["remaining_steps"] >= 1 + 2 + TO_ANSWER


def _unless_without_notes(route: Route) -> Route:
    """Return a route that leads past the notes where they aren't asked."""
    return lambda state: _WITHOUT_NOTES.get(state["intent"]["kind"]) or route(state)


def _for_aspect(state: RagState, update: Any) -> Any:
    """Return a search's update with its hits under the name of the aspect that it was for."""
    number = number_of(state)
    if number is None or not isinstance(update, Mapping) or "rankings" not in update:
        return update
    return {**update, "rankings": {ranking_name(name, number): hits for name, hits in update["rankings"].items()}}


def _thread_of(state: RagState) -> Any:
    """Return the state with nothing of the last question but its messages and their summary."""
    return {**state, **empty_state(), "messages": state["messages"], "summary": state["summary"]}


def _start(_: RagState) -> dict[str, Any]:
    return {**clear_work(), **clear_output()}


def _start_for_review(state: RagState) -> dict[str, Any]:
    check_checkpointer()
    return _start(state)


_START = Place(view=_thread_of, before=_start, needs_question=False)
_END = Place(needs_question=False)
_COUNTED = Place(before=lambda state: {"attempts": state["attempts"] + 1})
