"""``obsirag chat``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from obsirag.cli.printing import complain, print_line
from obsirag.cli.settle import ConfigFile, IndexFolder, Labels, PresetName, VaultFolder, settle_config
from obsirag.cli.talk import Talk
from obsirag.errors import CatalogueError, MissingExtraError

if TYPE_CHECKING:
    from langgraph.checkpoint.base import BaseCheckpointSaver

__all__ = ["THREADS", "chat"]

THREADS = "threads.sqlite"
"""The file in the index's folder that keeps conversations; like the index, it holds text of restricted notes."""
GOODBYES = frozenset({"/exit", "/quit"})


def chat(
    vault: VaultFolder = None,
    index: IndexFolder = None,
    config: ConfigFile = None,
    preset: PresetName = None,
    label: Labels = None,
    thread: Annotated[
        str | None, typer.Option("--thread", help="A name: the conversation is kept, and goes on under it next time.")
    ] = None,
) -> None:
    """Talk with your notes: ask, and ask further ("And on mobile?").

    A question a line; an empty line is passed over; /exit, or the end of the input, ends it.

    /help tells what can be typed. /good, /bad, /better and /correct say what you think of the last answer, and /save
    makes a note of it. Where the configuration has questions wait for a person, /approve, /reject, /keep, /drop and
    /show decide on them.
    """
    from obsirag.components import open_feedback
    from obsirag.graphs import RagContext, build_rag_graph

    settings = settle_config(vault, index, config, preset=preset)
    graph = build_rag_graph(settings)
    with open_threads(settings.index if thread else None) as threads:
        context = RagContext(labels=label or [])
        talk = Talk(graph.compile(checkpointer=threads), thread or "chat", context, open_feedback(settings), settings)
        reviewing = talk.show_waiting()
        for line in lines():
            reviewing = talk.hear(line, reviewing)
    if reviewing is not None:
        left = f"waits on: open --thread {thread} again" if thread else "is lost: --thread NAME keeps a conversation"
        complain(f"The question that waits for a person {left}.")


@contextmanager
def open_threads(folder: Path | None) -> Iterator[BaseCheckpointSaver[Any]]:
    """Lend what keeps the conversation: a file in the index's folder, or, without one, the memory.

    Raises:
        MissingExtraError: If the file's driver isn't installed.
        CatalogueError: If the file cannot be opened.
    """
    if folder is None:
        from langgraph.checkpoint.memory import InMemorySaver

        yield InMemorySaver()
        return
    import sqlite3

    try:
        from langgraph.checkpoint.sqlite import SqliteSaver
    except ImportError as error:
        raise MissingExtraError("a conversation that is kept", "cli") from error
    file = folder / THREADS
    try:
        with SqliteSaver.from_conn_string(str(file)) as saver:
            saver.setup()
            yield saver
    except sqlite3.Error as error:
        raise CatalogueError(f"The conversations in {file} cannot be read or written: {error}") from error


def lines() -> Iterator[str]:
    """Yield what is typed, line by line; a person at a terminal is prompted."""
    is_terminal = sys.stdin is not None and sys.stdin.isatty()
    while True:
        if is_terminal:
            try:
                line = input("\n> ")
            except EOFError:
                print_line()
                return
        else:
            line = sys.stdin.readline() if sys.stdin is not None else ""
            if not line:
                return
        typed = line.strip()
        if typed in GOODBYES:
            return
        if typed:
            yield typed
