"""From an index to a retriever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsirag.components.build import build_components, store_opener
from obsirag.components.parts import Components
from obsirag.config import RagConfig

if TYPE_CHECKING:
    from obsirag.retrievers import HybridRetriever

__all__ = ["open_retriever"]


def open_retriever(config: RagConfig, *, components: Components | None = None) -> HybridRetriever:
    """Return a retriever over the index: vectors and keywords side by side, fused by document.

    ``retriever.invoke(query, labels=[…], filter={…})`` finds what a caller with those labels may read.

    Args:
        config: The configuration.
        components: Ready parts, instead of those that the configuration describes.

    Raises:
        ConfigError: If the configuration is wrong.
        PluginError: If a part cannot be made.
        CatalogueError: If there is no index, or it cannot be opened, or was made with another embedding model.
    """
    from obsirag.catalogue import Catalogue
    from obsirag.retrievers import HybridRetriever, KeywordSearch, VectorSearch

    weights = config.retrieval.weights
    catalogue = Catalogue.open(config.index, create=False)
    # Without a weight for vectors, no model is loaded.
    parts = build_components(config, components, kinds=("embeddings", "vector_store") if weights.vector else ())
    vectors = None
    if weights.vector and parts.embeddings is not None:
        vectors = VectorSearch(catalogue, parts.embeddings, store_opener(config, parts))
    return HybridRetriever(
        keywords=KeywordSearch(catalogue),
        vectors=vectors,
        limit=config.retrieval.limit,
        candidates=config.retrieval.candidates,
        chunks_per_document=config.retrieval.chunks_per_document,
        rrf_k=config.retrieval.rrf_k,
        weights=(weights.vector, weights.keyword),
    )
