"""What a caller asks of a search."""

# ruff: noqa: A002 - callers write filter={...}, as with every LangChain store

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple, Self

from obsirag.records import labels_of
from obsirag.retrievers.filters import Filter, check_filter
from obsirag.retrievers.scope import check_query

__all__ = ["SearchRequest"]


class SearchRequest(NamedTuple):
    """A query and its bounds, both checked.

    Args:
        query: Any text.
        labels: The caller's labels.
        filter: What to search; None for everything.
    """

    query: str
    labels: tuple[str, ...] = ()
    filter: Filter | None = None

    @classmethod
    def from_caller(cls, query: str, labels: Collection[str] | None, filter: Filter | None) -> Self:
        """Return a request as anybody may state it.

        Raises:
            ConfigError: If the query, the labels or the filter cannot be read.
        """
        check_query(query)
        check_filter(filter)
        return cls(query, labels_of(labels), filter)
