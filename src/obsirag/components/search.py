"""From an index to a retriever."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsirag.components.build import build_components, store_opener
from obsirag.components.feedback import feedback_over
from obsirag.components.keywords import keyword_index_opener
from obsirag.components.parts import Components
from obsirag.components.settings import describe_keywords
from obsirag.config import RagConfig, RetrievalOptions

if TYPE_CHECKING:
    from obsirag.catalogue import Catalogue
    from obsirag.plugins import Kind
    from obsirag.retrievers import HybridRetriever, KeywordSearch, Preferring, StagedRetriever

__all__ = ["open_retriever"]

_USUAL_THRESHOLD = 0.95


def open_retriever(config: RagConfig, *, components: Components | None = None) -> StagedRetriever:
    """Return a retriever over the index: vectors and keywords side by side, fused by document, and what comes after.

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
    from obsirag.retrievers import HybridRetriever, Preferring, VectorSearch

    options = config.retrieval
    catalogue = Catalogue.open(config.index, create=False)
    # Without a weight for vectors, no model is loaded.
    kinds: tuple[Kind, ...] = ("embeddings", "vector_store") if options.weights.vector else ()
    parts = build_components(config, components, kinds=(*kinds, "keyword_index", "reranker"))
    vectors = None
    if options.weights.vector and parts.embeddings is not None:
        vectors = VectorSearch(catalogue, parts.embeddings, store_opener(config, parts))
    hybrid = HybridRetriever(
        keywords=_keywords(config, parts, catalogue),
        vectors=vectors,
        limit=options.pool(reranks=parts.reranker is not None),
        candidates=options.candidates,
        chunks_per_document=options.chunks_per_document,
        fusion=options.fusion,
        rrf_k=options.rrf_k,
        weights=(options.weights.vector, options.weights.keyword),
    )
    preferring = None
    if options.preferences.enabled:
        feedback = feedback_over(config, catalogue, parts)
        preferring = Preferring(feedback, options.preferences.max_shift, options.timeout)
    return _staged(hybrid, catalogue, options, parts, preferring)


def _keywords(config: RagConfig, parts: Components, catalogue: Catalogue) -> KeywordSearch:
    from obsirag.retrievers import KeywordIndexSearch, KeywordSearch

    open_index = keyword_index_opener(config, parts)
    if open_index is None:
        return KeywordSearch(catalogue)
    return KeywordIndexSearch(catalogue, open_index, describe_keywords(config, parts))


def _staged(
    hybrid: HybridRetriever,
    catalogue: Catalogue,
    options: RetrievalOptions,
    parts: Components,
    preferring: Preferring | None,
) -> StagedRetriever:
    from obsirag.retrievers import (
        DuplicateMerging,
        LinkedNotes,
        ParentExpansion,
        QueryCache,
        Reranking,
        StagedRetriever,
    )

    threshold = options.duplicate_threshold
    if threshold is None:
        threshold = getattr(parts.embeddings, "duplicate_threshold", _USUAL_THRESHOLD)
    cache = options.cache
    return StagedRetriever(
        hybrid=hybrid,
        limit=options.limit,
        preferring=preferring,
        linking=LinkedNotes(catalogue, options.linked_notes) if options.linked_notes else None,
        reranking=Reranking(reranker=parts.reranker, **options.rerank.model_dump()) if parts.reranker else None,
        merging=DuplicateMerging(catalogue, threshold) if options.merge_duplicates else None,
        expansion=ParentExpansion(catalogue, options.parent_budget) if options.parent_budget else None,
        cache=QueryCache(catalogue, cache.size, similarity=cache.similarity) if cache.size else None,
    )
