"""What fusion costs beside plain dictionaries over ids, as ratios in one run.

    python benchmarks/fusion.py [--rankings N] [--hits N] [--documents N] [--rounds N]

Four rankings of 1,000 hits over 400 documents, each hit with as much metadata as chunks have. The plain ways are what
one would write by hand: fusion by document, three chunks of each, that returns chunk ids in the order of ours; the same
with a copy of each chunk made, as ours does; and the leanest, reciprocal ranks of chunks, which knows no documents.
With a limit there are ten documents, as many as a retriever asks for; without, all, and the copies are most of the
work. CPU time, all ways in turn in each round, the median of the rounds.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

from langchain_core.documents import Document

from obsirag import fuse_by_document
from obsirag.retrievers import fuse_scores_by_document

K = 60
CHUNKS_PER_DOCUMENT = 3
LIMIT = 10
FIELDS = 25
"""So many other fields has a chunk."""

Rankings = Sequence[Sequence[Document]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rankings", type=int, default=4)
    parser.add_argument("--hits", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=51)
    given = parser.parse_args()
    rankings = make_rankings(given.rankings, given.hits, given.documents)
    print(f"{'':20}{'ms':>8}{'x plain':>9}{'x with copies':>15}{'x leanest':>11}")
    for limit in (LIMIT, None):
        for name, ours, plain in (
            ("by ranks", fuse_by_document, plain_ranks),
            ("by scores", fuse_scores_by_document, plain_scores),
        ):
            if [each.id for each in ours(rankings, limit=limit)] != plain(rankings, limit):
                raise SystemExit(f"fusion {name} and its plain form differ: they cannot be compared")
            ways = (
                partial(ours, rankings, limit=limit),
                partial(plain, rankings, limit),
                partial(with_copies, plain, rankings, limit),
                partial(leanest, rankings, limit),
            )
            times = milliseconds(ways, given.rounds)
            ratios = [median(own / other for own, other in zip(times[0], of_way, strict=True)) for of_way in times[1:]]
            title = f"{name}, {f'limit {limit}' if limit else 'all'}"
            print(f"{title:20}{median(times[0]):8.2f}{ratios[0]:9.2f}{ratios[1]:15.2f}{ratios[2]:11.1f}", flush=True)


def make_rankings(count: int, hits: int, documents: int) -> list[list[Document]]:
    """Return rankings that hold the same chunks in other orders, each with copies and scores of its own."""
    chance = random.Random(0)
    names = [(f"note {number % documents}.md", number // documents) for number in range(2 * hits)]
    rankings = []
    for _ in range(count):
        scores = sorted((chance.random() for _ in range(hits)), reverse=True)
        chosen = chance.sample(names, hits)
        rankings.append([make_hit(*name, score) for name, score in zip(chosen, scores, strict=True)])
    return rankings


def make_hit(source: str, number: int, score: float) -> Document:
    chunk_id = f"{source}#{number}"
    metadata = {f"field {place}": f"{chunk_id} {place}" for place in range(FIELDS)}
    return Document(
        "text " * 100, id=chunk_id, metadata=metadata | {"source": source, "chunk_id": chunk_id, "score": score}
    )


def plain_ranks(rankings: Rankings, limit: int | None) -> list[str]:
    """Reciprocal ranks by document, each document with its best chunks; by hand."""
    scores: dict[str, float] = {}
    chunks: dict[str, dict[str, tuple[int, float]]] = {}
    for ranking in rankings:
        ranks: dict[str, int] = {}
        for place, hit in enumerate(ranking, 1):
            source, chunk_id = hit.metadata["source"], hit.metadata["chunk_id"]
            if source not in ranks:
                ranks[source] = len(ranks) + 1
                scores[source] = scores.get(source, 0.0) + 1 / (K + ranks[source])
            own = chunks.setdefault(source, {})
            best, score = own.get(chunk_id, (place, 0.0))
            own[chunk_id] = min(best, place), score + 1 / (K + place)
    ids: list[str] = []
    for source in sorted(scores, key=lambda source: (-scores[source], source))[:limit]:
        own = chunks[source]
        ids += sorted(own, key=lambda chunk_id: (own[chunk_id][0], -own[chunk_id][1], chunk_id))[:CHUNKS_PER_DOCUMENT]
    return ids


def plain_scores(rankings: Rankings, limit: int | None) -> list[str]:
    """The mean of the scores, each ranking's from 0 to 1, at most so many chunks of a document; by hand."""
    scores: dict[str, float] = {}
    sources: dict[str, str] = {}
    for ranking in rankings:
        values = [hit.metadata["score"] for hit in ranking]
        lowest, highest = min(values), max(values)
        for hit, value in zip(ranking, values, strict=True):
            chunk_id = hit.metadata["chunk_id"]
            scores[chunk_id] = scores.get(chunk_id, 0.0) + (value - lowest) / (highest - lowest)
            sources[chunk_id] = hit.metadata["source"]
    ids: list[str] = []
    taken: dict[str, int] = {}
    for chunk_id in sorted(scores, key=lambda chunk_id: (-scores[chunk_id], sources[chunk_id], chunk_id)):
        source = sources[chunk_id]
        if source in taken or limit is None or len(taken) < limit:
            taken[source] = taken.get(source, 0) + 1
            if taken[source] <= CHUNKS_PER_DOCUMENT:
                ids.append(chunk_id)
    return ids


def leanest(rankings: Rankings, limit: int | None) -> list[str]:
    """Reciprocal ranks of chunks."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for place, hit in enumerate(ranking, 1):
            chunk_id = hit.metadata["chunk_id"]
            scores[chunk_id] = scores.get(chunk_id, 0.0) + 1 / (K + place)
    return sorted(scores, key=lambda chunk_id: -scores[chunk_id])[:limit]


def with_copies(
    plain: Callable[[Rankings, int | None], list[str]], rankings: Rankings, limit: int | None
) -> list[Document]:
    """A plain way, and a copy of each chunk that it returns."""
    hits = {hit.metadata["chunk_id"]: hit for ranking in rankings for hit in ranking}
    return [
        Document(hit.page_content, id=hit.id, metadata={**hit.metadata, "fusion_score": 0.0})
        for hit in map(hits.__getitem__, plain(rankings, limit))
    ]


def milliseconds(ways: Sequence[Callable[[], object]], rounds: int) -> list[list[float]]:
    """Return the time of each round, for each way."""
    times: list[list[float]] = [[] for _ in ways]
    for _ in range(rounds):
        for way, taken in zip(ways, times, strict=True):
            start = time.process_time()
            way()
            taken.append((time.process_time() - start) * 1e3)
    return times


if __name__ == "__main__":
    main()
