"""Where the configuration meets the plugins: ready parts, and the journeys that are made of them."""

from obsirag.components.build import build_components, store_opener
from obsirag.components.chunks import report_splitting, split_note
from obsirag.components.cutting import NoteCutter
from obsirag.components.defaults import HashingFallbackWarning
from obsirag.components.index import aindex_vault, index_vault
from obsirag.components.parts import Components
from obsirag.components.search import open_retriever

__all__ = [
    "Components",
    "HashingFallbackWarning",
    "NoteCutter",
    "aindex_vault",
    "build_components",
    "index_vault",
    "open_retriever",
    "report_splitting",
    "split_note",
    "store_opener",
]
