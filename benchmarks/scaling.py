"""What grows with the number of chunks: bytes in the catalogue and in an HNSW index, time of a query, time to embed.

    python benchmarks/scaling.py [vault …] [--questions FILE …]
    Options: --sizes N …, --only PART …, --dimensions N, --neighbours M …, --vectors N, --passages N, --keep DIR

Vaults and questions are those given, else those in the folder of OBSIRAG_TEST_DATA. The notes are made of what those
vaults say (see varied_notes.py).

"catalogue": bytes a chunk by table, indexes included, and the milliseconds of a keyword query, CPU time, median and
worst of the questions, each asked once before. "vectors" is what the embedding cache adds with numbers of chance.
"hnsw": bytes a vector in the files of a Chroma collection, in which its index lies as it does in memory, beside those
of the formula in Malkov and Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical
Navigable Small World graphs" (arXiv:1603.09320, section 4.2.3): a vector has 2 M links in the lowest layer and M in
each of the 1 / ln M layers that it is in above that on average, with 4 bytes each.
"plan": memory that a run takes for what it has found before it looks at the first note, for notes that are all new.
"embedding": passages a second of the built-in model in this process, with one thread.
"""

from __future__ import annotations

import argparse
import os
import time
import tracemalloc
from collections.abc import Iterator
from itertools import islice
from math import log
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from obsirag.catalogue import Catalogue, FileState, remember_vectors
from obsirag.evaluation import load_question_sets
from obsirag.indexing.changes import Changes, SeenFile
from obsirag.retrievers import KeywordSearch
from varied_notes import VariedNotes, fill

PARTS = ("catalogue", "hnsw", "plan", "embedding")


def main() -> None:
    given = parse_arguments()
    notes = VariedNotes(given.vaults)
    if "catalogue" in given.only:
        questions = [question.question for question in load_question_sets(given.questions)]
        for size in given.sizes:
            with TemporaryDirectory() as temporary:
                measure_catalogue(given.keep / str(size) if given.keep else Path(temporary), notes, size, questions)
    if "hnsw" in given.only:
        for neighbours in given.neighbours:
            with TemporaryDirectory() as temporary:
                measure_hnsw(Path(temporary), neighbours, given.vectors, given.dimensions)
    if "plan" in given.only:
        measure_plan(100_000)
    if "embedding" in given.only:
        measure_embedding(notes, given.passages)


def measure_catalogue(folder: Path, notes: VariedNotes, size: int, questions: list[str]) -> None:
    with Catalogue.open(folder) as catalogue:
        if not catalogue.chunk_count():
            fill(catalogue, notes, size)
            add_vectors(catalogue, 384)
        count = catalogue.chunk_count()
        told = ", ".join(f"{name} {each / count:,.0f}" for name, each in bytes_by_table(catalogue).items())
        print(f"{count:,} chunks of {catalogue.note_count():,} notes; bytes a chunk: {told}", flush=True)
        search = KeywordSearch(catalogue).search
        taken = [milliseconds(search, each) for each in questions for _ in range(2)][1::2]
        print(f"  keyword query: median {median(taken):.1f} ms, worst {max(taken):.1f} ms", flush=True)


def add_vectors(catalogue: Catalogue, dimensions: int) -> None:
    chance = np.random.default_rng(0)
    with catalogue.writing() as connection:
        rows = connection.execute("SELECT DISTINCT content_hash FROM chunks").fetchall()
        for start in range(0, len(rows), 1000):
            vectors = {row[0]: chance.random(dimensions, dtype=np.float32) for row in rows[start : start + 1000]}
            remember_vectors(connection, "chance", vectors)


