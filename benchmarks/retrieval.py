"""Recall, nDCG and MRR of obsirag's retrieval beside the pipeline that most people start with, on any question files.

    python benchmarks/retrieval.py                                     data from OBSIRAG_TEST_DATA
    python benchmarks/retrieval.py --questions mine.jsonl --vaults DIR

DIR holds a folder for each ``vault`` that the questions name. All pipelines use the same embedding model; its vectors
are kept in a cache on disk, so only the first run is slow. ``evaluate_retrieval`` says how ranks are counted; every
pipeline returns enough chunks for each of them. The second table says how sure the differences from one of them are.
The pipelines of `peer_pipelines.py` need semantic-text-splitter, rank-bm25, langchain-community, langchain-classic.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever

from default_pipeline import ChunkRetriever, read_raw_notes, split_by_default
from obsirag import Components, RagConfig, Vault, index_vault, open_retriever
from obsirag.config import Part, RankingWeights, RetrievalOptions
from obsirag.evaluation import Question, compare, evaluate_retrieval, load_question_sets
from obsirag.plugins import Registry
from peer_pipelines import BigramHybrid, ensemble, split_by_semantic_splitter
from retrieval_table import Outcome, difference_table, misses, table
from vector_cache import CachedEmbeddings, default_cache_folder

DEPTH = 10
"""How many notes a pipeline that fuses by note returns: the largest k."""

DEFAULT = "default: Recursive 1000/200 + dense"
SIMPLE_HYBRID = "simple hybrid: semantic-text-splitter + BM25 + dense"
WEIGHTS = {
    "obsirag: hybrid": RankingWeights(),
    "obsirag: dense only": RankingWeights(keyword=0.0),
    "obsirag: keywords only": RankingWeights(vector=0.0),
}


def main() -> None:
    arguments = parse_arguments()
    embeddings = open_embeddings(arguments.embeddings, arguments.cache)
    questions = sorted(load_question_sets(arguments.questions), key=lambda question: question.vault)
    outcomes: dict[str, Outcome] = {}
    for name, group in groupby(questions, key=lambda question: question.vault):
        with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            for pipeline, outcome in run(arguments.vaults / name, Path(folder), [*group], embeddings):
                outcomes[pipeline] = outcomes[pipeline] + outcome if pipeline in outcomes else outcome
    first = next((name for name in outcomes if arguments.against in name), DEFAULT)
    baseline = outcomes[first].report
    comparisons = {name: compare(each.report, baseline) for name, each in outcomes.items() if name != first}
    print(table(outcomes))
    print(difference_table(first, comparisons))
    if arguments.misses:
        print(misses(outcomes))
    if arguments.json:
        content = {name: {"chunks": each.chunks} | each.report.as_dict() for name, each in outcomes.items()}
        for name, comparison in comparisons.items():
            content[name]["comparison"] = comparison.as_dict()
        arguments.json.write_text(json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8")


def run(vault: Path, index: Path, questions: list[Question], embeddings: Embeddings) -> Iterator[tuple[str, Outcome]]:
    """Yield each pipeline's name and outcome on one vault."""
    notes = Vault(vault)
    # By the notes' own word, so that what an index made of it is measured, not trusted.
    permissions = {path: notes.note(path).permissions for path in notes.paths()}

    def outcome(chunks: int, retriever: BaseRetriever) -> Outcome:
        return Outcome(chunks, evaluate_retrieval(retriever, questions, permissions=permissions))

    raw = read_raw_notes(vault, notes.paths())
    default = _dense(split_by_default(raw), embeddings)
    yield DEFAULT, outcome(len(default.chunks), default)
    with suppress(ImportError):  # a peer that isn't installed is left out
        yield "LangChain's Ensemble over the same", outcome(len(default.chunks), ensemble(default.chunks, default))
    with suppress(ImportError):
        semantic = _dense(split_by_semantic_splitter(raw), embeddings)
        yield SIMPLE_HYBRID, outcome(len(semantic.chunks), BigramHybrid.over(semantic))

    components = Components(embeddings=embeddings)
    # In memory, where the nearest are found exactly, as in the default pipeline: an approximate index would blur both.
    config = RagConfig(vault=vault, index=index, vector_store=Part(name="memory"))
    count = index_vault(config, components=components).chunks
    for name, weights in WEIGHTS.items():
        retrieval = RetrievalOptions(limit=DEPTH, weights=weights)
        yield (
            name,
            outcome(count, open_retriever(config.model_copy(update={"retrieval": retrieval}), components=components)),
        )


def _dense(chunks: list[Document], embeddings: Embeddings) -> ChunkRetriever:
    vectors = np.asarray(embeddings.embed_documents([chunk.page_content for chunk in chunks]), dtype=np.float32)
    return ChunkRetriever(chunks=chunks, vectors=vectors, embeddings=embeddings)


def open_embeddings(name: str, cache: Path) -> CachedEmbeddings:
    """Return an embedding part, by the name that a config would use, behind the cache."""
    part: Embeddings = Registry().build("embeddings", name, {})
    return CachedEmbeddings(part, model_id=getattr(part, "model_id", name), folder=cache, progress=show_progress)


def show_progress(done: int, total: int) -> None:
    if done == total or sys.stderr.isatty():
        print(f"\r{done:,} of {total:,} texts embedded", end="\n" if done == total else "", file=sys.stderr, flush=True)


def parse_arguments() -> argparse.Namespace:
    data = Path(os.environ["OBSIRAG_TEST_DATA"]) if os.environ.get("OBSIRAG_TEST_DATA") else None
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--questions", nargs="+", type=Path, metavar="FILE", help="question files; by default all of the data's"
    )
    parser.add_argument(
        "--vaults", type=Path, metavar="DIR", default=data / "vaults" if data else None, help="folder of the vaults"
    )
    parser.add_argument(
        "--embeddings", default="local", metavar="NAME", help="an embedding part: local (default), hashing, …"
    )
    parser.add_argument(
        "--cache", type=Path, metavar="DIR", default=default_cache_folder(), help="where vectors are kept (%(default)s)"
    )
    parser.add_argument(
        "--against", metavar="WORD", default="default", help="the pipeline to compare with, by a part of its name"
    )
    parser.add_argument("--misses", action="store_true", help="add each question's ranks where a pipeline falls short")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every figure and every question's result")
    arguments = parser.parse_args()
    if not arguments.questions and data:
        arguments.questions = sorted((data / "questions").glob("*.jsonl"))
    if not arguments.questions or not arguments.vaults:
        parser.error("give --questions and --vaults, or set OBSIRAG_TEST_DATA to a folder that holds both")
    return arguments


if __name__ == "__main__":
    main()
