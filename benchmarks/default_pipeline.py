"""The pipeline that most people start with: raw notes, a recursive character splitter, vectors."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever
from langchain_text_splitters import RecursiveCharacterTextSplitter

__all__ = ["ChunkRetriever", "read_raw_notes", "split_by_default"]


def read_raw_notes(vault: Path, paths: Sequence[str]) -> list[Document]:
    """Return the files of a vault as they are, each with its path as ``source``."""
    return [
        Document((vault / path).read_text("utf-8-sig", errors="replace"), metadata={"source": path}) for path in paths
    ]


def split_by_default(documents: Sequence[Document]) -> list[Document]:
    """Cut notes into chunks of 1,000 characters with an overlap of 200, each with its lines in the file."""
    splitter = RecursiveCharacterTextSplitter(chunk_size=1000, chunk_overlap=200, add_start_index=True)
    chunks = []
    for document in documents:
        for chunk in splitter.split_documents([document]):
            start = chunk.metadata["start_index"]
            first = document.page_content.count("\n", 0, start) + 1
            last = first + chunk.page_content.count("\n")
            chunk.metadata |= {"start_line": first, "end_line": last}
            chunks.append(chunk)
    return chunks


class ChunkRetriever(BaseRetriever):
    """The nearest chunks by cosine, exactly, best first; it knows nothing of notes or of permission labels.

    Args:
        chunks: The chunks.
        vectors: Their vectors in the same order, of length 1.
        embeddings: The model for queries.
        limit: Number of chunks returned.
    """

    chunks: list[Document]
    vectors: Any
    embeddings: Embeddings
    limit: int = 30

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, labels: Sequence[str] = ()
    ) -> list[Document]:
        del run_manager, labels
        scores = self.vectors @ np.asarray(self.embeddings.embed_query(query), dtype=np.float32)
        best = np.argsort(-scores, kind="stable")[: self.limit]
        return [self.chunks[index] for index in best]
