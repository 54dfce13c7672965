"""What a keyword query costs over indexes of some sizes, beside bare FTS5 with the same terms, in one run.

    python benchmarks/keywords.py [vault …] [--questions FILE …]
    Options: --sizes N …, --rounds N, --sample N, --keep DIR, --profile

Vaults and questions are those given, else those in the folder of OBSIRAG_TEST_DATA. The index is of notes made of what
those vaults say (see varied_notes.py). Queries are the questions, names out of the text, Chinese words of two
characters, and hostile ones: 10,000 characters of text, and of single Chinese characters. A caller without labels may
not read every tenth note, one with a label some of those; a filter asks for the notes of one vault, or for chunks with
code.

"FTS5" is the least that a program can do: any of the terms, `bm25()`, the numbers of the 100 best rows; no labels, no
texts. It scores all terms; the search leaves out the most common ones where they cost too much, and "alike" is how many
of the ten best of the one are among those of the other. "rank-bm25" is the same in Python, where it is installed, for
up to 20,000 chunks. CPU time, all ways in turn in each round, the median of the rounds for each query. "first" is
the worst query of a search that has just been opened.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from cProfile import Profile
from functools import partial
from pathlib import Path
from pstats import Stats
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from obsirag.catalogue import Catalogue
from obsirag.evaluation import load_question_sets
from obsirag.retrievers import KeywordSearch
from obsirag.text import index_terms, query_terms
from varied_notes import LABELS, VariedNotes, fill

LIMIT = 100
"""Chunks of a ranking, as many as a retriever takes by default."""

HOSTILE = 10_000
MOST_FOR_RANK_BM25 = 20_500
COLUMNS = ("first", "median", "p90", "worst", "FTS5", "x FTS5", "alike", "rank-bm25")

Ask = Callable[[str], Sequence[Any]]


class Group(NamedTuple):
    """Queries of a kind, and how they are asked."""

    name: str
    queries: list[str]
    options: dict[str, Any]


def main() -> None:
    given = parse_arguments()
    questions = [question.question for question in load_question_sets(given.questions)]
    notes = VariedNotes(given.vaults)
    for size in given.sizes:
        with TemporaryDirectory() as temporary:
            folder = given.keep / str(size) if given.keep else Path(temporary)
            with Catalogue.open(folder) as catalogue:
                if not catalogue.chunk_count():
                    fill(catalogue, notes, size)
                report(catalogue, questions[: given.sample], given)


def report(catalogue: Catalogue, questions: list[str], given: argparse.Namespace) -> None:
    print(f"{catalogue.chunk_count():,} chunks of {catalogue.note_count():,} notes; milliseconds a query")
    print(f"{'':18}" + "".join(f"{name:>10}" for name in COLUMNS))
    bare: list[Ask] = [partial(bare_fts5, catalogue)]
    if python_search := rank_bm25(catalogue):
        bare.append(python_search)
    for group in groups(catalogue, questions, given.sample):
        search = partial(KeywordSearch(catalogue).search, limit=LIMIT, **group.options)
        first = max(milliseconds(search, query) for query in group.queries)
        mine, fts5, *others = medians([search, *bare], group.queries, given.rounds)
        figures = [first, median(mine), percentile_90(mine), max(mine), median(fts5), median(mine) / median(fts5)]
        cells = [f"{figure:10.2f}" for figure in figures]
        # Only a caller who may read everything, and asks for it, can find what bare FTS5 does.
        unbounded = group.options == {"labels": LABELS}
        cells.append(f"{alike(search, catalogue, group.queries) if unbounded else '':>10}")
        print(f"{group.name:18}" + "".join(cells) + "".join(f"{median(other):10.1f}" for other in others), flush=True)
        if given.profile:
            show_profile(search, group.queries)
    print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10:.0f} MiB\n", flush=True)


def groups(catalogue: Catalogue, questions: list[str], count: int) -> Iterator[Group]:
    everything = {"labels": LABELS}
    yield Group("questions", questions, {})
    yield Group("  one label", questions, {"labels": LABELS[:1]})
    yield Group("  all labels", questions, everything)
    yield Group("  filter: notes", questions, everything | {"filter": {"vault": some_vault(catalogue)}})
    yield Group("  filter: chunks", questions, everything | {"filter": {"has_code": True}})
    texts = some_texts(catalogue, 20 * count)
    chinese = re.compile("[\u4e00-\u9fff]")
    singles = dict.fromkeys(character for text in texts for character in chinese.findall(text))
    kinds = {
        "own names": [text.rpartition("\n")[2] for text in texts],
        "names": [
            name for text in texts for name in re.findall(r"\b[A-Za-z]+[a-z_][A-Z]\w+", text[: text.rfind("\n")])
        ],
        "Chinese words": [word for text in texts for word in re.findall(chinese.pattern * 2, text)],
    }
    for name, queries in kinds.items():
        if queries:
            yield Group(name, random.Random(0).choices(queries, k=count), everything)
    yield Group("hostile: text", [" ".join(texts)[:HOSTILE]], everything)
    if singles:
        yield Group("hostile: singles", [(" ".join(singles) + " ") * (HOSTILE // (2 * len(singles)) + 1)], everything)


def some_texts(catalogue: Catalogue, count: int) -> list[str]:
    with catalogue.reading() as connection:
        every = 1 + connection.execute("SELECT count(*) FROM chunks").fetchone()[0] // count
        return [row[0] for row in connection.execute("SELECT content FROM chunks WHERE id % ? = 0", (every,))]


def some_vault(catalogue: Catalogue) -> str:
    with catalogue.reading() as connection:
        path: str = connection.execute("SELECT path FROM notes ORDER BY id LIMIT 1").fetchone()[0]
    return path.split("/")[1]


def milliseconds(ask: Ask, query: str) -> float:
    start = time.process_time()
    ask(query)
    return (time.process_time() - start) * 1e3


def medians(ways: Sequence[Ask], queries: Sequence[str], rounds: int) -> list[list[float]]:
    """Return for each way, and there for each query, the median of the rounds."""
    taken: list[list[list[float]]] = [[[] for _ in queries] for _ in ways]
    for _ in range(rounds):
        for number, query in enumerate(queries):
            for way, times in zip(ways, taken, strict=True):
                times[number].append(milliseconds(way, query))
    return [[median(times) for times in of_way] for of_way in taken]


def percentile_90(values: Sequence[float]) -> float:
    return quantiles(values, n=10, method="inclusive")[-1] if len(values) > 1 else values[0]


def bare_fts5(catalogue: Catalogue, query: str) -> list[int]:
    terms = " OR ".join('"' + term.replace('"', '""') + '"' for term in query_terms(query)[:64])
    if not terms:
        return []
    with catalogue.reading() as connection:
        rows = connection.execute(
            "SELECT rowid FROM terms WHERE terms MATCH ? ORDER BY bm25(terms, 1.0, 2.0, 1.0) LIMIT ?", (terms, LIMIT)
        )
        return [row[0] for row in rows]


def alike(search: Callable[[str], list[Any]], catalogue: Catalogue, queries: Sequence[str]) -> str:
    """Return the mean share of the ten best of bare FTS5 that are among the ten best of the search."""
    shares = []
    for query in queries:
        rows = bare_fts5(catalogue, query)[:10]
        with catalogue.reading() as connection:
            wanted = {
                connection.execute("SELECT chunk_id FROM chunks WHERE id = ?", (row,)).fetchone()[0] for row in rows
            }
        if wanted:
            shares.append(len(wanted & {found.id for found in search(query)[:10]}) / len(wanted))
    return f"{mean(shares):.2f}" if shares else ""


def rank_bm25(catalogue: Catalogue) -> Ask | None:
    """Return a search with rank-bm25 over the chunks' terms, None where it isn't installed or there are too many."""
    try:
        from rank_bm25 import BM25Okapi
    except ImportError:
        return None
    if catalogue.chunk_count() > MOST_FOR_RANK_BM25:
        return None
    with catalogue.reading() as connection:
        index = BM25Okapi([index_terms(text) for (text,) in connection.execute("SELECT content FROM chunks")])

    def ask(query: str) -> list[int]:
        scores = index.get_scores(query_terms(query)[:64])
        return [int(row) for row in (-scores).argsort(kind="stable")[:LIMIT]]

    return ask


def show_profile(ask: Ask, queries: Sequence[str]) -> None:
    with Profile() as profiler:
        for query in queries:
            ask(query)
    Stats(profiler).sort_stats("tottime").print_stats(15)


def parse_arguments() -> argparse.Namespace:
    data = os.environ.get("OBSIRAG_TEST_DATA")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vaults", nargs="*", type=Path)
    parser.add_argument("--questions", nargs="+", type=Path, metavar="FILE", help="JSONL files with the questions")
    parser.add_argument("--sizes", nargs="+", type=int, default=[20_000, 200_000], metavar="N", help="chunks")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sample", type=int, default=150, help="most queries of a kind (%(default)s)")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="where the indexes are kept for the next run")
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    if not data and not (given.vaults and given.questions):
        parser.error("give vaults and --questions, or set OBSIRAG_TEST_DATA")
    given.vaults = given.vaults or sorted(each for each in Path(data or "", "vaults").iterdir() if each.is_dir())
    given.questions = given.questions or sorted(Path(data or "", "questions").glob("*.jsonl"))
    return given


if __name__ == "__main__":
    main()
