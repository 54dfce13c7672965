"""How the checks of vector stores open, fill and ask a store."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from obsirag.errors import ConfigError
from obsirag.testing.conformance import Conformance
from obsirag.testing.fake_embeddings import FakeEmbeddings

__all__ = ["StoreKit"]


class StoreKit(Conformance):
    """Opens stores that are empty, and takes away afterwards what was written to them."""

    kind: ClassVar[str] = "vector_store"
    needs_fresh_parts: ClassVar[bool] = True

    def make(self, embeddings: Embeddings, folder: Path) -> VectorStore:
        """Return the store, opened: empty for a folder that it hasn't seen, else with what was written before.

        A store that keeps its vectors elsewhere than in the folder opens a collection that nothing else uses. What the
        checks write they delete again; a store that isn't empty is never touched.

        Args:
            embeddings: Embeds texts that come without vectors.
            folder: The index's folder.
        """
        raise NotImplementedError(f"{type(self).__name__} needs a method `make(self, embeddings, folder)`")

    def reach(self) -> None:
        """Open the store and ask it for something."""
        self.near(self.opened(), "anything", 1)

    @cached_property
    def embeddings(self) -> FakeEmbeddings:
        """The embeddings that stores are opened with."""
        return FakeEmbeddings()

    def opened(self) -> Any:
        """Return the store, opened, of which it is known that it was empty before the check.

        Raises:
            ConfigError: If it holds something that the kit did not write.
        """
        store = self.make(self.embeddings, self.folder)
        if not self._written and (held := _held(store, self.embeddings)):
            raise ConfigError(
                f"the store isn't empty: it holds {held!r}, and the checks would write among that. Name a collection "
                "or a folder that nothing else uses"
            )
        return store

    def filled(self, *texts: str) -> Any:
        """Return the opened store with these texts, each under an id of its own."""
        store = self.opened()
        self.add(store, {self.id_of(text): text for text in texts})
        return store

    def add(
        self, store: Any, texts: Mapping[str, str], metadatas: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        """Add texts by their ids, as obsirag does to a store that takes no vectors."""
        usual = {"access": "", "source": "note.md"}
        self.added(
            store,
            [
                Document(id=each, page_content=text, metadata=dict((metadatas or {}).get(each, usual)))
                for each, text in texts.items()
            ],
        )

    def added(self, store: Any, documents: Sequence[Document]) -> list[str]:
        """Add documents under their ids, and return what the store returns."""
        ids = [str(each.id) for each in documents]
        self.note_written(ids)
        came: list[str] = store.add_documents(list(documents), ids=ids)
        return came

    def note_written(self, ids: Sequence[str]) -> None:
        """Remember ids that are written, so that they are deleted after the check."""
        self._written.update(ids)

    def near(
        self,
        store: Any,
        text: str,
        k: int,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - as stores call it
    ) -> list[Document]:
        """Return the documents nearest to the vector of a text, searched for as obsirag does."""
        given = {} if filter is None else {"filter": filter}
        found: list[Document] = store.similarity_search_by_vector(self.embeddings.embed_query(text), k=k, **given)
        return list(found)

    def cosine(self, text: str, other: str) -> float:
        """Return how near two texts are."""
        return float(np.dot(self.embeddings.embed_query(text), self.embeddings.embed_query(other)))

    @staticmethod
    def texts(documents: Sequence[Document]) -> list[str]:
        """Return the texts of documents."""
        return [each.page_content for each in documents]

    @staticmethod
    def id_of(text: str) -> str:
        """Return the id under which :meth:`filled` writes a text."""
        return f"conformance-{sha256(text.encode()).hexdigest()[:24]}"

    def teardown_method(self) -> None:
        """Delete what was written; pytest calls it by this name."""
        if self._written:
            with suppress(Exception):  # what cannot be deleted is what the check told
                store: Any = self.make(self.embeddings, self.folder)
                store.delete(sorted(self._written))
                if callable(reset := getattr(store, "reset", None)):
                    reset()  # it was empty before, and is bound to no length of vectors after
                del store
            gc.collect()
        super().teardown_method()

    @cached_property
    def _written(self) -> set[str]:
        return set()


def _held(store: Any, embeddings: Embeddings) -> list[str]:
    """Return some of what a store holds."""
    if callable(listing := getattr(store, "ids", None)):
        return list(listing())[:3]
    found = store.similarity_search_by_vector(embeddings.embed_query("anything"), k=3)
    return [str(each.id) for each in found]
