"""Runs that wait for a person, each in a process of its own, which may really be killed."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.documents import Document
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatResult
from langgraph.types import Command

from graph_fakes import FakeSearch, ManyTasksChat, chunk, task_of
from obsirag.config import ReviewOptions
from obsirag.graphs.parts import RagParts
from obsirag.graphs.rag import wire_rag_graph

QUESTION = "Roll back the release stream: which consent does a rollback of the release stream need?"
RULE = "A rollback of the release stream needs the written consent of two leads."
GRADES = '{"grades": [{"id": 1, "score": 1.0}]}'

WAIT = "wait"
"""What a process is told that asks the question, and stays there until it is killed."""


class CountedSearch(FakeSearch):
    """A search that leaves a line in a file each time."""

    def __init__(self, log: Path) -> None:
        super().__init__([chunk(RULE, source="Rules.md")])
        self.log = log

    def search(self, *args: Any, **kwargs: Any) -> list[Document]:
        note(self.log, "search")
        return super().search(*args, **kwargs)


class CountedChat(ManyTasksChat):
    """A chat model that does so too, and may end its process in the middle of an answer."""

    log: Path
    deadly: bool = False

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        task = task_of(messages)
        note(self.log, task)
        if self.deadly and task == "answer":
            os.kill(os.getpid(), signal.SIGKILL)
        return super()._generate(messages, *args, **kwargs)


def note(log: Path, line: str) -> None:
    """Add a line to a file, for good."""
    with log.open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def opened(address: str) -> Iterator[Any]:
    """Lend the checkpointer at an address: PostgreSQL's, or else of a file."""
    if address.startswith("postgres"):
        from langgraph.checkpoint.postgres import PostgresSaver as Saver
    else:
        from langgraph.checkpoint.sqlite import SqliteSaver as Saver
    with Saver.from_conn_string(address) as saver:
        saver.setup()
        yield saver


def run(address: str, thread: str, log: Path, given: Any, deadly: bool = False) -> dict[str, Any]:
    """Ask the question (``WAIT``), or take the run up with a decision (or without one: None)."""
    scripts = {"answer": [f"{RULE[:-1]} [1]."], "grade": [GRADES]}
    model = CountedChat(answers=[], prompts=[], scripts=scripts, log=log, deadly=deadly)
    parts = RagParts(
        vector_search=CountedSearch(log),
        keyword_search=CountedSearch(log),
        chat_model=model,
        looks_into_intent=True,
        grades=True,
        review=ReviewOptions(mode="high_risk"),
    )
    command = {"messages": [("user", QUESTION)]} if given == WAIT else given and Command(resume=given)
    with opened(address) as saver:
        graph = wire_rag_graph(parts).compile(checkpointer=saver)
        return dict(graph.invoke(command, {"configurable": {"thread_id": thread}}))


def run_and_stay(address: str, thread: str, log: Path, given: Any, deadly: bool) -> None:
    """Run, say how it ended, and wait to be killed."""
    note(log, run(address, thread, log, given, deadly)["status"])
    signal.pause()


def killed(address: str, thread: str, log: Path, given: Any, *, deadly: bool = False) -> Sequence[str]:
    """Run in a process that is killed at the end, or ends itself in mid-answer; return what it noted."""
    seen = len(noted(log))
    context = multiprocessing.get_context("forkserver")  # which loads what is needed once, and opens nothing
    context.set_forkserver_preload(["reviewed_runs"])
    process = context.Process(target=run_and_stay, args=(address, thread, log, given, deadly))
    process.start()
    try:
        for _ in range(1200):
            process.join(0.05)
            if process.exitcode is not None or noted(log)[seen:][-1:] in (
                ["awaiting_review"],
                ["answered"],
                ["refused"],
            ):
                break
    finally:
        process.kill()
        process.join(60)
    assert process.exitcode == -signal.SIGKILL
    return noted(log)[seen:]


def noted(log: Path) -> list[str]:
    """Return the lines so far."""
    return log.read_text("utf-8").splitlines() if log.exists() else []
