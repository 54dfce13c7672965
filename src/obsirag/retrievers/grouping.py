"""Chunks and the documents that they stand for."""

from __future__ import annotations

from collections.abc import Iterable

from langchain_core.documents import Document

from obsirag.retrievers.fusion import chunk_id_of, document_key_of

__all__ = ["source_of", "sources_of"]


def source_of(chunk: Document) -> str:
    """Return what a chunk's document is known by; a chunk without a source is a document of its own."""
    return document_key_of(chunk, "source", chunk_id_of(chunk))


def sources_of(chunks: Iterable[Document]) -> list[str]:
    """Return what the documents of chunks are known by, each once, in order of their first chunk."""
    return list(dict.fromkeys(map(source_of, chunks)))
