"""Indexing as a graph: the steps of ``index_vault`` as nodes, so that others can be put between and beside them."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.managed import RemainingSteps
from typing_extensions import TypedDict

from obsirag.config import RagConfig
from obsirag.graphs.indexing_report import ReportChannel, report_as_data
from obsirag.records import IndexReport

if TYPE_CHECKING:
    from obsirag.components import Components
    from obsirag.indexing import Indexer, Run

__all__ = ["IndexInput", "IndexOutput", "IndexState", "build_index_graph"]

_STEPS_TO_END = 5
"""To prepare, to write, to finish, and one that LangGraph wants to be left. With fewer, all is done in one of them."""

_WAIT = 60.0
"""Seconds to wait for another run."""

Progress = Callable[[int, int, str], None]


class IndexInput(TypedDict, total=False):
    """What a run takes: nothing at all, or what ``index_vault`` takes.

    Args:
        full: Read every note, and rebuild the index if it was made with another embedding model.
        allow_deletions: Let very many notes leave the index.
    """

    full: bool
    allow_deletions: bool


class IndexOutput(TypedDict):
    """What a run gives.

    Args:
        report: What was found and done.
    """

    report: Annotated[IndexReport, ReportChannel]


class IndexState(IndexInput, IndexOutput):
    """The input, the output, and how far a run has come.

    Args:
        run: Its name; what it is doing is no part of the state.
        is_done: Whether nothing is left but to finish.
        remaining_steps: How many steps LangGraph's recursion limit leaves.
    """

    run: str
    is_done: bool
    remaining_steps: RemainingSteps


IndexGraph = StateGraph[IndexState, None, IndexInput, IndexOutput]


def build_index_graph(config: RagConfig, *, components: Components | None = None) -> IndexGraph:
    """Return the graph that brings the index up to date with the vault, not compiled.

    ``plan`` compares the vault with the index; ``prepare`` renders, cleans and splits some notes, ``write`` embeds,
    stores and publishes them, and so in turn; ``finish`` clears up. Its input is ``{}`` or ``{"full": True}``, its
    output ``{"report": IndexReport}``. Each note is a custom stream event ``{"done": …, "total": …, "path": …}``.

    The index is locked while a node works, not between nodes. A run that was stopped, or that goes on in another
    process, compares the vault anew, and its report tells what was done from there on.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
    """
    from obsirag.components.index import build_indexing_parts

    nodes = _IndexNodes(config, build_indexing_parts(config, components))
    graph: IndexGraph = StateGraph(IndexState, input_schema=IndexInput, output_schema=IndexOutput)
    graph.add_node("plan", nodes.plan)
    graph.add_node("prepare", nodes.prepare)
    graph.add_node("write", nodes.write)
    graph.add_node("finish", nodes.finish)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", _next, ["prepare", "finish"])
    graph.add_edge("prepare", "write")
    graph.add_conditional_edges("write", _next, ["prepare", "finish"])
    graph.add_edge("finish", END)
    return graph


def _next(state: IndexState) -> str:
    return "finish" if state["is_done"] else "prepare"


@dataclass(slots=True)
class _Session:
    """What a run works with; it holds no lock, and nothing of it is in the state."""

    indexer: Indexer
    opened: ExitStack
    run: Run | None = None
    index_state: tuple[int, int] = (0, 0)
    """The state in which the run left the index."""


class _IndexNodes:
    """The nodes of one graph, and the runs that are at work in them, by their names."""

    def __init__(self, config: RagConfig, components: Components) -> None:
        self._config = config
        self._components = components
        self._sessions: dict[str, _Session] = {}

    def plan(self, state: IndexState) -> dict[str, Any]:
        """Compare the vault with the index."""
        name = uuid.uuid4().hex
        with self._working(name, state) as run:
            return {"run": name, "is_done": run.is_done}

    def prepare(self, state: IndexState) -> dict[str, Any]:
        """Render, clean and split the next notes."""
        with self._working(state["run"], state) as run:
            run.prepare(_progress_writer())
            return {"is_done": False}

    def write(self, state: IndexState) -> dict[str, Any]:
        """Embed, store and publish what was prepared."""
        tell = _progress_writer()
        with self._working(state["run"], state) as run:
            run.write(tell)
            if state["remaining_steps"] < _STEPS_TO_END:
                _work_off(run, tell)
            return {"is_done": run.is_done}

    def finish(self, state: IndexState) -> dict[str, Any]:
        """Clear up and report."""
        with self._working(state["run"], state) as run:
            _work_off(run, _progress_writer())  # where it had to begin anew, there may be more to do
            report = run.finish()
        self._drop(state["run"])
        return {"report": report_as_data(report)}

    @contextmanager
    def _working(self, name: str, state: IndexState) -> Iterator[Run]:
        """Lend a run, under the writer's lock; one that is lost, or whose index is another by now, begins anew."""
        from obsirag.indexing import writer_lock

        try:
            session = self._session(name)
            with writer_lock(self._config.index, _WAIT):
                if session.run is None or session.indexer.catalogue.index_state != session.index_state:
                    session.run = session.indexer.start(
                        _progress_writer(),
                        full=state.get("full", False),
                        allow_deletions=state.get("allow_deletions", False),
                    )
                    session.run.begin()
                yield session.run
                session.index_state = session.indexer.catalogue.index_state
        except BaseException:
            self._drop(name)
            raise

    def _session(self, name: str) -> _Session:
        from obsirag.catalogue import Catalogue
        from obsirag.components.index import open_indexer

        if name not in self._sessions:
            with ExitStack() as stack:
                indexer = stack.enter_context(open_indexer(self._config, self._components, Catalogue.open))
                self._sessions[name] = _Session(indexer, stack.pop_all())
        return self._sessions[name]

    def _drop(self, name: str) -> None:
        session = self._sessions.pop(name, None)
        if session is not None:
            session.opened.close()


def _work_off(run: Run, progress: Progress) -> None:
    """Do all that is left of a run but to finish it."""
    while not run.is_done:
        run.prepare(progress)
        run.write(progress)


def _progress_writer() -> Progress:
    """Return what writes progress as custom events of the present run."""
    write = get_stream_writer()
    return lambda done, total, path: write({"done": done, "total": total, "path": path})
