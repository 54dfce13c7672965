"""Pipelines that people build of other packages' parts, each of them left out where its packages are not installed.

- LangChain's Ensemble: its BM25 and dense search over the default chunks, fused by its own reciprocal ranks.
- The simple hybrid: chunks of semantic-text-splitter, dense search and BM25 over pairs of Chinese characters and
  identifiers, fused chunk by chunk by reciprocal ranks with k = 60.

None of them knows notes, embeds or permission labels.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from default_pipeline import ChunkRetriever
from obsirag.text.tokens import index_terms

__all__ = ["BigramHybrid", "ensemble", "split_by_semantic_splitter"]

_RRF_K = 60
_DEPTH = 50


def ensemble(chunks: Sequence[Document], dense: ChunkRetriever) -> BaseRetriever:
    """Return LangChain's Ensemble of its BM25 and ``dense``, half and half, as its documentation shows it.

    Raises:
        ImportError: If its packages are not installed.
    """
    bm25 = import_module("langchain_community.retrievers").BM25Retriever.from_documents(list(chunks), k=dense.limit)
    made: BaseRetriever = import_module("langchain_classic.retrievers").EnsembleRetriever(
        retrievers=[bm25, _WithoutLabels(inner=dense)], weights=[0.5, 0.5]
    )
    return _WithoutLabels(inner=made)


def split_by_semantic_splitter(documents: Sequence[Document]) -> list[Document]:
    """Cut notes by semantic-text-splitter into 500 to 1,000 characters, each chunk with its lines in the file.

    Raises:
        ImportError: If it is not installed.
    """
    splitter = import_module("semantic_text_splitter").MarkdownSplitter((500, 1000), overlap=50)
    chunks = []
    for document in documents:
        text = document.page_content
        for start, content in splitter.chunk_indices(text):
            first = text.count("\n", 0, start) + 1
            lines = {"start_line": first, "end_line": first + content.count("\n")}
            chunks.append(Document(content, metadata=document.metadata | {"start_index": start} | lines))
    return chunks


class BigramHybrid(BaseRetriever):
    """Dense search and BM25 over the same chunks, fused chunk by chunk by reciprocal ranks.

    Args:
        dense: The dense search.
        bm25: BM25 over the chunks' terms, in the same order.
    """

    dense: ChunkRetriever
    bm25: Any

    @classmethod
    def over(cls, dense: ChunkRetriever) -> BigramHybrid:
        """Return the hybrid over the chunks of ``dense``.

        Raises:
            ImportError: If rank_bm25 is not installed.
        """
        terms = [index_terms(chunk.page_content) for chunk in dense.chunks]
        return cls(dense=dense, bm25=import_module("rank_bm25").BM25Okapi(terms))

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, labels: Sequence[str] = ()
    ) -> list[Document]:
        del run_manager, labels
        words = self.bm25.get_scores(list(dict.fromkeys(index_terms(query))))
        meaning = self.dense.vectors @ np.asarray(self.dense.embeddings.embed_query(query), dtype=np.float32)
        shares: defaultdict[int, float] = defaultdict(float)
        for scores, least in ((words, 0.0), (meaning, -1.0)):
            for rank, index in enumerate(np.argsort(-scores, kind="stable")[:_DEPTH], 1):
                if scores[index] > least:  # a chunk without any of the words is no hit
                    shares[int(index)] += 1 / (_RRF_K + rank)
        best = sorted(shares, key=lambda index: (-shares[index], index))[: self.dense.limit]
        return [self.dense.chunks[index] for index in best]


class _WithoutLabels(BaseRetriever):
    """Passes a question on without the labels, which the one inside wouldn't take."""

    inner: BaseRetriever

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, labels: Sequence[str] = ()
    ) -> list[Document]:
        del run_manager, labels
        return self.inner.invoke(query)
