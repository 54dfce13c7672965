"""Ways in which each part of the question graph can fail, and what of it is to be named as failed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import pytest
from langchain_core.documents import Document
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableLambda

from fault_world import SECRET, URL, hostile
from faulty_chat import WORDS, Broken, Raw
from graph_fakes import chunk
from obsirag.retrievers import WebHit, WebPage

__all__ = ["FAULTS", "Cell", "cells"]


class Cell(NamedTuple):
    """One part, failing in one way.

    Args:
        part: The part.
        name: What the fault is called.
        fault: The fault, for the switch.
        degraded: What has to be named as failed.
        path: Which way the question goes: ``whole``; ``aspects``: part by part; ``review``: by way of a person;
            ``joined``: part by part, and what was answered is put into one text.
    """

    part: str
    name: str
    fault: Any
    degraded: tuple[str, ...]
    path: Literal["whole", "aspects", "review", "joined"] = "whole"


def raising(kind: type[BaseException]) -> Callable[[Any], Any]:
    """Raise with the text of a note, as errors of strangers do."""

    def fault(_: Any) -> Any:
        raise kind(f"cannot handle {SECRET!r}")

    return fault


def breaking(given: Iterable[Any]) -> Iterator[Any]:
    """Give one and then break, long after the call itself went well."""
    yield from list(given)[:1]
    raise ConnectionError(SECRET)


def mutated(documents: list[Document]) -> list[Document]:
    for each in documents:
        each.page_content = hostile()
        each.metadata |= {"source": "evil.md", "permissions": [], "title": hostile(), "headings": None}
    return documents


def scored(score: Any) -> Callable[[list[Document]], list[Document]]:
    def fault(documents: list[Document]) -> list[Document]:
        return [Document(each.page_content, id=each.id, metadata={**each.metadata, "relevance_score": score})
                for each in documents]  # fmt: skip

    return fault


def message(**changes: Any) -> AIMessage:
    """Make a message that pydantic would not let through."""
    return AIMessage.model_construct(**dict(AIMessage("It is so [1].")) | changes)


# What each part can do.
COMMON: dict[str, Any] = {
    "raises": raising(ConnectionError),
    "is cancelled": raising(asyncio.CancelledError),
    "stops an iteration": raising(StopIteration),
    "hangs": "hangs",
    "none": None,
    "wrong type": 42,
}
DOCUMENTS: dict[str, Any] = {
    "dictionaries": [{"page_content": "x", "metadata": {}}],
    "breaks midway": breaking,
}

# By part, with what is to be named: faults of its own that are failures, and those that are not.
OWN: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "embeddings": (
        {
            "empty": [],
            "malformed": [None, {}],
            "shorter": lambda vector: vector[:7],
            "longer": lambda vector: vector * 2,
            "not numbers": lambda vector: [float("nan")] * len(vector),
            "infinite": lambda vector: [float("inf")] * len(vector),
            "words": lambda vector: [hostile()] * len(vector),
            "nested": lambda vector: [vector],
            "breaks midway": breaking,
        },
        {"slow": "slow", "zeros": lambda vector: [0.0] * len(vector), "texts": lambda vector: [*map(str, vector)]},
    ),
    "vector_store": (
        {**DOCUMENTS, "without ids": [Document("x")], "unwritable ids": [Document("x", id="\ud800\x00")]},
        {
            "slow": "slow",
            "empty": [],
            "unknown ids": [Document(SECRET, id="nowhere")],
            "hostile": lambda hits: [
                Document(hostile(SECRET), id=each.id, metadata={"source": SECRET}) for each in hits
            ],
            "twice": lambda hits: [*hits, *hits],
        },
    ),
    "keyword_search": (
        DOCUMENTS,
        {
            "slow": "slow",
            "empty": [],
            "restricted": [chunk(f"The respawn timer is {SECRET}.", permissions=['["leads"]'])],
            "hostile": [chunk(hostile("The respawn timer is 8 seconds. "), source=f"{hostile()}.md")],
            "without end": lambda hits: [*hits] * 1000,
        },
    ),
    "reranker": (
        {
            **DOCUMENTS,
            "empty": [],
            "unknown": [Document("x", id="nowhere")],
            "twice": lambda hits: [*hits, *hits],
            "no number": scored(float("nan")),
            "words": scored(hostile()),
        },
        {"slow": "slow", "partial": lambda hits: hits[:1], "mutates": mutated},
    ),
    "web_search": (
        {
            **DOCUMENTS,
            "malformed": [WebHit(None, None, None)],  # type: ignore[arg-type]
            "no text": [WebHit(URL, "", 42)],  # type: ignore[arg-type]
            "tuples": [("a", "b")],
            "text": hostile(),
        },
        {
            "slow": "slow",
            "empty": [],
            "hostile": [WebHit(URL, hostile(), hostile("The respawn timer is 8 seconds. "), float("nan"))],
            "no address": [WebHit("javascript:owned", "x", "y"), WebHit("", "x", "y")],
        },
    ),
    "web_pages": (
        {
            **DOCUMENTS,
            "no text": [WebPage(URL, None)],  # type: ignore[arg-type]
            "no address": [WebPage(None, "x")],  # type: ignore[arg-type]
        },
        {
            "slow": "slow",
            "empty": [],
            "hostile": [WebPage(URL, hostile("The respawn timer is 8 seconds. "))],
            "another page": [WebPage("https://other.example.org/", SECRET)],
            "blank": [WebPage(URL, "")],
        },
    ),
}
CHAT_FAILS: dict[str, Any] = {
    "no content": message(content=None),
    "numbers": message(content=[42]),
}
CHAT_SAYS_NOTHING: dict[str, Any] = {
    "empty": "",
    "blank": " \n",
    "tool calls only": AIMessage("", tool_calls=[{"name": "f", "args": {}, "id": "1"}]),
    "pictures only": AIMessage([{"type": "image_url", "image_url": "https://evil.example.com/owned"}]),
    "thinks for ever": "<think>It might be [1]. It might be [2].",
}
CHAT_ODD: dict[str, Any] = {
    "hostile": hostile("It is so [1]. "),
    "truncated": lambda text: text[: len(text) // 2],
    "without end": lambda text: text * 400,
    "no counts": lambda text: message(content=text, usage_metadata={"input_tokens": None}),
    "bad counts": lambda text: message(content=text, usage_metadata={
        "input_tokens": -10**12, "output_tokens": "many", "total_tokens": float("nan")}),
    "slow": "slow",
}  # fmt: skip
STRUCTURED: dict[str, Any] = {
    "raises": raising(TypeError),
    "none": None,
    "wrong type": 42,
    "gives none": RunnableLambda(lambda _: None),
    "gives a number": RunnableLambda(lambda _: 42),
    "gives nothing": RunnableLambda(lambda _: {}),
    "gives a form as a mapping": RunnableLambda(lambda _: {"grades": [{"id": 1, "score": 0.6}]}),
    "gives strange parts": RunnableLambda(lambda _: {"raw": 42, "parsed": "x", "parsing_error": "y"}),
    "gives a broken message": RunnableLambda(lambda _: {"raw": message(content=None), "parsed": None}),
    "gives itself": RunnableLambda(lambda given: given),
    "raises when asked": RunnableLambda(raising(ValueError)),
}
SEARCHES = {"embeddings": "vector_search", "vector_store": "vector_search"}
"""What is named where it cannot be known which part of a search it was."""
TASKS = {
    "contextualise": "rewriting",
    "rewrite": "rewriting",
    "grade": "grading",
    "intent": "intent",
    "terms": "terms",
    "plan": "plan",
    "converse": "chat_model",
    "about_answer": "chat_model",
    "answer": "chat_model",
    "compose": "chat_model",
}
FORMS = ("grade", "intent", "terms", "plan")
"""Tasks whose answers have a form."""
NO_FORM = {
    ("grade", "hostile"),
    ("intent", "hostile"),
    ("intent", "truncated"),
    ("terms", "hostile"),
    ("terms", "truncated"),
    ("plan", "hostile"),
    ("plan", "truncated"),
}
"""Odd answers that nothing of the form can be read of."""
IN_WORDS = ("converse", "about_answer", "answer", "compose")
"""Tasks whose answers are shown."""


def _cells() -> Iterator[Cell]:
    for part, (failures, others) in OWN.items():
        for name, fault in {**COMMON, **failures}.items():
            named = SEARCHES.get(part, part) if name in ("hangs", "is cancelled") else part
            yield Cell(part, name, fault, (named,))
        for name, fault in others.items():
            yield Cell(part, name, fault, ())
    for task in WORDS:
        part, named = f"chat:{task}", TASKS[task]
        raw = {name: Raw(COMMON[name]) for name in ("none", "wrong type")}
        fails: Mapping[str, Any] = {**COMMON, **CHAT_FAILS, "breaks midway": Broken("The respawn timer is h")}
        for name, fault in {**fails, **raw}.items():
            yield Cell(part, name, fault, (named,))
        for name, fault in CHAT_SAYS_NOTHING.items():
            yield Cell(part, name, fault, (named,) if task in (*IN_WORDS, *FORMS) else ())
        for name, fault in CHAT_ODD.items():
            yield Cell(part, name, fault, (named,) if (task, name) in NO_FORM else ())
    for name, fault in STRUCTURED.items():
        yield Cell("chat:structured", name, fault, ())


ONLY_ON: dict[str, Any] = {"chat:plan": "aspects", "chat:compose": "joined"}
"""Ways on which alone the chat model has a task."""


def _all_cells() -> Iterator[Cell]:
    for cell in _cells():
        yield cell._replace(path=ONLY_ON.get(cell.part, "whole"))
        if cell.part == "chat:answer":
            yield cell._replace(path="review")
        # That a part that hangs is given up doesn't depend on the way.
        if cell.part in (*OWN, "chat:answer", "chat:grade") and cell.name not in ("hangs", "slow"):
            yield cell._replace(path="aspects")


FAULTS: list[Cell] = list(_all_cells())


# The graph calls searches without blocking in one way only; what a chat model says is read in streams too.
WAYS_OF = {
    "chat:answer": ("invoke", "ainvoke", "stream", "astream"),
    "embeddings": ("invoke", "astream"),
    "vector_store": ("invoke", "astream"),
    "keyword_search": ("stream", "ainvoke"),
}


def _ways(cell: Cell) -> tuple[str, ...]:
    if cell.part in OWN and cell.path == "aspects":
        return WAYS_OF.get(cell.part, ("invoke", "astream"))[-1:]
    # LangChain itself takes no such counts in the pieces of a stream.
    if cell.name.endswith(" counts"):
        return ("invoke", "ainvoke")
    if cell.path != "whole":
        return ("invoke", "astream")
    return WAYS_OF.get(cell.part, ("invoke", "astream"))


def _in_every_run(cell: Cell) -> str:
    """Return the one way in which a cell is tried in every run, by turns; `make slow` tries the others too."""
    ways = _ways(cell)
    return ways[FAULTS.index(cell) % len(ways)]


def cells() -> list[Any]:
    """Return each fault in each way of asking that makes a difference, as arguments of a test."""
    return [
        pytest.param(
            cell,
            way,
            id=f"{cell.path}-{cell.part}-{cell.name}-{way}".replace(" ", "_"),
            marks=[pytest.mark.slow] if way != _in_every_run(cell) else [],
        )
        for cell in FAULTS
        for way in _ways(cell)
    ]
