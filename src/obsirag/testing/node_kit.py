"""How the checks of nodes put a version into a graph of scripted parts, and ask it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, ClassVar
from uuid import uuid4

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langgraph.checkpoint.memory import InMemorySaver

from obsirag.components import NodeVersion
from obsirag.graphs.bounds import bounds_of_parts
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph
from obsirag.graphs.tracing import NodeEnd, NodeStart, Tracing
from obsirag.plugins import NodeParts
from obsirag.records.places import Place, places_to_json
from obsirag.retrievers import ScoringReranker, WebHit, WebSearch
from obsirag.testing.conformance import Conformance
from obsirag.testing.fake_chat import ScriptedChatModel
from obsirag.testing.fake_search import FakeSearch

__all__ = ["QUESTIONS", "NodeKit"]

QUESTIONS = (
    "How long is the respawn timer of the arena, and what is the texture budget of the arena?",
    "竞技场的重生时间是多长？",
)
_PARTS = ("How long is the respawn timer of the arena?", "What is the texture budget of the arena?")
_NOTES = {
    "Timer.md": ("The respawn timer of the arena is 8 seconds. 竞技场的重生时间是8秒。", ""),
    "Budget.md": ("The texture budget of the arena is 600 MB.", ""),
    "Door.md": ("The respawn timer of the vault door is 4711 seconds.", "leads"),
}
_ANSWER = "The respawn timer of the arena is 8 seconds [1]."

Maker = Callable[[dict[str, Any], Any], Any]


class NodeKit(Conformance):
    """Builds graphs with versions of nodes."""

    kind: ClassVar[str] = "nodes"
    options: ClassVar[Mapping[str, Any]] = {}
    """What the versions are made with."""

    def make(self) -> Mapping[str, Callable[[dict[str, Any], NodeParts], Any]]:
        """Return the versions by the names of their nodes, as the hook ``nodes`` does."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `make(self)`")

    @cached_property
    def versions(self) -> dict[str, Maker]:
        """The versions."""
        return dict(self.make())

    @cached_property
    def changed(self) -> set[str]:
        """Channels whose values a node changed in place."""
        return set()

    @cached_property
    def visited(self) -> set[str]:
        """The nodes with versions that were at work."""
        return set()

    def reach(self) -> None:
        """Make each node."""
        for make in self.versions.values():
            make(dict(self.options), self.parts())

    def parts(self, *, finds: bool = True, fails: bool = False) -> RagParts:
        """Return the parts of a graph in which each question is taken apart, searched for, graded and answered.

        Args:
            finds: Whether its search finds anything.
            fails: Whether its chat model fails.
        """
        answers: Any = ConnectionError("no chat model here") if fails else _scripted
        return RagParts(
            vector_search=_Search(finds),
            keyword_search=None,
            chat_model=ScriptedChatModel(answers=[answers] if fails else answers),
            reranker=_WordReranker(),
            grades=True,
            plans=True,
            rewrites_follow_ups=True,
        )

    def known_nodes(self) -> set[str]:
        """Return the names of all nodes that a graph can have."""
        parts = self.parts()
        hit = WebHit("https://example.org/", "A page", "A snippet.")
        web = WebSearch(FakeSearch([hit]))
        more = replace(
            parts,
            web=web,
            keyword_search=parts.vector_search,
            looks_into_intent=True,
            review=parts.review.model_copy(update={"mode": "always"}),
            select=lambda chunks, _: list(chunks),
        )
        hybrid = replace(parts, web=web, web_options=parts.web_options.model_copy(update={"mode": "hybrid"}))
        return {name for each in (more, hybrid) for name in wire_rag_graph(each).nodes}

    def graph(self, **world: bool) -> Any:
        """Return a compiled graph with the versions in their places, and with its parts as its attribute ``parts``."""
        parts = self.parts(**world)
        known = set(wire_rag_graph(parts).nodes)
        versions = {
            name: NodeVersion("conformance", partial(make, dict(self.options)))
            for name, make in self.versions.items()
            if name in known
        }
        used = replace(parts, versions=versions, tracing=Tracing(observers=[self._watch]))
        compiled: Any = wire_rag_graph(used).compile(checkpointer=InMemorySaver())
        compiled.parts = used
        return compiled

    def ask(
        self, question: str, *, graph: Any = None, labels: Sequence[str] = (), is_async: bool = False, **world: bool
    ) -> dict[str, Any]:
        """Return the output of a graph for a question."""
        graph = graph or self.graph(**world)
        config = {
            "configurable": {"thread_id": str(uuid4())},
            "recursion_limit": bounds_of_parts(graph.parts).recursion_limit,
        }
        given, context = {"messages": [("user", question)]}, {"labels": list(labels)}
        if is_async:
            came: dict[str, Any] = self.run_async(lambda: graph.ainvoke(given, config, context=context))
            return came
        answered: dict[str, Any] = graph.invoke(given, config, context=context)
        return answered

    def _watch(self, start: NodeStart) -> Callable[[NodeEnd], None] | None:
        if start.node not in self.versions:
            return None
        self.visited.add(start.node)
        before = deepcopy(start.given)

        def compare(_: NodeEnd) -> None:
            self.changed.update(name for name in before if before[name] != start.given.get(name))

        return compare


class _Search:
    """Finds the notes that a caller may read and that have a word of the query."""

    def __init__(self, finds: bool) -> None:
        self._notes = _NOTES if finds else {}

    def search(self, query: str, *, labels: Sequence[str] = (), limit: int = 5, **_: Any) -> list[Document]:
        readable = {name: text for name, (text, label) in self._notes.items() if not label or label in labels}
        words = set(query.lower().replace("?", "").split()) - {"the", "of", "is", "and", "what"}
        return [
            _chunk(name, text, self._notes[name][1])
            for name, text in readable.items()
            if words & set(text.lower().split()) or ("竞技场" in query and "竞技场" in text)
        ][:limit]


class _WordReranker(ScoringReranker):
    """Scores by shared words, 0 to 1."""

    def score(self, query: str, texts: Sequence[str]) -> list[float]:
        words = set(query.lower().split())
        return [len(words & set(text.lower().split())) / (len(words) or 1) for text in texts]


def _chunk(name: str, text: str, label: str) -> Document:
    permissions = [json.dumps([label])] if label else []
    metadata = {
        "source": name,
        "title": name.removesuffix(".md"),
        "headings": [],
        "chunk_id": name,
        "score": 1.0,
        "permissions": permissions,
        "places": places_to_json([Place(0, name, 1, ())]),
    }
    return Document(id=name, page_content=text, metadata=metadata)


def _scripted(messages: list[BaseMessage]) -> str:
    """Answer in the form that a prompt asks for: the question is taken apart, all notes help, and are answered from."""
    form = messages[0].text
    if '"parts"' in form:
        parts = _PARTS if "texture" in messages[-1].text else (messages[-1].text.strip(),)
        return json.dumps({"parts": [{"question": part, "keywords": part} for part in parts]})
    if '"grades"' in form:
        return json.dumps({"grades": [{"id": number, "score": 1.0} for number in (1, 2, 3)]})
    return _ANSWER
