"""What was found, in the order that people's marks on like questions suggest."""

from __future__ import annotations

import logging
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from langchain_core.documents import Document

from obsirag.errors import ObsiragError, reason_of
from obsirag.feedback import Feedback, Preference
from obsirag.retrievers.deadlines import call_within
from obsirag.retrievers.grouping import source_of, sources_of
from obsirag.retrievers.hybrid import SearchResult

__all__ = ["Preferring", "reorder"]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Preferring:
    """Moves documents up or down by a few places, as people's marks say.

    Only what was found for the caller is moved, so that nothing is found by marks alone.

    Args:
        feedback: The marks.
        max_shift: How many places a document may end above or below where it stood. So many documents more are to be
            found than are to be kept.
        timeout: Seconds to wait for the vector of a question, where marks are compared by vectors, too.
    """

    feedback: Feedback
    max_shift: int
    timeout: float = 30.0

    def prefer(self, question: str, found: SearchResult, *, labels: Collection[str], limit: int) -> SearchResult:
        """Return the chunks of the first documents in the new order.

        If the marks cannot be read, they are those of the old order, and ``degraded`` names ``preferences``.

        Args:
            question: What was asked.
            found: What was found, best first.
            labels: The caller's labels.
            limit: How many documents are kept.
        """
        try:
            moved = reorder(found.documents, self._weighed(question, labels), self.max_shift)
        except (ObsiragError, TimeoutError) as error:
            _log.warning("marks cannot be read (%s); the fused order stays", reason_of(error))
            return SearchResult(_first(found.documents, limit), (*found.degraded, "preferences"))
        return found._replace(documents=_first(moved, limit))

    def _weighed(self, question: str, labels: Collection[str]) -> dict[str, Preference]:
        if not self.feedback.asks_model:
            return self.feedback.weigh(question, labels)
        return call_within(self.timeout, lambda: self.feedback.weigh(question, labels))

    def state(self) -> Hashable:
        """Return what is the same as long as the marks say the same."""
        try:
            return self.feedback.state()
        except ObsiragError:
            return None  # hits that were found without the marks are never kept


def reorder(chunks: Sequence[Document], preferences: Mapping[str, Preference], max_shift: int) -> list[Document]:
    """Return chunks in the order of their places less the places that their documents' preferences are worth.

    Chunks of a document that stand in a row are one place. The strongest preferences are worth just under half of
    ``max_shift + 1`` places, so two places change their order only if they are at most ``max_shift`` apart, and no
    place ends more than ``max_shift`` above or below where it was. Without preferences, all stays as it is.

    Args:
        chunks: What was found, best first.
        preferences: What marks say, by document.
        max_shift: At least 0.

    Returns:
        The chunks; of documents that marks say something of, copies with ``metadata["preference"]``, the places that
        it was worth, and ``metadata["preference_marks"]``, the ids of the marks.
    """
    rows = [(source, [*row]) for source, row in groupby(chunks, key=source_of)]
    if preferences.keys().isdisjoint(source for source, _ in rows):
        return [*chunks]
    reach = (max_shift + 1) / 2
    worth = {source: round(each.share * reach, 6) for source, each in preferences.items()}
    # A place that is reached exactly is taken.
    order = sorted(
        range(len(rows)),
        key=lambda place: (
            round(place - worth.get(rows[place][0], 0.0), 6),
            -worth.get(rows[place][0], 0.0),
            place,
        ),
    )
    return [
        _told(chunk, preferences.get(source), worth.get(source, 0.0))
        for source, row in (rows[place] for place in order)
        for chunk in row
    ]


def _first(chunks: Sequence[Document], limit: int) -> list[Document]:
    kept = set(sources_of(chunks)[:limit])
    return [chunk for chunk in chunks if source_of(chunk) in kept]


def _told(chunk: Document, preference: Preference | None, worth: float) -> Document:
    if preference is None:
        return chunk
    metadata = {**chunk.metadata, "preference": worth, "preference_marks": [*preference.marks]}
    return Document(id=chunk.id, page_content=chunk.page_content, metadata=metadata)
