"""Search by words in an index beside the catalogue."""

# ruff: noqa: A002 - callers write filter={...}, as with every LangChain store

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Sequence
from math import isfinite

from langchain_core.documents import Document

from obsirag.catalogue import Catalogue, chunk_documents, is_persistent, project
from obsirag.errors import CatalogueError, ConfigError, MissingExtraError, ServiceError, reason_of
from obsirag.records import KeywordIndex
from obsirag.retrievers.failures import Found
from obsirag.retrievers.filters import Filter
from obsirag.retrievers.keyword import KeywordSearch
from obsirag.retrievers.living import gather_living
from obsirag.retrievers.scope import Scope, ScopeReader, check_query
from obsirag.retrievers.vector import ATTEMPTS

__all__ = ["KeywordIndexSearch"]

_log = logging.getLogger(__name__)


class KeywordIndexSearch(KeywordSearch):
    """Finds chunks by their words with an index of its own; where that cannot be used, with the catalogue's.

    The index says which chunks hold the words; the catalogue says which of them are alive, and what they hold.

    Args:
        catalogue: The catalogue.
        open_index: Opens the index, or finds that there is none to be had; called again when the index has changed.
        settings: What the catalogue knows the index by. One that no run has filled yet isn't asked.
    """

    def __init__(self, catalogue: Catalogue, open_index: Callable[[], KeywordIndex | None], settings: str) -> None:
        super().__init__(catalogue)
        self._catalogue = catalogue
        self._open_index = open_index
        self._settings = settings
        self._scopes = ScopeReader(catalogue)
        self._lock = threading.Lock()
        self._opened: tuple[tuple[int, int], KeywordIndex | None] | None = None

    def search(
        self, query: str, *, labels: Collection[str] | None = (), filter: Filter | None = None, limit: int = 50
    ) -> list[Document]:
        """Return the chunks that hold a word of the query, the best first, as :meth:`KeywordSearch.search` does.

        Their ``keyword_score`` is the index's own. If it fails, what the catalogue finds is a ``Found`` that says so.
        """
        check_query(query)
        try:
            index = self._index()
            if index is not None:
                return self._search(index, query, labels, filter, limit) if query.strip() else []
        except (CatalogueError, ConfigError, MissingExtraError):  # not the index's fault, or one that stays
            raise
        except Exception as error:  # noqa: BLE001 - an index is somebody else's code and may raise anything
            with self._lock:
                self._opened = None
            _log.warning("the keyword index failed (%s); the catalogue's is used", reason_of(error))
            return Found(super().search(query, labels=labels, filter=filter, limit=limit), ["keyword_index"])
        return super().search(query, labels=labels, filter=filter, limit=limit)

    def _search(
        self,
        index: KeywordIndex,
        query: str,
        labels: Collection[str] | None,
        filter: Filter | None,
        limit: int,
    ) -> list[Document]:
        found: list[Document] = []
        for _ in range(ATTEMPTS):
            scope = self._scopes.read(labels, filter)
            if scope.is_empty or limit < 1:
                return []
            found = self._found(index, query, scope, limit)
            if self._catalogue.index_state == scope.state:
                break
            index = self._index() or index
        return found

    def _found(self, index: KeywordIndex, query: str, scope: Scope, limit: int) -> list[Document]:
        scores: dict[str, float] = {}

        def ask(wanted: int) -> list[str]:
            hits = [
                (str(each), float(score)) for each, score in index.search(query, wanted, filter=scope.store_filter())
            ]
            if not all(isfinite(score) for _, score in hits):
                raise ServiceError("The keyword index gave a score that is no number.")
            scores.update(hits)
            return [each for each, _ in hits]

        return gather_living(ask, lambda ids: self._living(ids, scores, scope), limit, self._catalogue.chunk_count())

    def _living(self, ids: Sequence[str], scores: dict[str, float], scope: Scope) -> list[Document]:
        with self._catalogue.reading() as connection:
            documents = chunk_documents(connection, ids, scope.access)
        allowed = None if scope.sources is None else set(scope.sources)
        admits = scope.chunk_test()
        found = [
            (-scores[each], document.metadata["source"], each, document)
            for each, document in documents.items()
            # One that didn't listen to the filter is not believed.
            if (allowed is None or document.metadata["source"] in allowed) and (admits is None or admits(document))
        ]
        found.sort(key=lambda each: each[:3])
        for cost, _, _, document in found:
            document.metadata["score"] = document.metadata["keyword_score"] = -cost
        return [document for *_, document in found]

    def _index(self) -> KeywordIndex | None:
        """Return the index as it was opened for the present state; None if the catalogue's is to be used."""
        if self._catalogue.meta("keyword_index") != self._settings:
            return None
        state = self._catalogue.index_state
        with self._lock:
            if self._opened is None or self._opened[0] != state:
                index = self._open_index()
                if index is not None and not is_persistent(index):
                    project(self._catalogue, index, "")
                elif self._catalogue.meta("keyword_index_keeps_nothing") is not None:
                    index = None  # there was none to be had when the notes were indexed
                self._opened = (state, index)
            return self._opened[1]
