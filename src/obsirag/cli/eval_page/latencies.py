"""How long questions took: the share of them that was done within a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, log10
from typing import Any

from obsirag.cli.eval_page.tables import letters, table
from obsirag.cli.run_page.showing import as_seconds
from obsirag.cli.run_page.words import Words
from obsirag.evaluation import Report

__all__ = ["latencies"]

_SHORTEST = 1e-4
_STEPS = 200
"""A line has so many steps at most: more are not seen."""
_TICKS = 6


def latencies(reports: Sequence[Report[Any]], words: Words) -> str:
    """Return the plot of the first thing that was timed, and a table of all of them."""
    timed = reports[0].timings
    times = [_times(report, next(iter(timed))) for report in reports]
    rows = [
        f'<tr><th scope="row">{words(f"timed_{name}")}{f" · {letter}" if len(reports) > 1 else ""}</th>'
        + "".join(f'<td class="number">{as_seconds(each)}</td>' for each in _row(report, name))
        + "</tr>"
        for name in timed
        for letter, report in zip(letters(len(reports)), reports, strict=True)
    ]
    head = ["", words("median"), words("p95"), words("longest")]
    return (_plot(times, words) if any(times) else "") + table(words("times"), head, rows, "times")


def _row(report: Report[Any], name: str) -> list[float | None]:
    times = report.overall.times
    return [times[f"median_{name}"], times[f"p95_{name}"], max(_times(report, name), default=None)]


def _times(report: Report[Any], name: str) -> list[float]:
    known = (report.timings[name](result) for result in report.results)
    return sorted(max(each, _SHORTEST) for each in known if each is not None)


def _plot(times: Sequence[Sequence[float]], words: Words) -> str:
    whole = [each for line in times for each in line]
    low, high = log10(min(whole)), log10(max(whole))
    low, high = low - 0.05, max(high, low + 0.4) + 0.05

    def across(seconds: float) -> float:
        return 1000 * (log10(seconds) - low) / (high - low)

    lines = "".join(
        f'<path class="line {letter.lower()}" d="{_steps([across(each) for each in line])}"/>'
        for letter, line in zip(letters(2), times, strict=False)
    )
    ticks = [*_ticks(low, high)]
    grid = "".join(f"M{across(each):.0f} 0V1000" for each in ticks) + "M0 10H1000M0 500H1000M0 1000H1000"
    names = "".join(
        f'<text x="{across(each) / 10:.1f}%" y="186" text-anchor="middle">{_tick(each)}</text>' for each in ticks
    )
    shares = "".join(f'<text x="2" y="{y}">{share} %</text>' for share, y in ((100, 14), (50, 80), (0, 165)))
    return (
        f'<figure><svg class="times" role="img" aria-label="{words("times_plot")}">'
        '<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" width="100%" height="168">'
        f'<path class="grid" d="{grid}"/>{lines}</svg>{shares}{names}</svg>'
        f"<figcaption>{words('times_plot')}</figcaption></figure>"
    )


def _steps(across: Sequence[float]) -> str:
    """Return a line that rises by each question's share at its time."""
    count = len(across)
    chosen = sorted({round(step * (count - 1) / _STEPS) for step in range(_STEPS + 1)} | {count - 1})
    return (
        "M0 1000" + "".join(f"H{across[each]:.0f}V{1000 - 990 * (each + 1) / count:.0f}" for each in chosen) + "H1000"
    )


def _tick(seconds: float) -> str:
    return f"{seconds:g} s" if seconds >= 1 else f"{seconds * 1000:g} ms"


def _ticks(low: float, high: float) -> Iterator[float]:
    """Yield round times between two powers of ten."""
    decades = range(floor(low), floor(high) + 1)
    for factors in ((1, 2, 5), (1, 3), (1,)):
        ticks = [factor * 10.0**decade for decade in decades for factor in factors]
        fitting = [each for each in ticks if low < log10(each) < high]
        if len(fitting) <= _TICKS:
            break
    yield from fitting
