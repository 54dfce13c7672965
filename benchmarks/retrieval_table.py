"""The retrieval benchmark's outcomes as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from obsirag.evaluation import (
    Comparison,
    GroupScore,
    RetrievalReport,
    show_figure,
    show_interval,
    show_seconds,
    to_markdown,
)

__all__ = ["Outcome", "difference_table", "misses", "table"]

LEFT_OUT = ("hit@", "distinct_notes")
"""Measures that have no place in a table this wide; the file of ``--json`` has them."""


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
    measures = [measure for measure in first.measures if not measure.name.startswith(LEFT_OUT)]
    header = ["kind", "n", "pipeline", *(measure.title for measure in measures), "median s", "leaked", "chunks"]
    names = [measure.name for measure in measures]
    rows = [
        _row("**all**", pipeline, names, outcome.report.overall, outcome.chunks)
        for pipeline, outcome in outcomes.items()
    ]
    for kind in sorted(first.by_kind):
        rows += [_row(kind, pipeline, names, outcome.report.by_kind[kind]) for pipeline, outcome in outcomes.items()]
    return to_markdown(header, rows)


def difference_table(first: str, comparisons: Mapping[str, Comparison]) -> str:
    """Return a Markdown table of what each pipeline has over the first one, on all questions, with its intervals."""
    one = next(iter(comparisons.values()))
    rows = [
        [name, *(show_interval(each.overall.intervals[name]) for each in comparisons.values())]
        for name in one.overall.intervals
    ]
    legend = f"Differences from {first!r} with the {one.confidence:.0%} interval of a paired bootstrap; * leaves out 0."
    return f"{legend}\n\n{to_markdown(['measure', *comparisons], rows)}"


def misses(outcomes: Mapping[str, Outcome]) -> str:
    """Return, question by question, the chunk rank in each pipeline where not all have it at rank 1."""
    return "\n".join(_miss_lines(outcomes))


def _row(kind: str, pipeline: str, names: Sequence[str], score: GroupScore, chunks: int | None = None) -> list[str]:
    cells = [*(show_figure(score.figures[name]) for name in names), show_seconds(score.times["median_seconds"])]
    questions = f"{score.questions} + {score.without_gold}" if score.without_gold else str(score.questions)
    return [kind, questions, pipeline, *cells, str(score.leaked), "" if chunks is None else f"{chunks:,}"]


def _miss_lines(outcomes: Mapping[str, Outcome]) -> Iterator[str]:
    yield "\nChunk rank (note rank) by question, where not every pipeline has it first: " + "; ".join(outcomes)
    for results in zip(*(outcome.report.results for outcome in outcomes.values()), strict=True):
        if results[0].has_gold and {result.chunk_rank for result in results} != {1}:
            ranks = (f"{result.chunk_rank or '–'} ({result.note_rank or '–'})" for result in results)
            yield f"{results[0].id:20} " + "  ".join(f"{rank:>9}" for rank in ranks)
