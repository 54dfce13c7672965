"""A small world for tests of the index: a vault, an index, and parts that count and can be made to fail or die."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.embeddings import Embeddings
from langchain_core.vectorstores import VectorStore

from obsirag.catalogue import Catalogue
from obsirag.indexing import Indexer, SyncPlan, sync
from obsirag.plugins.chroma import vector_store as open_chroma
from obsirag.plugins.hashing import HashingEmbeddings
from obsirag.plugins.memory import MemoryVectorStore
from obsirag.records import IndexReport
from obsirag.retrievers import HybridRetriever, KeywordSearch, VectorSearch
from obsirag.splitters import ObsidianSplitter
from obsirag.vault import Vault


class Killed(BaseException):
    """Ends a run at a chosen step, as a kill would."""


class Clock:
    """Counts steps that leave a trace outside the process, and ends the run at one of them."""

    def __init__(self) -> None:
        self.steps = 0
        self.last: int | None = None

    def tick(self) -> None:
        self.steps += 1
        if self.last is not None and self.steps > self.last:
            self.end()

    def end(self) -> None:
        raise Killed

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def ticking(*arguments: Any, **options: Any) -> Any:
            self.tick()
            result = call(*arguments, **options)
            self.tick()
            return result

        return ticking


class CountingEmbeddings(HashingEmbeddings):
    """Embeddings that remember what they were asked, and fail where they are told to."""

    def __init__(self, dimensions: int = 16, clock: Clock | None = None) -> None:
        super().__init__(dimensions)
        self.calls: list[list[str]] = []
        self.fails: Callable[[str], bool] = lambda _: False
        self._clock = clock or Clock()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self._clock.tick()
        self.calls.append(list(texts))
        if any(map(self.fails, texts)):
            raise ConnectionError("no such host")
        return super().embed_documents(texts)


class KeptStore(MemoryVectorStore):
    """A store in memory that counts as one on disk: it lives as long as the world."""

    persistent = True

    def __init__(self, clock: Clock) -> None:
        super().__init__(HashingEmbeddings(16))
        self.writes: list[list[str]] = []
        self.fails = False
        self._clock = clock

    def add_vectors(
        self, ids: Sequence[str], texts: Sequence[str], vectors: Any, metadatas: Sequence[Mapping[str, Any]]
    ) -> None:
        self._clock.tick()
        self.writes.append(list(ids))
        if self.fails:
            raise ConnectionError("no such host")
        half = len(ids) // 2
        super().add_vectors(ids[:half], texts[:half], vectors[:half], metadatas[:half])
        self._clock.tick()
        super().add_vectors(ids[half:], texts[half:], vectors[half:], metadatas[half:])
        self._clock.tick()

    def delete(self, ids: list[str] | None = None, **kwargs: Any) -> bool:
        self._clock.tick()
        self.writes.append(list(ids or ()))
        super().delete(ids)
        self._clock.tick()
        return True

    def reset(self) -> None:
        self._clock.tick()
        super().delete(self.ids())


class TickingCatalogue(Catalogue):
    """A catalogue whose transactions are steps."""

    clock = Clock()

    @contextmanager
    def writing(self) -> Iterator[Any]:
        self.clock.tick()
        with super().writing() as connection:
            yield connection
        self.clock.tick()


class World:
    """A vault and its index.

    Args:
        folder: An empty folder.
        store: ``kept``, ``memory``, ``chroma`` or ``milvus``.
        vault: The vault's folder; one of its own if None.
    """

    def __init__(self, folder: Path, store: str = "kept", vault: Path | None = None) -> None:
        self.clock = Clock()
        self.vault = vault or folder / "vault"
        self.vault.mkdir(exist_ok=True, parents=True)
        self.index = folder / "index"
        self.kind = store
        self.embeddings: Any = CountingEmbeddings(clock=self.clock)
        self.kept = KeptStore(self.clock)
        self.opened = 0
        self.catalogue = TickingCatalogue.open(self.index)
        self.catalogue.clock = self.clock
        self.ignore: tuple[str, ...] = ()
        self.options: dict[str, Any] = {}

    def write(self, path: str, text: str) -> None:
        file = self.vault / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def remove(self, path: str) -> None:
        (self.vault / path).unlink()

    def rename(self, old: str, new: str) -> None:
        (self.vault / new).parent.mkdir(parents=True, exist_ok=True)
        (self.vault / old).rename(self.vault / new)

    def open_store(self, embeddings: Embeddings) -> VectorStore:
        self.opened += 1
        if self.kind == "kept":
            return self.kept
        if self.kind == "memory":
            return MemoryVectorStore(embeddings)
        if self.kind == "milvus":
            from obsirag.plugins.milvus import vector_store as open_milvus

            store: Any = open_milvus({}, embeddings, self.index)
        else:
            store = open_chroma({}, embeddings, self.index)
        for name in ("add_vectors", "delete", "reset"):
            setattr(store, name, self.clock.around(getattr(store, name)))
        return store

    def parts(self) -> dict[str, Any]:
        """Return what a run is given, made for this run."""
        return {
            "vault": Vault(self.vault, ignore=self.ignore),
            "splitter": ObsidianSplitter(),
            "embeddings": self.embeddings,
            "open_store": self.open_store,
            "catalogue": self.catalogue,
            "retry_delays": (),
        } | self.options

    def sync(self, **options: Any) -> IndexReport:
        self.embeddings.calls = []
        self.kept.writes.clear()
        self.opened = 0
        return sync(**(self.parts() | options))

    def plan(self, *, full: bool = False) -> SyncPlan:
        """Return what a run would do, from a catalogue that cannot be written and without a store."""

        def refuse(_: Embeddings) -> VectorStore:
            raise AssertionError("a plan opened the store")

        with Catalogue.open_read_only(self.index) as catalogue:
            return Indexer(**(self.parts() | {"catalogue": catalogue, "open_store": refuse})).plan(full=full)

    def sync_or_die(self, last: int | None, **options: Any) -> IndexReport | None:
        """Sync, but die after so many steps unless ``last`` is None; return None if the run died."""
        self.clock.last = None if last is None else self.clock.steps + last
        try:
            return self.sync(**options)
        except Killed:
            return None
        finally:
            self.clock.last = None

    def sync_until(self, last: int, **options: Any) -> bool:
        """Sync, but die after so many steps; say whether the run died."""
        return self.sync_or_die(last, **options) is None

    def keywords(self) -> KeywordSearch:
        return KeywordSearch(self.catalogue)

    def vectors(self) -> VectorSearch:
        return VectorSearch(self.catalogue, self.embeddings, self.open_store)

    def retriever(self, **options: Any) -> HybridRetriever:
        return HybridRetriever(keywords=self.keywords(), vectors=self.vectors(), **options)

    def sources(self, query: str, **options: Any) -> list[str]:
        documents = self.retriever(limit=100).invoke(query, **options)
        return list(dict.fromkeys(document.metadata["source"] for document in documents))

    def stored(self) -> dict[str, Any]:
        """Return what the vector store holds, by id: the metadata, and the vector where it can be had."""
        store: Any = self.open_store(self.embeddings)
        vectors = {name: entry.vector.tolist() for name, entry in getattr(store, "_entries", {}).items()}
        return {
            document.id: (document.page_content, document.metadata, vectors.get(document.id))
            for document in store.get_by_ids(store.ids())
        }

    def state(self) -> dict[str, Any]:
        """Return all of the index that a reader may come to see, and that a fresh one must have too."""
        state = content_of(self.catalogue)
        if self.kind != "memory":
            state["store"] = self.stored()
        return state


def content_of(catalogue: Catalogue) -> dict[str, Any]:
    """Return all of a catalogue that a reader may come to see."""
    queries = {
        "notes": "SELECT path, file_hash, render_hash, settings, title, metadata, aliases, access FROM notes",
        "chunks": "SELECT vector_id, path, position, chunks.access, content_hash, chunk_id, parent_id,"
        " chunks.metadata, content, terms.title, terms.headings, body FROM chunks"
        " JOIN notes ON notes.id = note_id JOIN terms ON terms.rowid = chunks.id",
        "terms": "SELECT count(*) FROM terms",
        "parents": "SELECT path, parent_id, content, parents.metadata, parents.access FROM parents"
        " JOIN notes ON notes.id = note_id",
        "dependencies": "SELECT path, target FROM dependencies JOIN notes ON notes.id = note_id",
        "names": "SELECT path, name FROM names JOIN notes ON notes.id = note_id",
        "links": "SELECT notes.path, position, target, subpath, alias, line, links.path, embed FROM links"
        " JOIN notes ON notes.id = note_id",
        "access": "SELECT key, permissions FROM access",
        "pending": "SELECT vector_id FROM pending_vectors",
        "stale": "SELECT path FROM stale",
    }
    with catalogue.reading() as connection:
        return {name: sorted(connection.execute(sql), key=repr) for name, sql in queries.items()}
