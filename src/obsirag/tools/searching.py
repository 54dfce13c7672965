"""Search the notes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from langchain_core.documents import Document

from obsirag.graphs.links import link_to
from obsirag.graphs.visible_text import visible_text
from obsirag.records.places import locate_quote
from obsirag.retrievers.deadlines import in_thread
from obsirag.tools.faults import told
from obsirag.tools.opening import Lazy
from obsirag.tools.results import Passage, SearchResults, encodable
from obsirag.tools.wording import in_words_found, title_at

if TYPE_CHECKING:
    from obsirag.retrievers import SearchResult, StagedRetriever

__all__ = ["NoteSearch"]


@dataclass(frozen=True, slots=True)
class NoteSearch:
    """Find passages by meaning and by words.

    Args:
        retriever: Opens the search.
        labels: The labels that it searches with.
        vault: The vault's name, for links.
        name: The tool's name, for the log.
    """

    retriever: Lazy[StagedRetriever]
    labels: tuple[str, ...]
    vault: str
    name: str

    def search(self, query: str) -> tuple[str, SearchResults]:
        """Return what was found, in words and as data."""
        with told(self.name):
            return self._given(self.retriever().search(query, labels=self.labels))

    async def asearch(self, query: str) -> tuple[str, SearchResults]:
        """Do the same without holding up the event loop."""
        with told(self.name):
            retriever = await in_thread(self.retriever)
            return self._given(await retriever.asearch(query, labels=self.labels))

    def _given(self, found: SearchResult) -> tuple[str, SearchResults]:
        passages = [self._passage(number, each) for number, each in enumerate(found.documents, 1)]
        results: SearchResults = encodable({"passages": passages, "degraded": sorted(found.degraded)})
        return in_words_found(results), results

    def _passage(self, number: int, document: Document) -> Passage:
        place = locate_quote(document, 0, len(document.page_content))
        return Passage(
            number=number,
            source=place.path,
            title=title_at(document, place.path),
            headings=list(place.headings),
            start_line=place.start_line,
            end_line=place.end_line,
            link=link_to(place.path, vault=self.vault, headings=place.headings),
            text=visible_text(document).strip(),
        )
