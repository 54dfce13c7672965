"""Where the configuration meets the plugins: ready parts, and the journeys that are made of them."""

from obsirag.components.build import build_components, store_opener
from obsirag.components.chunks import split_note
from obsirag.components.defaults import HashingFallbackWarning
from obsirag.components.index import aindex_vault, index_vault
from obsirag.components.parts import Components
from obsirag.components.search import open_retriever

__all__ = [
    "Components",
    "HashingFallbackWarning",
    "aindex_vault",
    "build_components",
    "index_vault",
    "open_retriever",
    "split_note",
    "store_opener",
]
