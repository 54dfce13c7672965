"""Hits of queries that were asked before."""

from __future__ import annotations

import datetime
import threading
import unicodedata
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from langchain_core.documents import Document

from obsirag.catalogue import Catalogue, Vector
from obsirag.retrievers.cosine import cosine
from obsirag.retrievers.request import SearchRequest
from obsirag.retrievers.same_question import asks_the_same
from obsirag.retrievers.scope import ScopeReader

__all__ = ["CacheKey", "QueryCache", "normalised"]


class CacheKey(NamedTuple):
    """What must be the same for hits to be used again.

    Args:
        query: The query, normalised.
        state: The state of the index.
        access: The access keys of what the caller may read of it.
        filter: What is searched.
        settings: How it is searched.
    """

    query: str
    state: tuple[int, int]
    access: tuple[str, ...]
    filter: Hashable
    settings: Hashable

    @property
    def bounds(self) -> Hashable:
        """All but the query."""
        return self[1:]


class _Entry(NamedTuple):
    query: str
    vector: Vector | None
    documents: list[Document]


class QueryCache:
    """Keeps the hits of the last queries; several threads may use it.

    Hits are used again for the same query, filter, state of the index, readable texts and settings: after a change of
    the index, or for somebody with other rights, the search is done again. On request also for a query whose vector is
    near another one's, if nothing else tells them apart.

    Args:
        catalogue: The catalogue, which knows the state of the index and who may read what.
        size: How many queries are kept.
        similarity: The cosine over which another query's hits are used; None for never.
    """

    def __init__(self, catalogue: Catalogue, size: int, *, similarity: float | None = None) -> None:
        self.similarity = similarity
        self._size = size
        self._catalogue = catalogue
        self._scopes = ScopeReader(catalogue)
        self._lock = threading.Lock()
        self._entries: OrderedDict[CacheKey, _Entry] = OrderedDict()

    def key(self, request: SearchRequest, settings: Hashable) -> CacheKey:
        """Return the key of a request in the present state of the index.

        Args:
            request: What is asked.
            settings: What else the hits depend on.
        """
        wanted = _frozen(request.filter)
        scope = self._scopes.read(request.labels, None)
        return CacheKey(normalised(request.query), scope.state, tuple(scope.access), wanted, settings)

    def recall(self, key: CacheKey) -> list[Document] | None:
        """Return copies of the hits of a query; None if they are not here."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
        return _copies(entry.documents)

    def recall_similar(self, key: CacheKey, query: str, vector: Vector) -> list[Document] | None:
        """Return copies of the hits of the nearest query that asks the same; None if there is none."""
        if self.similarity is None:
            return None
        with self._lock:
            entries = [(other, entry) for other, entry in self._entries.items() if other.bounds == key.bounds]
        near = [(cosine(vector, entry.vector), other, entry) for other, entry in entries]
        near = [each for each in near if each[0] > self.similarity and asks_the_same(each[2].query, query)]
        if not near:
            return None
        _, other, entry = max(near, key=lambda each: (each[0], each[1].query))
        with self._lock:
            if other in self._entries:
                self._entries.move_to_end(other)
        return _copies(entry.documents)

    def remember(self, key: CacheKey, query: str, vector: Vector | None, documents: Sequence[Document]) -> None:
        """Keep the hits of a query, unless the index has changed since its key was made."""
        entry = _Entry(query, vector, _copies(documents))
        if self._catalogue.index_state != key.state:
            return
        with self._lock:
            self._entries[key] = entry
            self._entries.move_to_end(key)
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)


def normalised(query: str) -> str:
    """Return a query without differences of case, of width and of blanks."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", query).casefold()).split())


def _frozen(value: Any) -> Hashable:
    """Return a value of a filter so that equal ones mean the same; ``1``, ``1.0`` and ``true`` are different ones."""
    if isinstance(value, Mapping):
        return ("mapping", frozenset((name, _frozen(each)) for name, each in value.items()))
    if isinstance(value, list | tuple):
        return ("list", tuple(map(_frozen, value)))
    if isinstance(value, set | frozenset):
        return ("set", frozenset(map(_frozen, value)))
    if isinstance(value, datetime.date | datetime.time):
        return ("str", value.isoformat())
    return (type(value).__name__, value)


def _copies(documents: Sequence[Document]) -> list[Document]:
    return [
        Document(id=each.id, page_content=each.page_content, metadata=deepcopy(each.metadata)) for each in documents
    ]
