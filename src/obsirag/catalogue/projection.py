"""The vector store and the keyword index as projections of the catalogue: writing to them, and making them right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

import numpy as np
from langchain_core.documents import Document
from langchain_core.vectorstores import VectorStore
from typing_extensions import TypeIs

from obsirag.catalogue.catalogue import Catalogue
from obsirag.catalogue.vectors import (
    LiveText,
    LiveVector,
    live_texts,
    live_vector_ids,
    live_vectors,
    pending_vector_ids,
    probe_vector_ids,
)
from obsirag.records import KeywordIndex

__all__ = [
    "Store",
    "batches",
    "delete_vectors",
    "holds_words",
    "is_persistent",
    "project",
    "seems_emptied",
    "stored_ids",
    "write_texts",
    "write_vectors",
]

Item = TypeVar("Item")
Store = VectorStore | KeywordIndex


def holds_words(store: Store) -> TypeIs[KeywordIndex]:
    """Say whether a store is a keyword index."""
    return not isinstance(store, VectorStore) and isinstance(store, KeywordIndex)


def is_persistent(store: object) -> bool:
    """Say whether a store keeps what is written to it; one that doesn't declares ``persistent = False``."""
    return bool(getattr(store, "persistent", True))


def stored_ids(store: Store) -> set[str] | None:
    """Return all ids that a store holds, None if it cannot list them."""
    listing = getattr(store, "ids", None)
    return set(listing()) if callable(listing) else None


def seems_emptied(catalogue: Catalogue, store: Store) -> bool:
    """Say whether a store lacks what the catalogue says it holds, by its first and last vector.

    A store that can neither get documents by their ids nor list its ids is believed.
    """
    with catalogue.reading() as connection:
        wanted = probe_vector_ids(connection)
    if not wanted:
        return False
    if holds_words(store):
        holding = getattr(store, "holding", None)
        return not wanted <= set(holding(sorted(wanted)) if callable(holding) else store.ids())
    try:
        found = {document.id for document in store.get_by_ids(sorted(wanted))}
    except NotImplementedError:
        present = stored_ids(store)
        return present is not None and not wanted <= present
    return not wanted <= found


def write_vectors(store: VectorStore, vectors: Sequence[LiveVector]) -> None:
    """Write vectors under their ids, with the access key and the source as their metadata.

    A store with a method ``add_vectors(ids, texts, vectors, metadatas)`` gets them so; another one gets documents and
    asks its embeddings, which know these vectors where the store was opened with what it was given.
    """
    ids = [each.vector_id for each in vectors]
    texts = [each.content for each in vectors]
    metadatas: list[dict[str, Any]] = [{"access": each.access, "source": each.source} for each in vectors]
    add = getattr(store, "add_vectors", None)
    if callable(add):
        add(ids=ids, texts=texts, vectors=np.stack([each.vector for each in vectors]), metadatas=metadatas)
        return
    documents = [
        Document(id=each, page_content=text, metadata=metadata)
        for each, text, metadata in zip(ids, texts, metadatas, strict=True)
    ]
    store.add_documents(documents, ids=ids)


def write_texts(index: KeywordIndex, texts: Sequence[LiveText]) -> None:
    """Write texts to a keyword index, with the access key and the source as their metadata."""
    metadatas = [{"access": each.access, "source": each.source} for each in texts]
    index.add([each.vector_id for each in texts], [each.text for each in texts], metadatas)


def delete_vectors(store: Store, vector_ids: Sequence[str], batch_size: int) -> None:
    """Delete ids from a store; nothing is asked of it if there are none, as some take that for "everything"."""
    for batch in batches(vector_ids, batch_size):
        store.delete(batch)


def project(catalogue: Catalogue, store: Store, model: str, batch_size: int = 256) -> bool:
    """Make a store hold exactly the vectors of the catalogue's chunks, from their cache; or an index, their words.

    A store that cannot list its ids gets all of them anew.

    Returns:
        Whether any were missing.
    """
    with catalogue.reading() as connection:
        live = live_vector_ids(connection)
        pending = set(pending_vector_ids(connection))
        present = stored_ids(store)
        surplus = sorted((present - live) if present is not None else (live | pending))
        missing = live - (present or set())
        delete_vectors(store, surplus, batch_size)
        if holds_words(store):
            for texts in batches(live_texts(connection, missing), batch_size):
                write_texts(store, texts)
        else:
            for vectors in batches(live_vectors(connection, model, missing), batch_size):
                write_vectors(store, vectors)
    return bool(missing)


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield lists of at most ``size`` items."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
