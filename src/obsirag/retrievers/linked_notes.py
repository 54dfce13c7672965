"""Notes that are linked with what was found, as further candidates."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.documents import Document

from obsirag.catalogue import Catalogue
from obsirag.catalogue.neighbours import neighbours_of
from obsirag.retrievers.failures import SearchError
from obsirag.retrievers.grouping import source_of, sources_of
from obsirag.retrievers.hybrid import Embedded, HybridRetriever, SearchResult
from obsirag.retrievers.request import SearchRequest

__all__ = ["LinkedNotes"]

_log = logging.getLogger(__name__)
_MOST_NEIGHBOURS = 50
"""Of a note that everything links to, so many links in each direction are followed."""
_SCORES = ("score", "fusion_score")


@dataclass(frozen=True, slots=True)
class LinkedNotes:
    """Offers the notes that the hits link to, and those that link to the hits.

    They are searched like any others, with the caller's labels and filter: a note without a passage that fits and that
    the caller may read isn't offered.

    Args:
        catalogue: The catalogue, which knows the links.
        count: How many notes are offered at most.
    """

    catalogue: Catalogue
    count: int

    def add(
        self, hybrid: HybridRetriever, request: SearchRequest, embedded: Embedded, found: SearchResult, *, hits: int
    ) -> SearchResult:
        """Return what was found, and behind it chunks of linked notes, the best first.

        Their ``metadata["linked_from"]`` lists the hits that they are linked with, best first; their ``score`` and
        ``fusion_score`` are scaled to be lower than those of any hit.

        Args:
            hybrid: Where to search.
            request: What was asked.
            embedded: What ``hybrid`` made of it.
            found: What was found.
            hits: Of how many documents the links are followed.
        """
        linked_from = self._linked_from(found.documents, hits)
        if not linked_from:
            return found
        only: dict[str, object] = {"source": {"$in": [*linked_from]}}
        narrowed = request._replace(filter={"$and": [request.filter, only]} if request.filter else only)
        try:
            further = hybrid.model_copy(update={"limit": self.count}).search_embedded(narrowed, embedded)
        except SearchError as error:  # the other search had failed before, and this one only now
            _log.warning("%s; no linked notes are offered", error)
            return found._replace(degraded=tuple(dict.fromkeys((*found.degraded, error.part))))
        return SearchResult(
            [*found.documents, *_lowered(further.documents, found.documents, linked_from)],
            tuple(dict.fromkeys((*found.degraded, *further.degraded))),
        )

    def _linked_from(self, chunks: Sequence[Document], hits: int) -> dict[str, list[str]]:
        """Return the notes that are linked with the first hits and were not found, each with these hits."""
        found = sources_of(chunks)
        linked_from: dict[str, list[str]] = {}
        with self.catalogue.reading() as connection:
            for source in found[:hits]:
                for path in neighbours_of(connection, source, limit=_MOST_NEIGHBOURS):
                    if path not in found:
                        linked_from.setdefault(path, []).append(source)
        return linked_from


def _lowered(
    further: Sequence[Document], found: Sequence[Document], linked_from: Mapping[str, list[str]]
) -> list[Document]:
    lowest = {name: min((chunk.metadata.get(name, 0.0) for chunk in found), default=0.0) for name in _SCORES}
    chunks: list[Document] = []
    for rank, chunk in enumerate(further, 1):
        # What a search among few notes gives says nothing beside the scores of the whole search but its order.
        lowered = {name: low - max(abs(low), 1e-9) * rank / (rank + 1) for name, low in lowest.items()}
        metadata = {**chunk.metadata, **lowered, "linked_from": list(linked_from[source_of(chunk)])}
        chunks.append(Document(id=chunk.id, page_content=chunk.page_content, metadata=metadata))
    return chunks
