"""The retrieval benchmark's outcomes as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from obsirag.evaluation import KindScore, RetrievalReport

__all__ = ["Outcome", "misses", "table"]


@dataclass(frozen=True)
class Outcome:
    """What one pipeline made of the questions.

    Args:
        chunks: Number of chunks it cut the vaults into.
        report: What it found.
    """

    chunks: int
    report: RetrievalReport

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(self.chunks + other.chunks, self.report + other.report)


def table(outcomes: Mapping[str, Outcome]) -> str:
    """Return one Markdown table: all questions first, then each kind, with a row for each pipeline."""
    first = next(iter(outcomes.values())).report
    ranks = [f"R@{k}" for k in first.k]
    header = ["kind", "n", "pipeline", *ranks, "MRR@10", f"R in {first.characters:,} chars"]
    header += [f"notes {rank}" for rank in ranks] + ["leaked", "chunks"]
    lines = [header, ["---", "---:", "---", *["---:"] * (len(header) - 3)]]
    lines += [
        _row("**all**", pipeline, outcome.report.overall, outcome.chunks) for pipeline, outcome in outcomes.items()
    ]
    for kind in sorted(first.by_kind):
        lines += [_row(kind, pipeline, outcome.report.by_kind[kind]) for pipeline, outcome in outcomes.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def misses(outcomes: Mapping[str, Outcome]) -> str:
    """Return, question by question, the chunk rank in each pipeline where not all have it at rank 1."""
    return "\n".join(_miss_lines(outcomes))


def _row(kind: str, pipeline: str, score: KindScore, chunks: int | None = None) -> list[str]:
    figures = [*score.recall.values(), score.mrr, score.text_recall, *score.note_recall.values()]
    cells = ["–" if figure is None else f"{figure:.2f}" for figure in figures]
    questions = f"{score.questions} + {score.without_gold}" if score.without_gold else str(score.questions)
    return [kind, questions, pipeline, *cells, str(score.leaked), "" if chunks is None else f"{chunks:,}"]


def _miss_lines(outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    yield "\nChunk rank (note rank) by question, where not every pipeline has it first: " + "; ".join(outcomes)
    for results in zip(*(outcome.report.results for outcome in outcomes.values()), strict=True):
        if results[0].has_gold and {result.chunk_rank for result in results} != {1}:
            ranks = (f"{result.chunk_rank or '–'} ({result.note_rank or '–'})" for result in results)
            yield f"{results[0].id:20} " + "  ".join(f"{rank:>9}" for rank in ranks)
