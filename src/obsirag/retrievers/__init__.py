"""Search: by meaning, by words, both fused by document, what is done with the hits after that, and the web."""

from obsirag.retrievers.duplicates import merge_near_duplicates, near_duplicate_pairs
from obsirag.retrievers.failures import Found, SearchError, degraded_of
from obsirag.retrievers.filters import Filter, check_filter, matcher, matches
from obsirag.retrievers.fusing import Fusion, fuse
from obsirag.retrievers.fusion import fuse_by_document
from obsirag.retrievers.hybrid import HybridRetriever, SearchResult
from obsirag.retrievers.keyword import KeywordSearch
from obsirag.retrievers.keyword_index import KeywordIndexSearch
from obsirag.retrievers.linked_notes import LinkedNotes
from obsirag.retrievers.merging import DuplicateMerging
from obsirag.retrievers.parents import ParentExpansion
from obsirag.retrievers.preferring import Preferring
from obsirag.retrievers.query_cache import QueryCache
from obsirag.retrievers.reranking import Reranking
from obsirag.retrievers.score_fusion import fuse_scores_by_document
from obsirag.retrievers.scoring import ScoringReranker
from obsirag.retrievers.staged import StagedRetriever
from obsirag.retrievers.vector import VectorSearch
from obsirag.retrievers.web import WebHit, WebPage, WebSearch, WebSearchProvider

__all__ = [
    "DuplicateMerging",
    "Filter",
    "Found",
    "Fusion",
    "HybridRetriever",
    "KeywordIndexSearch",
    "KeywordSearch",
    "LinkedNotes",
    "ParentExpansion",
    "Preferring",
    "QueryCache",
    "Reranking",
    "ScoringReranker",
    "SearchError",
    "SearchResult",
    "StagedRetriever",
    "VectorSearch",
    "WebHit",
    "WebPage",
    "WebSearch",
    "WebSearchProvider",
    "check_filter",
    "degraded_of",
    "fuse",
    "fuse_by_document",
    "fuse_scores_by_document",
    "matcher",
    "matches",
    "merge_near_duplicates",
    "near_duplicate_pairs",
]
