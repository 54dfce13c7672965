"""Rerankers that give each passage a score."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from math import isfinite

from langchain_core.callbacks import Callbacks
from langchain_core.documents import BaseDocumentCompressor, Document

from obsirag.errors import ServiceError
from obsirag.retrievers.deadlines import in_thread

__all__ = ["ScoringReranker"]


class ScoringReranker(BaseDocumentCompressor):
    """A LangChain document compressor that orders documents by a score; a subclass says what that is.

    Documents come back as copies with ``metadata["rerank_score"]``, the best first, equal ones in the order they had.
    """

    @abstractmethod
    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return one finite number for each text, the higher the better it fits the query."""

    async def ascore(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Do what ``score`` does, without holding up the event loop."""
        return await in_thread(self.score, query, texts)

    def compress_documents(
        self,
        documents: Sequence[Document],
        query: str,
        callbacks: Callbacks | None = None,  # noqa: ARG002 - LangChain's
    ) -> Sequence[Document]:
        """Return all documents, the best first.

        Raises:
            ServiceError: If there is not one finite score for each document.
        """
        if not documents:
            return []
        return _ordered(documents, self.score(_readable(query), [_readable(each.page_content) for each in documents]))

    async def acompress_documents(
        self,
        documents: Sequence[Document],
        query: str,
        callbacks: Callbacks | None = None,  # noqa: ARG002 - LangChain's
    ) -> Sequence[Document]:
        """Do what ``compress_documents`` does, without holding up the event loop."""
        if not documents:
            return []
        scores = await self.ascore(_readable(query), [_readable(each.page_content) for each in documents])
        return _ordered(documents, scores)


def _readable(text: str) -> str:
    # Half a surrogate pair has no UTF-8, which models and servers want.
    return text.encode("utf-8", "replace").decode("utf-8")


def _ordered(documents: Sequence[Document], scores: Sequence[float]) -> list[Document]:
    if len(scores) != len(documents):
        raise ServiceError(f"The reranker gave {len(scores)} scores for {len(documents)} passages.")
    numbers = [float(score) for score in scores]
    if not all(map(isfinite, numbers)):
        raise ServiceError("The reranker gave a score that is no finite number.")
    order = sorted(range(len(documents)), key=lambda index: -numbers[index])
    return [
        Document(
            id=documents[index].id,
            page_content=documents[index].page_content,
            metadata={**documents[index].metadata, "rerank_score": numbers[index]},
        )
        for index in order
    ]
