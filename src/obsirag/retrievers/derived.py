"""Notes that were made from answers, below those that they were made from."""

from __future__ import annotations

from collections.abc import Sequence

from langchain_core.documents import Document

from obsirag.records import is_derived, originals_of
from obsirag.retrievers.grouping import source_of

__all__ = ["below_originals"]


def below_originals(chunks: Sequence[Document]) -> list[Document]:
    """Return chunks with those of each note that was made from an answer behind all of its originals that were found.

    Args:
        chunks: What was found, best first; all else keeps its order.
    """
    last = {source_of(chunk): place for place, chunk in enumerate(chunks) if not is_derived(chunk.metadata)}
    if len(last) == len({source_of(chunk) for chunk in chunks}):
        return [*chunks]

    def key(place: int) -> tuple[int, bool, int]:
        metadata = chunks[place].metadata
        if not is_derived(metadata):
            return place, False, place
        behind = max((last[each.path] for each in originals_of(metadata) if each.path in last), default=-1)
        return max(place, behind), behind > place, place

    return [chunks[place] for place in sorted(range(len(chunks)), key=key)]
