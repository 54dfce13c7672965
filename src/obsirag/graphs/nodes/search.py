"""Search in one way; several of these nodes run side by side."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from langgraph.errors import NodeError
from langgraph.runtime import Runtime
from langgraph.types import Command

from obsirag.errors import reason_of
from obsirag.graphs.parts import Search, documents_of
from obsirag.graphs.progress import Progress
from obsirag.graphs.state import RagContext, RagState, labels_of
from obsirag.graphs.state import Search as SearchTask
from obsirag.graphs.thread_permissions import permissions_of_document
from obsirag.records import may_read
from obsirag.retrievers import SearchError
from obsirag.retrievers.deadlines import call_within

__all__ = ["SearchNode", "failing_as"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SearchNode:
    """Search with a query and the caller's labels.

    Args:
        name: The search's name, under which its hits stand in ``rankings``.
        search: The search.
        limit: How many chunks to take.
        timeout: How many seconds the search is waited for.
    """

    name: str
    search: Search
    limit: int
    timeout: float

    def __call__(self, state: SearchTask, runtime: Runtime[RagContext]) -> dict[str, Any]:
        """Return the update with this search's hits."""
        runtime.stream_writer(Progress(node=self.name, event="started"))
        labels = labels_of(runtime.context)
        search = partial(self.search.search, state["query"], labels=labels, limit=self.limit)
        hits = documents_of(call_within(self.timeout, search))
        runtime.stream_writer(Progress(node=self.name, event="ended"))
        # The search filters by itself; a store that doesn't must not become a leak.
        return {"rankings": {self.name: [hit for hit in hits if may_read(permissions_of_document(hit), labels)]}}


def failing_as(name: str, following: str) -> Callable[..., Command[Any]]:
    """Return the error handler of a part: one that fails loses what it would have given, and nothing else.

    Args:
        name: The part's name, for ``degraded``, unless the error itself tells which part failed.
        following: Where the graph goes on: after an error LangGraph doesn't follow the node's own edges.
    """

    def record_failure(_: RagState, error: NodeError) -> Command[Any]:
        part = error.error.part if isinstance(error.error, SearchError) else name
        _log.warning("%s failed (%s); the answer goes without it", part, reason_of(error.error))
        return Command(update={"degraded": [part]}, goto=following)

    return record_failure
