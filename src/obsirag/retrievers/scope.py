"""What a caller may see and wants to see, as the catalogue knows it."""

# ruff: noqa: A002 - callers write filter={...}, as with every LangChain store

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from langchain_core.documents import Document

from obsirag.catalogue import (
    Catalogue,
    access_key_count,
    chunk_fields,
    index_state,
    note_metadata,
    readable_access_keys,
)
from obsirag.errors import ConfigError
from obsirag.retrievers.filters import Filter, check_filter, filter_fields, matcher

__all__ = ["Scope", "ScopeReader", "check_query"]

_MOST_ANSWERS = 16
"""The same few filters are asked again and again: the notes that the latest ones left are kept."""


_MOST_SOURCES = 10_000
"""A store is told no more notes than this; what else it finds is left out afterwards."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The bounds of one search.

    Args:
        state: The state of the index for which they hold.
        access: The access keys of what the caller may read.
        everything: Whether these are all keys of the index.
        sources: The only notes that can hold a match; None for all.
        chunk_filter: What each chunk must match besides; None if the notes decide.
    """

    state: tuple[int, int]
    access: list[str]
    everything: bool = False
    sources: list[str] | None = None
    chunk_filter: Filter | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing can be found."""
        return not self.access or self.sources == []

    def store_filter(self) -> dict[str, Any] | None:
        """Return the bounds as a filter for the vector store, None if there are none.

        A caller who may read everything needs no filter on access, which costs some stores more than the search itself.
        Neither are very many notes listed: stores refuse such a filter, and it leaves out little.
        """
        bounds: list[dict[str, Any]] = []
        if not self.everything:
            bounds.append({"access": {"$in": self.access}})
        if self.sources is not None and len(self.sources) <= _MOST_SOURCES:
            bounds.append({"source": {"$in": self.sources}})
        return {"$and": bounds} if len(bounds) > 1 else bounds[0] if bounds else None

    def chunk_test(self) -> Callable[[Document], bool] | None:
        """Return what says whether a chunk of an admitted note matches; None if all of them do."""
        if self.chunk_filter is None:
            return None
        is_match = matcher(self.chunk_filter)
        return lambda document: is_match(document.metadata)


class ScopeReader:
    """Works out scopes.

    A filter on fields of notes is answered by the catalogue, which has them all in their own types, and becomes a list
    of notes in the store's query: so it means the same in every store, and is applied before hits are counted.

    Args:
        catalogue: The catalogue.
    """

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._lock = threading.Lock()
        self._notes: tuple[tuple[int, int], dict[str, dict[str, Any]]] = ((-1, -1), {})
        self._answers: dict[tuple[tuple[int, int], str], list[str]] = {}

    def read(self, labels: Collection[str] | None, filter: Filter | None) -> Scope:
        """Return the scope of a search.

        Args:
            labels: The caller's labels, or one as a string; None for none.
            filter: What to search; None for everything.

        Raises:
            ConfigError: If the labels or the filter cannot be read.
        """
        check_filter(filter)
        with self._catalogue.reading() as connection:
            state = index_state(connection)
            access = readable_access_keys(connection, labels)
            everything = len(access) == access_key_count(connection)
            if not filter:
                return Scope(state, access, everything)
            of_chunks = chunk_fields(connection)
            parts = _conjuncts(filter)
            for_notes = {"$and": [part for part in parts if not filter_fields(part) & of_chunks]}
            for_chunks = {"$and": [part for part in parts if filter_fields(part) & of_chunks]}
            sources = None
            if for_notes["$and"]:
                sources = self._sources(connection, state, for_notes)
        return Scope(state, access, everything, sources, for_chunks if for_chunks["$and"] else None)

    def _sources(self, connection: sqlite3.Connection, state: tuple[int, int], filter: Filter) -> list[str]:
        """Return the notes whose metadata matches, sorted."""
        asked = state, repr(filter)
        with self._lock:
            if asked in self._answers:
                return self._answers[asked]
        notes = self._note_metadata(connection, state)
        is_match = matcher(filter)
        sources = sorted(path for path, metadata in notes.items() if is_match(metadata))
        with self._lock:
            while len(self._answers) >= _MOST_ANSWERS:
                del self._answers[next(iter(self._answers))]
            self._answers[asked] = sources
        return sources

    def _note_metadata(self, connection: sqlite3.Connection, state: tuple[int, int]) -> dict[str, dict[str, Any]]:
        with self._lock:
            if self._notes[0] == state:
                return self._notes[1]
        notes = note_metadata(connection)
        with self._lock:
            self._notes = (state, notes)
        return notes


def check_query(query: object) -> None:
    """Make sure that a query is text.

    Raises:
        ConfigError: If it is not.
    """
    if not isinstance(query, str):
        raise ConfigError(f"A query must be a string, not {type(query).__name__}.")


def _conjuncts(filter: Filter) -> list[Filter]:
    """Return the filters that must all match, as small as they come."""
    parts: list[Filter] = []
    for name, condition in filter.items():
        if name == "$and":
            parts += [small for part in condition for small in _conjuncts(part)]
        else:
            parts.append({name: condition})
    return parts
