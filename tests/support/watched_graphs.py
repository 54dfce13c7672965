"""A question graph that goes through two rounds, over public and restricted notes, for those that watch it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graph_fakes import FakeSearch, ManyTasksChat, chunk
from obsirag.config import TracingOptions
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import RagGraph, wire_rag_graph
from obsirag.graphs.tracing import Observer, open_tracing

QUESTION = "How long is the respawn timer of health?"
REWORDED = "How many seconds is the health timer?"
ANSWER = "The respawn timer of health is 77 seconds [1]."
LEADS = {"labels": ["leads"]}
NODES = [
    *("take_question", "keyword_search", "vector_search", "fuse", "grade", "rewrite"),
    *("keyword_search", "vector_search", "fuse", "grade", "answer", "verify_citations", "publish"),
]


def watched_graph(*observers: Observer, options: TracingOptions | None = None, **changes: Any) -> RagGraph:
    """Return the graph, not compiled."""
    hits = [
        chunk("The respawn timer of health is 77 seconds.", source="health.md", line=3, score=0.9),
        chunk("Bluebird respawns never.", source="secret.md", score=0.8, permissions=['["leads"]']),
        chunk("Of other things.", source="noise.md", score=0.7),
        *(chunk(f"Of thing {number}.", source=f"x{number}.md", score=0.1) for number in range(9)),
    ]
    scripts: dict[str, Sequence[Any]] = {
        "grade": [
            '[{"id": 1, "score": 0.5}, {"id": 2, "score": 0.01}]',
            '[{"id": 1, "score": 0.9}, {"id": 2, "score": 0.01}]',
        ],
        "rewrite": [REWORDED],
        "answer": [ANSWER],
    }
    chat = ManyTasksChat(answers=[], prompts=[], scripts={name: list(each) for name, each in scripts.items()})
    parts: dict[str, Any] = {
        "vector_search": FakeSearch(hits),
        "keyword_search": FakeSearch(hits[:1]),
        "chat_model": chat,
        "grades": True,
        "tracing": open_tracing(options or TracingOptions(), observers),
    }
    return wire_rag_graph(RagParts(**{**parts, **changes}))


def ask(graph: RagGraph, context: Any = None, **options: Any) -> Any:
    """Return the result of the question."""
    compiled: Any = graph.compile(**options)
    return compiled.invoke({"messages": [("user", QUESTION)]}, {"configurable": {"thread_id": "t-1"}}, context=context)
