"""Hits of a store that are still alive, and as many as were asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from langchain_core.documents import Document

__all__ = ["gather_living"]

_MOST_PER_CHUNK = 4


def gather_living(
    ask: Callable[[int], Sequence[str]],
    living: Callable[[Sequence[str]], list[Document]],
    limit: int,
    chunks: int,
) -> list[Document]:
    """Ask a store for more and more ids until so many of them are alive, or it has no more.

    Args:
        ask: Returns that many ids, the best first, or all that there are.
        living: Returns the chunks of those of the ids that are alive, the best first.
        limit: How many of them are wanted.
        chunks: How many there are in the catalogue.
    """
    wanted = limit
    # What nobody cleared up yet may lie before the living ones; but no store holds it without end.
    most = _MOST_PER_CHUNK * (chunks + limit)
    seen: set[str] = set()
    while True:
        ids = ask(wanted)
        found = living(ids)
        # Fewer than asked for means that the store has no more; a dead or filtered hit means that it may have.
        if len(found) >= limit or len(ids) < wanted or wanted >= most or seen.issuperset(ids):
            return found[:limit]
        seen.update(ids)
        wanted = min(2 * wanted, most)
