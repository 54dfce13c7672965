"""Milvus as a keyword index, by its own BM25."""

# ruff: noqa: A002 - the names are those of the interface

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from pymilvus import CollectionSchema, DataType, Function, FunctionType, MilvusClient
from pymilvus.milvus_client.index import IndexParams

from obsirag.errors import UnsupportedError
from obsirag.plugins.milvus_collection import LONGEST_TEXT, MilvusCollection, base_schema, fitted
from obsirag.plugins.milvus_connection import MilvusConnection
from obsirag.plugins.milvus_expressions import NOTHING, to_expression
from obsirag.plugins.milvus_options import MilvusOptions
from obsirag.text.tokens import index_terms, query_terms

__all__ = ["MilvusKeywords", "check_version"]

_FIRST_WITH_BM25 = (2, 5)
_MOST_TERMS = 64

# Milvus Lite takes any run of letters and digits for a word, and knows no other way but jieba; a server's `standard`
# would take Chinese apart.
_ANALYZERS: Mapping[str, dict[str, Any]] = {
    "pairs": {"tokenizer": "whitespace", "filter": ["lowercase"]},
    "jieba": {"tokenizer": "jieba", "filter": ["lowercase", "cnalphanumonly"]},
}
_LITE_ANALYZERS: Mapping[str, dict[str, Any]] = {"pairs": {"tokenizer": "standard"}, "jieba": {"tokenizer": "jieba"}}


class MilvusKeywords:
    """A collection of texts that are found by their words. Safe to be used from several threads.

    Args:
        connection: The way to Milvus.
        options: The collection's name, and how texts are cut.
    """

    persistent = True

    def __init__(self, connection: MilvusConnection, options: MilvusOptions) -> None:
        self._collection = MilvusCollection(connection, f"{options.collection}_keywords", options.timeout, "words")
        self._options = options

    def add(self, ids: Sequence[str], texts: Sequence[str], metadatas: Sequence[Mapping[str, Any]]) -> None:
        """Add texts, each in the place of the one that its id had."""
        if not len(ids):
            return
        with self._collection.connection.client() as client:
            version = client.get_server_version()
        rows = [
            {
                "id": fitted(each),
                "text": fitted(self._cut(index_terms(text), text)),
                "access": fitted(str(metadata.get("access", ""))),
                "source": fitted(str(metadata.get("source", ""))),
            }
            for each, text, metadata in zip(ids, texts, metadatas, strict=True)
        ]
        self._collection.upsert(rows, lambda: self._plan(version))

    def delete(self, ids: Iterable[str]) -> None:
        """Delete texts; ids that it doesn't have are passed over."""
        self._collection.delete(ids)

    def search(self, query: str, limit: int, *, filter: Mapping[str, Any] | None = None) -> list[tuple[str, float]]:
        """Return ids with their BM25 scores, the best first."""
        expression = to_expression(filter)
        words = fitted(self._cut(query_terms(query)[:_MOST_TERMS], query))
        if expression == NOTHING or limit < 1 or not words.strip():
            return []
        hits = self._collection.search(words, limit, expression, {"metric_type": "BM25"}, [])
        # Milvus Lite gives them below zero.
        return [(str(hit["id"]), abs(float(hit["distance"]))) for hit in hits]

    def ids(self) -> list[str]:
        """Return all ids, in any order."""
        return self._collection.ids()

    def holding(self, ids: Sequence[str]) -> Collection[str]:
        """Return which of some ids it holds."""
        return {str(row["id"]) for row in self._collection.get(ids, [])}

    def reset(self) -> None:
        """Remove everything."""
        self._collection.reset()

    def release(self) -> None:
        """Write down what is held in memory, and let other processes have the files."""
        self._collection.release()

    def _cut(self, terms: Iterable[str], text: str) -> str:
        return " ".join(terms) if self._options.analyzer == "pairs" else text

    def _plan(self, version: str) -> tuple[CollectionSchema, IndexParams]:
        analyzers = _LITE_ANALYZERS if _is_lite(version) else _ANALYZERS
        schema = base_schema()
        schema.add_field(
            "text",
            DataType.VARCHAR,
            max_length=LONGEST_TEXT,
            enable_analyzer=True,
            analyzer_params=analyzers[self._options.analyzer],
        )
        schema.add_field("words", DataType.SPARSE_FLOAT_VECTOR)
        schema.add_function(Function("bm25", FunctionType.BM25, ["text"], ["words"]))
        index = MilvusClient.prepare_index_params()
        index.add_index("words", index_type="SPARSE_INVERTED_INDEX", metric_type="BM25", params={})
        return schema, index


def check_version(connection: MilvusConnection) -> None:
    """Make sure that Milvus has BM25.

    Raises:
        UnsupportedError: If it hasn't.
        ServiceError: If it cannot be reached.
    """
    with connection.client() as client:
        version = client.get_server_version()
    numbers = tuple(map(int, re.findall(r"\d+", version)[:2]))
    if not _is_lite(version) and numbers < _FIRST_WITH_BM25:
        raise UnsupportedError(
            f"{connection.name} is version {version.removeprefix('v')}, and finds keywords from 2.5 on. Update it, "
            "leave `keyword_index` out, or write `keyword_index: auto`: then the catalogue finds them."
        )


def _is_lite(version: str) -> bool:
    return version.startswith("milvus_lite")
