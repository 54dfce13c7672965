"""What ``obsirag eval`` prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from obsirag.cli.printing import one_line

if TYPE_CHECKING:
    from obsirag.evaluation import EvaluationSummary, GroupScore, Report

__all__ = ["align", "summary_as_lines"]

_HEADING = "bold"


def summary_as_lines(summary: EvaluationSummary) -> Iterator[tuple[str, str]]:
    """Yield the figures as lines with their styles: all measures on all questions, then the main ones by group."""
    score = summary.report.overall
    without = f", {score.without_gold} more without gold" if score.without_gold else ""
    yield f"{score.questions} questions with gold{without}", _HEADING
    yield f"config   {one_line(summary.name)}", ""
    if summary.against is not None:
        yield f"against  {one_line(summary.against_name)}", ""
    yield from _table(_measures(summary))
    if summary.comparison is not None:
        yield (
            f"In brackets the {summary.comparison.confidence:.0%} interval of the difference; * where it leaves out 0.",
            "",
        )
    yield from _table(_groups(summary, "kind", lambda report: report.by_kind))
    yield from _table(_groups(summary, "language", lambda report: report.by_lang))


def align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines, the first column to the left and the others to the right; Chinese takes two cells."""
    cells = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(map(_padded, row, widths, range(len(row)))).rstrip() for row in cells]


def _padded(cell: str, width: int, column: int) -> str:
    blanks = " " * (width - cell_len(cell))
    return blanks + cell if column else cell + blanks


def _table(rows: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    head, *lines = align(rows)
    if lines:
        yield "", ""
        yield head, _HEADING
    for line in lines:
        yield line, ""


def _measures(summary: EvaluationSummary) -> list[list[str]]:
    """Return a row for each measure, by the name that thresholds use."""
    from obsirag.evaluation import show_figure, show_interval, show_seconds

    scores = [each.overall for each in _reports(summary).values()]
    rows = [[name, *(show_figure(score.figures[name]) for score in scores)] for name in scores[0].figures]
    rows += [
        [name.replace("_", " "), *(show_seconds(score.times[name]) for score in scores)] for name in scores[0].times
    ]
    rows += [[title, *(str(getattr(score, title)) for score in scores)] for title in ("leaked", "degraded")]
    header = ["measure", *_reports(summary)]
    if summary.comparison is not None:
        intervals = summary.comparison.overall.intervals
        header += ["difference"]
        rows = [[*row, show_interval(intervals[row[0]]) if row[0] in intervals else ""] for row in rows]
    return [header, *rows]


def _groups(
    summary: EvaluationSummary, field: str, groups_of: Callable[[Report[Any]], Mapping[str, GroupScore]]
) -> list[list[str]]:
    """Return a row for each group in each report, but for groups in which there is nothing to tell."""
    from obsirag.evaluation import show_figure

    reports = _reports(summary)
    chosen = summary.report.main_measures
    names = ["of"] if len(reports) > 1 else []
    rows = [[field, *names, "n", *(measure.title for measure in chosen), "without gold", "leaked"]]
    for group in groups_of(summary.report):
        for name, report in reports.items():
            score = groups_of(report)[group]
            figures = [show_figure(score.figures[measure.name]) for measure in chosen]
            if score.leaked or any(score.figures[measure.name] is not None for measure in chosen):
                label = [group or "(none)", *([name] if names else [])]
                rows.append([*label, str(score.questions), *figures, str(score.without_gold), str(score.leaked)])
    return rows


def _reports(summary: EvaluationSummary) -> dict[str, Report[Any]]:
    return {"config": summary.report} | ({} if summary.against is None else {"against": summary.against})