def bytes_by_table(catalogue: Catalogue) -> dict[str, int]:
    """Return how much the chunks, the words, the vectors and all the rest take."""
    groups = {"chunks": 0, "words": 0, "vectors": 0, "rest": 0}
    with catalogue.reading() as connection:
        for name, size in connection.execute("SELECT name, sum(pgsize) FROM dbstat GROUP BY name"):
            words, vectors, chunks = "terms" in name, "embeddings" in name, "chunks" in name
            groups["words" if words else "vectors" if vectors else "chunks" if chunks else "rest"] += size
    return groups | {"all": sum(groups.values())}


def measure_hnsw(folder: Path, neighbours: int, count: int, dimensions: int) -> None:
    from obsirag.plugins.chroma import vector_store
    from obsirag.plugins.hashing import HashingEmbeddings

    store: Any = vector_store({"m": neighbours}, HashingEmbeddings(dimensions), folder)
    chance = np.random.default_rng(0)
    for start in range(0, count, 1000):
        ids = [str(number) for number in range(start, start + 1000)]
        vectors = list(chance.standard_normal((1000, dimensions), dtype=np.float32))
        store.add_vectors(ids, ids, vectors, [{"source": "a"}] * 1000)
    store.similarity_search("anything", k=1)
    files = {file.name: file.stat().st_size for file in folder.rglob("*.bin")}
    graph = files["data_level0.bin"] + files["link_lists.bin"]
    formula = 4 * dimensions + 4 * (2 * neighbours + neighbours / log(neighbours))
    print(
        f"M {neighbours}, {dimensions} numbers, {count:,} vectors: {graph / count:,.0f} bytes a vector measured, "
        f"{formula:,.0f} by the formula, {4 * dimensions:,} of them the vector",
        flush=True,
    )


def measure_plan(count: int) -> None:
    tracemalloc.start()
    changes = Changes()
    for number in range(count):
        path = f"some folder/another folder/note number {number}.md"
        changes.added[path] = SeenFile(FileState(4000, 10**18 + number, 10**18 + number, number), f"{number:064x}")
    changes.work()
    print(f"plan: {tracemalloc.get_traced_memory()[0] / count:,.0f} bytes a new note", flush=True)
    tracemalloc.stop()


def measure_embedding(notes: VariedNotes, count: int) -> None:
    from obsirag.plugins.local import embeddings

    model = embeddings({})
    texts = [*islice(passages(notes), count)]
    model.embed_documents(texts[:2])
    start, worked = time.perf_counter(), time.process_time()
    model.embed_documents(texts)
    print(
        f"embedding: {count / (time.perf_counter() - start):.1f} passages a second, "
        f"{count / (time.process_time() - worked):.1f} a second of processor time, "
        f"{sum(map(len, texts)) / count:.0f} characters each",
        flush=True,
    )


def passages(notes: VariedNotes) -> Iterator[str]:
    for note in notes:
        yield from (chunk.content for chunk in note.chunks)


def milliseconds(search: Any, question: str) -> float:
    start = time.process_time()
    search(question, limit=100)
    return (time.process_time() - start) * 1e3


def parse_arguments() -> argparse.Namespace:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("vaults", nargs="*", type=Path)
    arguments.add_argument("--questions", nargs="+", type=Path)
    arguments.add_argument("--sizes", nargs="+", type=int, default=[20_000, 100_000])
    arguments.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    arguments.add_argument("--dimensions", type=int, default=384)
    arguments.add_argument("--neighbours", nargs="+", type=int, default=[8, 16, 32])
    arguments.add_argument("--vectors", type=int, default=5000)
    arguments.add_argument("--passages", type=int, default=60)
    arguments.add_argument("--keep", type=Path)
    given = arguments.parse_args()
    data = os.environ.get("OBSIRAG_TEST_DATA")
    if not data and not (given.vaults and given.questions):
        arguments.error("give vaults and --questions, or set OBSIRAG_TEST_DATA")
    given.vaults = given.vaults or sorted(each for each in Path(data or "", "vaults").iterdir() if each.is_dir())
    given.questions = given.questions or sorted(Path(data or "", "questions").glob("*.jsonl"))
    return given


if __name__ == "__main__":
    main()
