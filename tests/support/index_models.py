"""What an index is to be like, told by a fresh index of the same vault; and what a reader finds in an index."""

from __future__ import annotations

import json
import shutil
from collections import defaultdict
from collections.abc import Collection
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from index_worlds import Clock, CountingEmbeddings, World
from obsirag.catalogue import cached_hashes, content_hash, staged_name
from obsirag.retrievers import HybridRetriever

LABELS = ("boss", "team")
FIRST_MODEL = "hashing:16"
OTHER_MODEL = "other:24"

Version = tuple[tuple[str, tuple[str, ...]], ...]
"""What a reader finds of a note: the texts of its chunks in order, each with its permissions, label sets as JSON."""

_OF_NOTES = {"notes": 0, "chunks": 1, "parents": 0, "dependencies": 0, "names": 0, "links": 0}
"""The tables of a world's state whose rows belong to a note, with the column of its path."""


class Model(NamedTuple):
    """A fresh index.

    Args:
        state: All of it, see :meth:`World.state`.
        shown: What a reader with every label finds of each note.
    """

    state: dict[str, Any]
    shown: dict[str, Version]

    def notes(self) -> set[str]:
        """Return the paths of its notes, those without text included."""
        return {row[0] for row in self.state["notes"]}


class Models:
    """Makes fresh indexes of a world's vault as it is, with the settings that the world has; each once.

    Args:
        world: The world.
    """

    def __init__(self, world: World) -> None:
        self._world = world
        self._made: dict[object, Model] = {}

    def now(self) -> Model:
        """Return the fresh index."""
        world = self._world
        files = [(path, path.read_bytes()) for path in sorted(world.vault.rglob("*")) if path.is_file()]
        key = repr((files, world.ignore, world.options.get("settings"), world.embeddings.model_id))
        if key not in self._made:
            self._made[key] = self._make()
        return self._made[key]

    def _make(self) -> Model:
        world = self._world
        folder = world.index.with_name("fresh")
        fresh = World(folder, world.kind, world.vault)
        fresh.ignore, fresh.options = world.ignore, world.options
        fresh.embeddings = embedding_model(world.embeddings.model_id)
        fresh.sync()
        made = Model(fresh.state(), shown(fresh, LABELS))
        fresh.catalogue.close()
        shutil.rmtree(folder)
        return made


def embedding_model(name: str, clock: Clock | None = None) -> CountingEmbeddings:
    """Return a model by its name, which ends with the length of its vectors."""
    embeddings = CountingEmbeddings(int(name.partition(":")[2]), clock)
    embeddings.model_id = name
    return embeddings


def shown(world: World, labels: Collection[str]) -> dict[str, Version]:
    """Return all that a reader with ``labels`` finds; by words alone where the index has another embedding model."""
    fits = world.catalogue.model_id in (None, world.embeddings.model_id)
    retriever = HybridRetriever(
        keywords=world.keywords(),
        vectors=world.vectors() if fits else None,
        limit=1000,
        candidates=1000,
        chunks_per_document=1000,
    )
    with world.catalogue.reading() as connection:
        paths = [row[0] for row in connection.execute("SELECT path FROM notes")]
    found: defaultdict[str, list[tuple[int, str, tuple[str, ...]]]] = defaultdict(list)
    # The name of a note is among the words of each of its chunks.
    for document in retriever.invoke(" ".join(Path(path).stem for path in paths), labels=labels):
        metadata = document.metadata
        found[metadata["source"]].append(
            (metadata["chunk_index"], document.page_content, tuple(metadata["permissions"]))
        )
    return {path: tuple((text, needed) for _, text, needed in sorted(chunks)) for path, chunks in found.items()}


def readable(versions: dict[str, Version], labels: Collection[str]) -> dict[str, Version]:
    """Return what of the versions somebody with ``labels`` may read: one label of each set of a chunk is needed."""
    parts = {
        path: tuple(chunk for chunk in version if all(set(json.loads(each)) & set(labels) for each in chunk[1]))
        for path, version in versions.items()
    }
    return {path: version for path, version in parts.items() if version}


def labels_in_turn(version: Version) -> list[tuple[str, ...]]:
    """Return the permissions of a note's text from its start to its end, each stretch's once."""
    return [needed for needed, _ in groupby(needed for _, needed in version)]


def refused_texts(world: World, model: Model, *, anew: bool) -> dict[str, set[str]]:
    """Return the texts that the world's embedding model will refuse when they are to be embedded, by note.

    Args:
        world: The world, before the run.
        model: What it is to become.
        anew: Whether everything is to be embedded, but for what a rebuild that died has embedded.
    """
    name = world.embeddings.model_id
    refused = {
        path: {content_hash(text) for text, _ in version if world.embeddings.fails(text)}
        for path, version in model.shown.items()
    }
    with world.catalogue.reading() as connection:
        known = cached_hashes(connection, staged_name(name) if anew else name, set().union(*refused.values()))
    return {path: hashes - known for path, hashes in refused.items() if hashes - known}


def without(state: dict[str, Any], paths: Collection[str]) -> dict[str, Any]:
    """Return what a world's state says of other notes than those of ``paths``."""
    tables = {name: [row for row in state[name] if row[column] not in paths] for name, column in _OF_NOTES.items()}
    store = {key: entry for key, entry in state["store"].items() if entry[1]["source"] not in paths}
    return tables | {"store": store}


def files_of(world: World) -> dict[str, bytes]:
    """Return all that lies in the index folder, but for what reading and locking leave there."""
    return {
        str(file): file.read_bytes()
        for file in world.index.rglob("*")
        if file.is_file() and not file.name.endswith(("-shm", ".lock"))
    }
