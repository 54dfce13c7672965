"""Asks a question graph one question, as a caller would."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from uuid import uuid4

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph

from obsirag.evaluation.questions import HUMAN_ROLES, Question
from obsirag.graphs.thread_permissions import MESSAGE_KEY
from obsirag.records import Citation

__all__ = ["QuestionGraph", "Response", "ask"]

QuestionGraph = CompiledStateGraph[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """What a graph gave for one question.

    Args:
        answer: The answer's text.
        status: How the run ended; ``awaiting_review`` if it was interrupted for a person to look at it.
        citations: The citations.
        written: All texts that the run gave out: what it streamed as text of an answer, what it added to the messages,
            what hangs on these, and what it showed to a person who has to look at it.
        degraded: Names of the parts that failed.
        seconds: How long it took.
        first_token_seconds: How long it took until the first text of an answer was streamed; None if none was.
        model_calls: How often the chat model was asked; None if the graph doesn't tell.
        tokens: How many tokens the chat model read and wrote; None if the graph doesn't tell.
    """

    answer: str = ""
    status: str = "not_found"
    citations: tuple[Citation, ...] = ()
    written: tuple[str, ...] = ()
    degraded: tuple[str, ...] = ()
    seconds: float | None = None
    first_token_seconds: float | None = None
    model_calls: int | None = None
    tokens: int | None = None


def ask(graph: QuestionGraph, question: Question) -> Response:
    """Ask a question in a thread of its own, under its labels, with its history as the thread's earlier messages.

    Nothing of the thread is left in the graph's checkpointer, if it has one.
    """
    thread = str(uuid4())
    try:
        return _ask(graph, question, thread)
    finally:
        if isinstance(graph.checkpointer, BaseCheckpointSaver):
            graph.checkpointer.delete_thread(thread)


def _ask(graph: QuestionGraph, question: Question, thread: str) -> Response:
    given = _messages(question)
    values: Mapping[str, Any] = {}
    first_token: float | None = None
    streamed: list[str] = []
    shown: list[str] = []
    is_interrupted = False
    began = perf_counter()
    chunks: Iterator[Any] = graph.stream(
        {"messages": given},
        {"configurable": {"thread_id": thread}},
        context={"labels": list(question.labels)},
        stream_mode=["messages", "values"],
    )
    for mode, chunk in chunks:
        if mode == "messages":
            if isinstance(chunk[0], AIMessage) and chunk[0].text:
                streamed.append(chunk[0].text)
                first_token = perf_counter() - began if first_token is None else first_token
        elif "__interrupt__" in chunk:
            is_interrupted = True
            shown += (text for each in chunk["__interrupt__"] for text in _texts_in(each.value))
        else:
            values = chunk
    seconds = perf_counter() - began
    known = {message.id for message in given}
    added = [message for message in values.get("messages", ()) if message.id not in known]
    answer = next((message for message in reversed(added) if isinstance(message, AIMessage)), None)
    texts = (text for message in added for text in (message.text, *_texts_in(message.additional_kwargs)))
    return Response(
        answer=str(values.get("answer", "")),
        status="awaiting_review" if is_interrupted else str(values.get("status", "not_found")),
        citations=tuple(values.get("citations", ())),
        written=("".join(streamed), *texts, *shown),
        degraded=tuple(values.get("degraded", ())),
        seconds=seconds,
        first_token_seconds=first_token,
        model_calls=_model_calls(answer),
        tokens=answer.usage_metadata["total_tokens"] if answer and answer.usage_metadata else None,
    )


def _messages(question: Question) -> list[AnyMessage]:
    history: Sequence[AnyMessage] = [
        (HumanMessage if turn.role in HUMAN_ROLES else AIMessage)(turn.text, id=f"history-{number}")
        for number, turn in enumerate(question.history)
    ]
    return [*history, HumanMessage(question.question, id="question")]


def _texts_in(value: object) -> Iterator[str]:
    """Yield the texts in nested mappings and sequences."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts_in(each)
    elif isinstance(value, Sequence):
        for each in value:
            yield from _texts_in(each)


def _model_calls(answer: AIMessage | None) -> int | None:
    mark = answer.additional_kwargs.get(MESSAGE_KEY) if answer else None
    calls = mark.get("chat_model_calls") if isinstance(mark, Mapping) else None
    return calls if isinstance(calls, int) else None
