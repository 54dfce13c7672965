"""From a vault to the catalogue and the vector store."""

from obsirag.indexing.stretches import split_note
from obsirag.indexing.sync import sync

__all__ = ["split_note", "sync"]
