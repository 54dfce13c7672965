"""What people's marks bring, and what wrong ones cost: a simulation of marks over question files.

    python benchmarks/preferences.py                      data from OBSIRAG_TEST_DATA; 1,000 marks, 10 % of them wrong
    python benchmarks/preferences.py --marks 100 --wrong 0.3 --embeddings local

People ask each question of `other_wordings.json` in one of two other wordings than the question file's, look at the
first five notes, and mark: a gold note among them as good, or the first one as bad, or, where no gold note is among
them, one as the better source. A wrong mark says the opposite: a gold note is bad, another note is good or the better
source. Then the question is asked as the file words it:

- seen: with all marks, none of which is on these words;
- unseen: without the marks on any wording of the question itself, so that it meets only those on other questions.

Ranks are those of notes. Harm is a question whose first gold note comes later than without marks.
"""

from __future__ import annotations

import argparse
import json
import os
import random
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from langchain_core.documents import Document

from obsirag import Mark, RagConfig, index_vault, open_retriever
from obsirag.config import PreferenceOptions, RetrievalOptions
from obsirag.evaluation import load_questions
from obsirag.feedback import KINDS, MarkKind
from obsirag.feedback.preference import MarkedQuestion, terms_of, weigh_marks
from obsirag.feedback.question_vectors import QuestionVector, QuestionVectors
from obsirag.plugins import Registry
from obsirag.retrievers.grouping import sources_of
from obsirag.retrievers.preferring import reorder

SHOWN = 5
"""Notes that people look at, and that are ranked."""
NOW = datetime(2026, 1, 1, tzinfo=UTC)
WORDINGS = Path(__file__).with_name("other_wordings.json")


class Asked(NamedTuple):
    """A question in some words, and what is found for it without marks."""

    name: str
    text: str
    gold: frozenset[str]
    hits: list[Document]
    vector: QuestionVector | None


Figures = tuple[float, float, float, int, int, int]
"""Recall@1, recall@5 and MRR of the first gold note, and how many questions have it earlier, later, and no more."""


