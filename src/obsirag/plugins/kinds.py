"""The kinds of parts, and what each has to be."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal, get_args

__all__ = ["KINDS", "Kind", "required_type"]

Kind = Literal[
    "chat_model",
    "embeddings",
    "vector_store",
    "keyword_index",
    "splitter",
    "reranker",
    "cleaner",
    "loader",
    "search_provider",
    "nodes",
    "observer",
]
KINDS: tuple[Kind, ...] = get_args(Kind)

# Named, not imported: each costs time that only those pay who build such a part.
_TYPES: dict[Kind, tuple[str, str]] = {
    "chat_model": ("langchain_core.language_models", "BaseChatModel"),
    "embeddings": ("langchain_core.embeddings", "Embeddings"),
    "vector_store": ("langchain_core.vectorstores", "VectorStore"),
    "keyword_index": ("obsirag.records", "KeywordIndex"),
    "splitter": ("langchain_text_splitters", "TextSplitter"),
    "reranker": ("langchain_core.documents", "BaseDocumentCompressor"),
    "cleaner": ("obsirag.cleaning", "CleaningStep"),
    "loader": ("obsirag.records", "Loader"),
    "search_provider": ("obsirag.retrievers", "WebSearchProvider"),
    "nodes": ("collections.abc", "Mapping"),
    "observer": ("collections.abc", "Callable"),
}


def required_type(kind: Kind) -> type[Any]:
    """Return what a part of ``kind`` has to be: an interface of LangChain, or a type of the project's own."""
    module, name = _TYPES[kind]
    found: type[Any] = getattr(import_module(module), name)
    return found
