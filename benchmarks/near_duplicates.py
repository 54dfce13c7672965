"""What `near_duplicate_pairs` costs, as a multiple of a bare float32 product of the upper triangle, and its memory.

    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 python benchmarks/near_duplicates.py [--sizes 1000 5000 20000] …

Vectors are random ones of 384 and 1024 dimensions and, where OBSIRAG_TEST_DATA names a folder with vaults, embeddings
of their chunks (kept in a cache on disk; the first run computes them, some twenty a second). Beside it stand row
strips, the plain way in numpy. Everything is CPU time, the fastest of some rounds, all in one run; memory is what
Python and numpy have allocated at most, without the vectors and the result.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from obsirag import ObsidianSplitter, Vault, near_duplicate_pairs
from obsirag.plugins.local import LocalEmbeddings
from vector_cache import CachedEmbeddings, default_cache_folder

SIDE = 512
CHUNK_SIZES = (150, 300, 600)
"""Chunks of the smallest size first, then as many larger ones as it takes."""

Vectors = NDArray[np.float32]
Result = NDArray[Any]


def main() -> None:
    arguments = parse_arguments()
    print(f"{'vectors':<24}{'threshold':>9}{'ours':>8}{'strips':>8}{'MiB':>7}{'strips':>8}{'pairs':>12}")
    for name, vectors in vector_sets(arguments.sizes, arguments.vaults, arguments.cache):
        rounds = max(1, min(arguments.rounds, 10**8 // len(vectors) ** 2 + 2))
        bare, _ = measured(partial(bare_product, vectors), rounds)
        for threshold in arguments.thresholds:
            ways = (
                partial(near_duplicate_pairs, vectors, threshold=threshold),
                partial(pairs_by_strips, vectors, threshold),
            )
            (ours, result), (strips, _) = (measured(way, rounds) for way in ways)
            memory = [extra_mebibytes(way) for way in ways]
            print(
                f"{name:<24}{threshold:>9}{ours / bare:>8.2f}{strips / bare:>8.2f}"
                f"{memory[0]:>7.0f}{memory[1]:>8.0f}{len(result):>12,}",
                flush=True,
            )


def measured(way: Callable[[], Result], rounds: int) -> tuple[float, Result]:
    """Return the fewest CPU seconds of some rounds, and what they return."""
    fewest = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        result = way()
        fewest = min(fewest, time.process_time() - start)
    return fewest, result


def extra_mebibytes(way: Callable[[], Result]) -> float:
    tracemalloc.start()
    try:
        result = way()
        return float(tracemalloc.get_traced_memory()[1] - result.nbytes) / 2**20
    finally:
        tracemalloc.stop()


def bare_product(vectors: Vectors) -> Vectors:
    """Multiply the tiles of the upper triangle, and do nothing with them: the fastest shape for such products."""
    buffer = np.empty(SIDE * SIDE, dtype=np.float32)
    for top in range(0, len(vectors), SIDE):
        left = vectors[top : top + SIDE]
        for side in range(top, len(vectors), SIDE):
            right = vectors[side : side + SIDE]
            np.dot(left, right.T, out=buffer[: len(left) * len(right)].reshape(len(left), len(right)))
    return buffer


def pairs_by_strips(vectors: Vectors, threshold: float) -> NDArray[np.int64]:
    """Return the pairs by products of some rows with all that follow, buffers reused; in float32 all the way."""
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    product = np.empty(SIDE * len(unit), dtype=np.float32)
    compared = np.empty(SIDE * len(unit), dtype=np.bool_)
    pairs = []
    for top in range(0, len(unit), SIDE):
        left, right = unit[top : top + SIDE], unit[top:]
        shape = len(left), len(right)
        cosines = np.dot(left, right.T, out=product[: shape[0] * shape[1]].reshape(shape))
        over = np.greater(cosines, threshold, out=compared[: cosines.size].reshape(shape))
        over[:, : len(left)] &= ~np.tri(len(left), dtype=np.bool_)
        pairs.append(np.stack(np.divmod(np.flatnonzero(over), shape[1]), axis=1) + top)
    return np.concatenate(pairs)


def vector_sets(sizes: list[int], vaults: Path | None, cache: Path) -> Iterator[tuple[str, Vectors]]:
    chance = np.random.default_rng(0)
    for dimensions in (1024, 384):
        for size in sizes:
            yield f"random {size:,} x {dimensions}", chance.standard_normal((size, dimensions), dtype=np.float32)
    if vaults:
        embedded = e5_vectors(vaults, cache, max(sizes))
        for size in sizes:
            vectors = embedded[:size]
            yield f"e5 {len(vectors):,} x {vectors.shape[1]}", vectors


def e5_vectors(vaults: Path, cache: Path, count: int) -> Vectors:
    """Return the vectors of different chunks from all vaults, in an order of chance."""
    texts: dict[str, None] = {}
    for size in CHUNK_SIZES:
        splitter = ObsidianSplitter(chunk_size=size, chunk_overlap=0)
        for folder in sorted(vaults.iterdir()):
            vault = Vault(folder)
            for path in vault.paths():
                texts.update(dict.fromkeys(chunk.page_content for chunk in splitter.split_note(vault.render(path))))
    chosen = [*texts][:count]
    model = LocalEmbeddings()
    embeddings = CachedEmbeddings(model, model_id=model.model_id, folder=cache, progress=show_progress)
    vectors = np.asarray(embeddings.embed_documents(chosen), dtype=np.float32)
    return np.random.default_rng(0).permutation(vectors)


def show_progress(done: int, total: int) -> None:
    if done == total or sys.stderr.isatty():
        print(f"\r{done:,} of {total:,} texts embedded", end="\n" if done == total else "", file=sys.stderr, flush=True)


def parse_arguments() -> argparse.Namespace:
    data = Path(os.environ["OBSIRAG_TEST_DATA"]) if os.environ.get("OBSIRAG_TEST_DATA") else None
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", type=int, default=[1000, 5000, 20000], metavar="N")
    parser.add_argument("--thresholds", nargs="+", type=float, default=[0.9, 0.95, 0.98], metavar="T")
    parser.add_argument("--rounds", type=int, default=5, help="at most so many (%(default)s)")
    parser.add_argument(
        "--vaults", type=Path, metavar="DIR", default=data / "vaults" if data else None, help="folder of the vaults"
    )
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", default=default_cache_folder(), help="where vectors are kept (%(default)s)"
    )
    if any(os.environ.get(name) != "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")):
        parser.error("set OMP_NUM_THREADS=1 and OPENBLAS_NUM_THREADS=1: a product of two threads has another CPU time")
    return parser.parse_args()


if __name__ == "__main__":
    main()
