"""The conformance class of each kind of part."""

from __future__ import annotations

from importlib import import_module

from obsirag.config import nearest_names
from obsirag.errors import ConfigError
from obsirag.testing.conformance import Conformance

__all__ = ["KITS", "kit_of"]

# Named, not imported: each needs what its kind of part needs.
KITS = {
    "chat_model": ("chat_model", "ChatModelConformance"),
    "cleaner": ("cleaner", "CleanerConformance"),
    "embeddings": ("embeddings", "EmbeddingsConformance"),
    "keyword_index": ("keyword_index", "KeywordIndexConformance"),
    "loader": ("loader", "LoaderConformance"),
    "nodes": ("node", "NodeConformance"),
    "reranker": ("reranker", "RerankerConformance"),
    "search_provider": ("search_provider", "SearchProviderConformance"),
    "splitter": ("splitter", "SplitterConformance"),
    "vector_store": ("vector_store", "VectorStoreConformance"),
}
"""By the name of the hook: the module here, and the class in it."""


def kit_of(kind: str) -> type[Conformance]:
    """Return the conformance class of a kind of part.

    Raises:
        ConfigError: If there is none.
    """
    if kind not in KITS:
        near = nearest_names(kind, [*KITS])
        hint = f"; did you mean {near[0]!r}?" if near else "."
        raise ConfigError(f"there are no checks for {kind!r}{hint} There are some for: {', '.join(KITS)}")
    module, name = KITS[kind]
    kit: type[Conformance] = getattr(import_module(f"obsirag.testing.{module}"), name)
    return kit
