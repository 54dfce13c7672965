"""The wiring of the question graph."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import Send

from obsirag.config import RagConfig
from obsirag.errors import ConfigError
from obsirag.graphs.callers import Node, for_caller, in_thread, node_of
from obsirag.graphs.model_calls import ModelCalls, Work, run_without_model
from obsirag.graphs.nodes.answer import AnswerNode
from obsirag.graphs.nodes.contextualise import ContextualiseNode
from obsirag.graphs.nodes.fuse import FuseNode
from obsirag.graphs.nodes.grade import GradeNode
from obsirag.graphs.nodes.publish import PublishNode
from obsirag.graphs.nodes.read_pages import ReadPagesNode
from obsirag.graphs.nodes.rerank import RerankNode
from obsirag.graphs.nodes.rewrite import RewriteNode
from obsirag.graphs.nodes.search import SearchNode
from obsirag.graphs.nodes.select import SelectNode
from obsirag.graphs.nodes.take_question import TakeQuestionNode
from obsirag.graphs.nodes.verify_citations import VerifyCitationsNode
from obsirag.graphs.parts import RagParts, open_parts
from obsirag.graphs.state import RagContext, RagInput, RagOutput, RagState
from obsirag.graphs.state import Search as SearchTask
from obsirag.graphs.steps import TO_ANSWER, TO_PUBLISH_HITS
from obsirag.retrievers import Reranking

if TYPE_CHECKING:
    from obsirag.components import Components

__all__ = ["RagGraph", "build_rag_graph", "wire_rag_graph"]

_WEB = "web_search"

RagGraph = StateGraph[RagState, RagContext, RagInput, RagOutput]


def build_rag_graph(
    config: RagConfig, *, components: Components | None = None, nodes: Mapping[str, Node] | None = None
) -> RagGraph:
    """Return the graph that answers questions from the notes, not compiled.

    Its input is ``{"messages": […]}``, its context ``{"labels": […]}`` (optional), its output ``messages``, ``answer``,
    ``citations``, ``status`` and ``degraded``. Compiled with a checkpointer it keeps threads.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.
        nodes: Nodes by the names of those whose places they take: functions, plain or async, that get the state as its
            caller may read it and return an update. A search gets ``{"query": …}`` alone.

    Raises:
        ConfigError: If the configuration is wrong, or the graph has no node of a name.
        PluginError: If a part cannot be made.
        CatalogueError: If there is no index, or it cannot be opened, or was made with another embedding model.
    """
    return wire_rag_graph(replace(open_parts(config, components), nodes=nodes or {}))


def wire_rag_graph(parts: RagParts) -> RagGraph:
    """Return the graph of these parts, not compiled.

    take_question → [contextualise] → searches side by side → fuse → [rerank] → select → [grade] → [read_pages] →
    answer ⇄ verify_citations → publish; and from grade back to the searches, by way of rewrite, or to the web.
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

    def _add(self, name: str, node: Any, *, may_fail: bool = False) -> None:
        """Add a node, or the one that was given in its place, without which there is an answer if it may fail."""
        given = self._parts.nodes.get(name)
        self._graph.add_node(name, node if given is None else node_of(given, name if may_fail else ""))

    def _add_question(self) -> None:
        parts = self._parts
        self._add("take_question", TakeQuestionNode(parts.conversation.max_turns))
        self._graph.add_edge(START, "take_question")
        if not parts.rewrites_follow_ups or self._calls is None:
            self._add_route("take_question", self._to_searches, self._search_names)
            return
        self._add("contextualise", self._with_model(ContextualiseNode(parts.prompts).work))
        self._add_route("contextualise", self._to_searches, self._search_names)
        # Reworded or not, the question is to be searched for and answered.
        needed = 1 + 2 + TO_ANSWER

        def route(state: RagState) -> str | list[Send]:
            is_reworded = state["earlier"] and state["remaining_steps"] >= needed
            return "contextualise" if is_reworded else self._to_searches(state)

        self._add_route("take_question", route, [*self._search_names, "contextualise"])

    def _add_searches(self) -> None:
        parts = self._parts
        for name, search in {**parts.searches, **({_WEB: parts.web} if parts.web is not None else {})}.items():
            limit = parts.web_options.limit if name == _WEB else parts.retrieval.candidates
            node = SearchNode(name, search, limit, parts.retrieval.timeout)
            self._add(name, node, may_fail=True)
            self._graph.add_edge(name, "fuse")

    def _add_ordering(self) -> None:
        parts = self._parts
        self._add("fuse", for_caller(self._fuse, in_thread(self._fuse) if parts.living else None))
        last = "fuse"
        if parts.reranker is not None:
            rerank = RerankNode(Reranking(reranker=parts.reranker, **parts.retrieval.rerank.model_dump()))
            self._add("rerank", for_caller(rerank, rerank.call_async))
            last = self._follow(last, "rerank")
        if parts.select is not None:
            select = SelectNode(parts.select)
            self._add("select", for_caller(select, in_thread(select)), may_fail=True)
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
        self._add("grade", self._with_model(grade.work))
        may_rewrite = calls is not None and parts.grading.max_rewrites > 0
        targets = [*self._search_names, *([_WEB] if parts.falls_back_on_web else []), self._before_answer, "answer"]
        self._add_route("grade", self._to_what_follows, [*targets, *(["rewrite"] if may_rewrite else [])])
        if may_rewrite:
            rewrite = RewriteNode(parts.prompts, has_web=parts.falls_back_on_web)
            self._add("rewrite", self._with_model(rewrite.work))
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
        )
        verify = VerifyCitationsNode(
            parts.vault, answers.max_regenerations, answers.max_passage_tokens, answers.check_content
        )
        self._add("answer", self._with_model(answer.work))
        self._add("verify_citations", for_caller(verify))
        self._add("publish", for_caller(PublishNode(parts.vault, self._fuse)))
        if parts.web is not None:
            read = ReadPagesNode(parts.web)
            self._add("read_pages", for_caller(read, read.call_async), may_fail=True)
            self._graph.add_edge("read_pages", "answer")
        self._graph.add_edge("answer", "verify_citations")
        self._add_route("verify_citations", lambda state: "answer" if state["complaint"] else "publish", ["answer"])
        self._graph.add_edge("publish", END)

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

    def _to_searches(self, state: RagState) -> str | list[Send]:
        if not state["question"] or state["remaining_steps"] < TO_PUBLISH_HITS:
            return "publish"
        return [Send(name, SearchTask(query=state["search_text"])) for name in self._search_names]

    def _to_what_follows(self, state: RagState) -> str | list[Send]:
        match state["following"]:
            case "rewrite":
                return "rewrite"
            case "search":
                return self._to_searches(state)
            case "web_search":
                return [Send(_WEB, SearchTask(query=state["search_text"]))]
        return self._past(self._before_answer, state)

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

    def _add_route(self, name: str, route: Callable[[RagState], Any], targets: Collection[str]) -> None:
        self._graph.add_conditional_edges(name, route, [*targets, "publish"])

    def _with_model(self, work: Callable[[RagState], Work]) -> Any:
        calls = self._calls
        if calls is None:
            return for_caller(lambda state: run_without_model(work(state)))
        return for_caller(
            lambda state: calls.run(work(state), state["usage"]),
            lambda state: calls.arun(work(state), state["usage"]),
        )
