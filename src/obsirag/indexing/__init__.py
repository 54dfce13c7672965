"""From a vault to the catalogue and the vector store."""

from obsirag.indexing.sync import sync

__all__ = ["sync"]
