"""How many chunks hold a term, kept from search to search."""

from __future__ import annotations

import re
import sqlite3
import threading
from collections import defaultdict
from heapq import nsmallest

from obsirag.catalogue.catalogue import index_state
from obsirag.text.characters import CJK

__all__ = ["TermCounts", "quoted"]

_PAIR = re.compile(rf"[{CJK}]{{2}}")
_FIRST = "\u3000"  # no such pair is sorted before it

_MOST_PAIRS = 200
"""A character has no more pairs than this: each of them is one more term to score every match by."""

_MOST_KEPT = 20_000

_Pairs = dict[str, list[tuple[int, str]]]


class TermCounts:
    """Counts the chunks that hold a term, each term once for each state of the index.

    Any number of threads may ask; each with a connection that sees one state of the index.

    Args:
        bound: Nothing is counted beyond it.
    """

    def __init__(self, bound: int) -> None:
        self.bound = bound
        self._lock = threading.Lock()
        self._state = (-1, -1)
        self._counts: dict[str, int] = {}
        self._pairs: _Pairs | None = None

    def count(self, connection: sqlite3.Connection, term: str) -> int:
        """Return the number of chunks with a term; one over the bound stands for all above it."""
        with self._lock:
            self._follow(connection)
            if term not in self._counts:
                if len(self._counts) >= _MOST_KEPT:
                    self._counts.clear()
                self._counts[term] = _count(connection, term, self.bound + 1)
            return self._counts[term]

    def pairs(self, connection: sqlite3.Connection, character: str, most: int) -> dict[str, int]:
        """Return the most common indexed pairs that hold a Chinese, Japanese or Korean character, with their counts.

        No index leads from the second character of a pair to the pair, so that all of them have to be gone through,
        the first time that somebody asks.

        Args:
            connection: A connection.
            character: The character.
            most: Most pairs; never more than 200.
        """
        with self._lock:
            self._follow(connection)
            if self._pairs is None:
                self._pairs = _read_pairs(connection)
            return {pair: -count for count, pair in self._pairs.get(character, ())[:most]}

    def _follow(self, connection: sqlite3.Connection) -> None:
        """Forget what was counted in another state of the index."""
        state = index_state(connection)
        if state != self._state:
            self._state, self._counts, self._pairs = state, {}, None


def quoted(term: str) -> str:
    """Return a term as FTS5 takes it, whatever signs it has."""
    return '"' + term.replace('"', '""') + '"'


def _count(connection: sqlite3.Connection, term: str, most: int) -> int:
    row = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM terms WHERE terms MATCH ? LIMIT ?)", (quoted(term), most)
    ).fetchone()
    return int(row[0])


def _read_pairs(connection: sqlite3.Connection) -> _Pairs:
    """Return for each character its pairs, the most common first, with their counts below zero."""
    pairs: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in connection.execute("SELECT -doc, term FROM vocabulary WHERE term > ? AND length(term) = 2", (_FIRST,)):
        if _PAIR.fullmatch(row[1]):
            for character in set(row[1]):
                pairs[character].append(row)
    return {character: nsmallest(_MOST_PAIRS, found) for character, found in pairs.items()}