def main() -> None:
    arguments = parse_arguments()
    options = PreferenceOptions(
        max_shift=arguments.max_shift, likeness=arguments.likeness, similarity=arguments.similarity
    )
    print(
        f"{arguments.marks} marks, {arguments.wrong:.0%} wrong, over {arguments.seeds} runs, {arguments.embeddings}\n"
    )
    print("| questions | | recall@1 | recall@5 | MRR@5 | earlier | later | lost |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in arguments.sets:
        asked = [*ask(arguments, name)]
        for kind, rows in measured(asked, arguments, options).items():
            for when, figures in rows.items():
                shares = " | ".join(f"{each:.3f}" for each in figures[:3])
                moves = " | ".join(f"{each / arguments.seeds:.1f}" for each in figures[3:])
                print(f"| {name}, {kind} | {when} | {shares} | {moves} |")


def ask(arguments: argparse.Namespace, name: str) -> Iterator[list[Asked]]:
    """Yield each question in all its wordings, the file's first."""
    wordings = json.loads(WORDINGS.read_text(encoding="utf-8"))
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        config = RagConfig(
            vault=arguments.data / "vaults" / name,
            index=Path(folder),
            embeddings=arguments.embeddings,
            vector_store="memory",
            # So many are found from which the marks choose.
            retrieval=RetrievalOptions(limit=SHOWN + arguments.max_shift, preferences=PreferenceOptions(enabled=False)),
        )
        index_vault(config)
        vectors = (
            None
            if arguments.similarity is None
            else QuestionVectors(lambda: Registry().build("embeddings", arguments.embeddings, {}), 0.0)
        )
        retriever = open_retriever(config)
        for question in load_questions(arguments.data / "questions" / f"{name}.jsonl"):
            if question.id in wordings and question.gold:
                gold = frozenset(span.path for span in question.gold)
                texts = [question.question, *wordings[question.id]]
                labels = question.labels or ()
                yield [
                    Asked(
                        question.id,
                        text,
                        gold,
                        retriever.invoke(text, labels=labels),
                        vectors.of(text) if vectors else None,
                    )
                    for text in texts
                ]


def measured(
    asked: Sequence[Sequence[Asked]], arguments: argparse.Namespace, options: PreferenceOptions
) -> dict[str, dict[str, Figures]]:
    """Return the figures without and with marks, for seen and unseen questions, over all seeds together."""
    ranks: dict[str, list[tuple[int | None, int | None]]] = {"seen": [], "unseen": []}
    for seed in range(arguments.seeds):
        marks = [*made_marks(asked, arguments.marks, arguments.wrong, random.Random(seed))]
        for own, *_ in asked:
            before = rank(own, own.hits)
            for kind in ranks:
                known = [mark for name, mark in marks if kind == "seen" or name != own.name]
                ranks[kind].append((before, rank(own, ranked(own, known, options))))
    return {
        kind: {"without marks": figures([(old, old) for old, _ in pairs]), "with marks": figures(pairs)}
        for kind, pairs in ranks.items()
    }


def made_marks(
    asked: Sequence[Sequence[Asked]], count: int, wrong: float, chance: random.Random
) -> Iterator[tuple[str, MarkedQuestion]]:
    """Yield marks, each with the name of the question that it is on."""
    notes = sorted({source for wordings in asked for each in wordings for source in sources_of(each.hits)})
    for number in range(count):
        each = chance.choice(chance.choice(asked)[1:])
        shown = sources_of(each.hits)[:SHOWN]
        found = [source for source in shown if source in each.gold]
        others = [source for source in shown if source not in each.gold]
        kind: MarkKind
        if chance.random() < wrong:
            kind = chance.choice(KINDS[:3])
            source = chance.choice({"good": others or found, "bad": found or others}.get(kind, notes))
        elif not found:
            kind, source = "better_source", chance.choice(sorted(each.gold))
        elif shown[0] not in each.gold and chance.random() < 0.5:
            kind, source = "bad", shown[0]
        else:
            kind, source = "good", chance.choice(found)
        mark = Mark(id=str(number), kind=kind, question=each.text, sources=(source,), at=NOW)
        yield each.name, MarkedQuestion(mark, terms_of(each.text), each.vector)


def ranked(own: Asked, marks: Iterable[MarkedQuestion], options: PreferenceOptions) -> list[Document]:
    """Return the hits as the retriever gives them with these marks."""
    weighed = weigh_marks(
        marks,
        terms_of(own.text),
        now=NOW,
        half_life=options.half_life,
        min_likeness=options.likeness,
        vector=own.vector,
        min_cosine=1.0 if options.similarity is None else options.similarity,
    )
    return reorder(own.hits, weighed, options.max_shift)


def rank(own: Asked, hits: Sequence[Document]) -> int | None:
    """Return the rank of the first gold note among those that are shown, from 1."""
    shown = sources_of(hits)[:SHOWN]
    return next((place for place, source in enumerate(shown, 1) if source in own.gold), None)


def figures(pairs: Sequence[tuple[int | None, int | None]]) -> Figures:
    """Return the figures of ranks before and after."""
    after = [new for _, new in pairs]
    late = SHOWN + 1
    return (
        sum(new == 1 for new in after) / len(after),
        sum(new is not None for new in after) / len(after),
        sum(1 / new for new in after if new) / len(after),
        sum((new or late) < (old or late) for old, new in pairs),
        sum((new or late) > (old or late) for old, new in pairs),
        sum(old is not None and new is None for old, new in pairs),
    )


def parse_arguments() -> argparse.Namespace:
    data = os.environ.get("OBSIRAG_TEST_DATA")
    usual = PreferenceOptions()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=data and Path(data), required=not data)
    parser.add_argument("--sets", nargs="+", default=["ue-notes", "quartz-docs"])
    parser.add_argument("--marks", type=int, default=1000)
    parser.add_argument("--wrong", type=float, default=0.1)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--embeddings", default="hashing")
    parser.add_argument("--max-shift", type=int, default=usual.max_shift)
    parser.add_argument("--likeness", type=float, default=usual.likeness)
    parser.add_argument("--similarity", type=float)
    return parser.parse_args()


if __name__ == "__main__":
    main()
