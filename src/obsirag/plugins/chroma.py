"""Chroma in this process, its files in the index folder: the default vector store."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from obsirag.config import ConfigModel
from obsirag.errors import MissingExtraError
from obsirag.plugins.markers import hookimpl

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import VectorStore

__all__ = ["ChromaOptions", "requires", "vector_store"]

_Count = Annotated[int, Field(strict=True, ge=1)]


class ChromaOptions(ConfigModel):
    """What can be set for ``chroma``."""

    collection: str = Field(
        default="obsirag",
        pattern=r"^[a-zA-Z0-9][a-zA-Z0-9._-]{1,510}[a-zA-Z0-9]$",
        description="Name of the collection, at least three characters.",
    )
    m: _Count | None = Field(default=None, description="HNSW: neighbours of each vector; set when the index is made.")
    ef_construction: _Count | None = Field(
        default=None, description="HNSW: candidates looked at when a vector is added; set when the index is made."
    )
    ef: _Count | None = Field(default=None, description="HNSW: candidates looked at in a search.")


@hookimpl
def vector_store(options: dict[str, Any], embeddings: Embeddings, folder: Path) -> VectorStore:
    """Open the Chroma collection of an index."""
    parsed = ChromaOptions.parse(options, place="vector_store (chroma)")
    if find_spec("langchain_chroma") is None:
        raise MissingExtraError("vector store 'chroma'", "chroma")
    from obsirag.plugins.chroma_store import open_chroma

    hnsw = {"max_neighbors": parsed.m, "ef_construction": parsed.ef_construction, "ef_search": parsed.ef}
    return open_chroma(
        folder / "chroma",
        parsed.collection,
        embeddings,
        {name: value for name, value in hnsw.items() if value is not None},
    )


@hookimpl
def requires() -> dict[str, str]:
    """Name the extra."""
    return {"langchain_chroma": "obsirag[chroma]"}
