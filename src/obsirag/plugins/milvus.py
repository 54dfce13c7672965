"""Milvus: in this process (Lite), or a server of any size."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from obsirag.errors import MissingExtraError
from obsirag.plugins.markers import hookimpl
from obsirag.plugins.milvus_options import MilvusOptions

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings
    from langchain_core.vectorstores import VectorStore

    from obsirag.plugins.milvus_connection import MilvusConnection
    from obsirag.records import KeywordIndex

__all__ = ["hosts", "keyword_index", "requires", "vector_store"]


@hookimpl
def vector_store(options: dict[str, Any], embeddings: Embeddings, folder: Path) -> VectorStore:
    """Open the collection of an index's vectors."""
    parsed = MilvusOptions.parse(options, place="vector_store (milvus)")
    connection = _connection("vector store 'milvus'", parsed, parsed.folder_in(folder, "milvus"))
    from obsirag.plugins.milvus_store import MilvusStore

    return MilvusStore(connection, parsed, embeddings)


@hookimpl
def keyword_index(options: dict[str, Any], folder: Path) -> KeywordIndex:
    """Open the collection of an index's words, beside that of its vectors."""
    parsed = MilvusOptions.parse(options, place="keyword_index (milvus)")
    connection = _connection("keyword index 'milvus'", parsed, parsed.folder_in(folder, "milvus-keywords"))
    if parsed.address is None and parsed.analyzer == "jieba" and find_spec("jieba") is None:
        raise MissingExtraError("keyword index 'milvus' with `analyzer: jieba`", "milvus")
    from obsirag.plugins.milvus_keywords import MilvusKeywords, check_version

    if not connection.is_embedded:
        check_version(connection)
    return MilvusKeywords(connection, parsed)


@hookimpl
def hosts(options: dict[str, Any]) -> list[str]:
    """Name the server, if there is one."""
    address = MilvusOptions.parse(options, place="milvus").address
    return [address] if address else []


@hookimpl
def requires() -> dict[str, str]:
    """Name the extra."""
    return {"pymilvus": "obsirag[milvus]"}


def _connection(part: str, options: MilvusOptions, folder: Path) -> MilvusConnection:
    needed = ["pymilvus"] if options.address else ["pymilvus", "milvus_lite"]
    if any(find_spec(name) is None for name in needed):
        raise MissingExtraError(part, "milvus")
    from obsirag.plugins.milvus_connection import MilvusConnection

    return MilvusConnection(options, folder)
