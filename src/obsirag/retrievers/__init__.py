"""Search: by meaning, by words, both fused by document, and near-duplicates merged."""

from obsirag.retrievers.duplicates import merge_near_duplicates, near_duplicate_pairs
from obsirag.retrievers.failures import SearchError
from obsirag.retrievers.filters import Filter, check_filter, matches
from obsirag.retrievers.fusion import fuse_by_document
from obsirag.retrievers.hybrid import HybridRetriever, SearchResult
from obsirag.retrievers.keyword import KeywordSearch
from obsirag.retrievers.vector import VectorSearch

__all__ = [
    "Filter",
    "HybridRetriever",
    "KeywordSearch",
    "SearchError",
    "SearchResult",
    "VectorSearch",
    "check_filter",
    "fuse_by_document",
    "matches",
    "merge_near_duplicates",
    "near_duplicate_pairs",
]
