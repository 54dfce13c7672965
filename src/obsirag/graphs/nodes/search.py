"""Search in one way; several of these nodes run side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

from langchain_core.documents import Document

from obsirag.graphs.failures import go_without
from obsirag.graphs.parts import Search, documents_of
from obsirag.graphs.state import Search as SearchTask
from obsirag.graphs.thread_permissions import permissions_of_document
from obsirag.records import may_read
from obsirag.retrievers import Found, degraded_of
from obsirag.retrievers.deadlines import await_within, call_within, in_thread

__all__ = ["SearchNode"]


@dataclass(frozen=True, slots=True)
class SearchNode:
    """Search with a query and the caller's labels; where a filter leaves nothing, without it.

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

    def __call__(self, task: SearchTask, labels: Sequence[str]) -> dict[str, Any]:
        """Return the update with this search's hits; where it fails, ``degraded`` names it or its part that failed."""
        try:
            return self._found(call_within(self.timeout, partial(self._search, task, labels)), labels)
        except Exception as error:  # noqa: BLE001 - a search may be anybody's code, and the others' hits are there
            return go_without(self.name, error)

    async def call_async(self, task: SearchTask, labels: Sequence[str]) -> dict[str, Any]:
        """Do the same without holding up the event loop."""
        try:
            hits = await await_within(self.timeout, lambda: in_thread(self._search, task, labels))
            return self._found(hits, labels)
        except Exception as error:  # noqa: BLE001 - as above
            return go_without(self.name, error)

    def _search(self, task: SearchTask, labels: Sequence[str]) -> list[Document]:
        chosen = task.get("filter")
        hits = self._hits(task["query"], labels, {"filter": chosen}) if chosen else []
        return hits or self._hits(task["query"], labels, {})

    def _hits(self, query: str, labels: Sequence[str], options: Mapping[str, Any]) -> list[Document]:
        found = self.search.search(query, labels=labels, limit=self.limit, **options)
        return Found(documents_of(islice(found, self.limit)), degraded_of(found))

    def _found(self, hits: list[Document], labels: Sequence[str]) -> dict[str, Any]:
        # The search filters by itself; a store that doesn't must not become a leak.
        update = {"rankings": {self.name: [hit for hit in hits if may_read(permissions_of_document(hit), labels)]}}
        degraded = degraded_of(hits)
        return {**update, "degraded": list(degraded)} if degraded else update
