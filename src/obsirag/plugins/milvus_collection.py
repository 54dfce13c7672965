"""A collection of Milvus: rows under ids of any text, which are replaced, listed and deleted."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from pymilvus import CollectionSchema, DataType, MilvusClient
from pymilvus.milvus_client.index import IndexParams

from obsirag.errors import ServiceError
from obsirag.plugins.milvus_connection import MilvusConnection
from obsirag.plugins.milvus_expressions import COLUMNS, with_ids

__all__ = ["LONGEST_TEXT", "MOST_HITS", "MilvusCollection", "Plan", "base_schema", "fitted"]

LONGEST_TEXT = 65_535
"""Most bytes of a text in Milvus."""

MOST_HITS = 16_384
"""Most rows of one answer."""

_STEP = 1000
"""Rows of one call: a message has a limit of 64 MB."""

Row = dict[str, Any]
Plan = Callable[[], tuple[CollectionSchema, IndexParams]]


class MilvusCollection:
    """A collection; made when the first row is written, since only then the length of its vectors is known.

    Args:
        connection: The way to it.
        name: Its name.
        timeout: Seconds to wait for an answer.
        field: The field that is searched.
    """

    def __init__(self, connection: MilvusConnection, name: str, timeout: float, field: str) -> None:
        self.connection = connection
        self.name = name
        self.timeout = timeout
        self._field = field
        self._lock = threading.Lock()
        self._known: tuple[MilvusClient, int] | None = None

    @contextmanager
    def opened(self) -> Iterator[tuple[MilvusClient, int] | None]:
        """Lend a client that can search the collection, with the length of its vectors; None if there is none yet."""
        with self.connection.client() as client:
            try:
                yield self._ready(client)
            except Exception:
                self._known = None  # another process may have made it anew
                raise

    def upsert(self, rows: Sequence[Row], plan: Plan) -> None:
        """Write rows, each in the place of the one that its id had.

        Args:
            rows: The rows; of two under one id the last one counts.
            plan: Says how the collection is to be made if there is none yet.
        """
        unique = list({row["id"]: row for row in rows}.values())
        with self.opened() as known:
            if known is None:
                with self.connection.client() as client:
                    self._make(client, plan)
        for batch in _batches(unique):
            with self.opened() as known:
                assert known is not None  # noqa: S101 - it was made
                known[0].upsert(self.name, batch, timeout=self.timeout)

    def delete(self, ids: Iterable[str]) -> None:
        """Delete rows; ids that it doesn't have are passed over."""
        for batch in _batches(ids):
            with self.opened() as known:
                if known is not None:
                    known[0].delete(self.name, filter=with_ids(map(fitted, batch)), timeout=self.timeout)

    def get(self, ids: Sequence[str], fields: Sequence[str]) -> list[Row]:
        """Return the rows of ids, in any order."""
        found: list[Row] = []
        for batch in _batches(ids):
            with self.opened() as known:
                if known is not None:
                    found += known[0].query(
                        self.name,
                        filter=with_ids(map(fitted, batch)),
                        output_fields=["id", *fields],
                        timeout=self.timeout,
                        consistency_level="Strong",
                    )
        return found

    def ids(self) -> list[str]:
        """Return all ids, in any order."""
        with self.opened() as known:
            if known is None:
                return []
            # A single answer has at most so many rows.
            iterator = known[0].query_iterator(
                self.name, batch_size=MOST_HITS, output_fields=["id"], timeout=self.timeout, consistency_level="Strong"
            )
            try:
                found: list[str] = []
                while rows := iterator.next():
                    found += (str(row["id"]) for row in rows)
                return found
            finally:
                iterator.close()

    def search(self, query: Any, limit: int, expression: str, params: Mapping[str, Any], fields: Sequence[str]) -> Any:
        """Return the hits of a query as Milvus gives them, the best first; none if there is no collection."""
        with self.opened() as known:
            if known is None:
                return []
            hits = known[0].search(
                self.name,
                [query],
                filter=expression,
                limit=min(limit, MOST_HITS),
                output_fields=["id", *fields],
                search_params=dict(params),
                anns_field=self._field,
                timeout=self.timeout,
                consistency_level="Strong",
            )
            return hits[0]

    def reset(self) -> None:
        """Remove the collection, the length of its vectors included."""
        with self.connection.client() as client:
            self._known = None
            client.drop_collection(self.name, timeout=self.timeout)

    def release(self) -> None:
        """Write down what Milvus Lite holds in memory, and let other processes have its folder."""
        if not self.connection.is_embedded:
            return
        with self.opened() as known:
            if known is not None:
                known[0].flush(self.name, timeout=None)
        self.connection.close()

    def _ready(self, client: MilvusClient) -> tuple[MilvusClient, int] | None:
        with self._lock:
            if self._known is not None and self._known[0] is client:
                return self._known
            if not client.has_collection(self.name, timeout=self.timeout):
                return None
            fields = {each["name"]: each for each in client.describe_collection(self.name)["fields"]}
            if not {"id", self._field, *COLUMNS} <= fields.keys():
                raise ServiceError(
                    f"The collection {self.name!r} of {self.connection.name} was made by another program: choose "
                    "another name with `collection`."
                )
            client.load_collection(self.name)
            self._known = client, int(fields[self._field].get("params", {}).get("dim") or 0)
            return self._known

    def _make(self, client: MilvusClient, plan: Plan) -> None:
        schema, index = plan()
        client.create_collection(
            self.name, schema=schema, index_params=index, consistency_level="Strong", timeout=self.timeout
        )


def base_schema() -> CollectionSchema:
    """Return the fields that all collections have."""
    schema = MilvusClient.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("id", DataType.VARCHAR, is_primary=True, max_length=LONGEST_TEXT)
    for name in COLUMNS:
        schema.add_field(name, DataType.VARCHAR, max_length=LONGEST_TEXT)
    return schema


def fitted(text: str) -> str:
    """Return a text as Milvus can hold it: without halves of surrogate pairs, and not longer than it takes."""
    return text.encode("utf-8", "replace")[:LONGEST_TEXT].decode("utf-8", "ignore")


def _batches(items: Iterable[Any]) -> Iterator[list[Any]]:
    iterator = iter(items)
    while batch := list(islice(iterator, _STEP)):
        yield batch
