"""All measures on all questions, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from obsirag.cli.eval_page.bars import bars, difference_bar, scale_of
from obsirag.cli.eval_page.differences import difference_of, sure_interval
from obsirag.cli.eval_page.tables import letters, table
from obsirag.cli.page.escaping import as_text
from obsirag.cli.run_page.words import Words
from obsirag.evaluation import Comparison, Interval, Measure, Report, show_figure

__all__ = ["measures"]


def measures(reports: Sequence[Report[Any]], comparison: Comparison | None, words: Words) -> str:
    """Return a table of all measures, with bars, and with the differences where there are two reports."""
    known = reports[0].measures
    rows = {each.name: _figures(each, reports, words) for each in known}
    columns = letters(len(reports)) if len(reports) > 1 else [words("figure")]
    head, note = [words("measure"), *columns, ""], ""
    if comparison is not None:
        drawn = _drawn(known, comparison)
        scale = scale_of(drawn.values())
        for each in known:
            interval = drawn.get(each.name)
            told = difference_of(comparison.overall, each, words)
            plot = difference_bar(interval, scale, is_cost=each.is_cost) if interval is not None else ""
            rows[each.name] += f'<td class="number">{told}</td><td class="plot">{plot}</td>'
        ends = f'<span class="ends"><span>−{scale:g}</span><span>0</span><span>+{scale:g}</span></span>'
        head += [words("difference"), ends if drawn else ""]
        note = f'<p class="faint">{words("marks")} {words("few")}</p>'
    return table(words("measures"), head, (f"<tr>{row}</tr>" for row in rows.values()), "measures") + note


def _figures(measure: Measure[Any], reports: Sequence[Report[Any]], words: Words) -> str:
    figures = [report.overall.figures[measure.name] for report in reports]
    settings = reports[0].settings
    group, _, rank = measure.name.partition("@")
    label = words(f"measure_{group}", k=rank, **{name: settings.get(name, "") for name in ("characters", "top")})
    numbers = "".join(f'<td class="number">{show_figure(each)}</td>' for each in figures)
    whole = 1.0 if measure.is_share else max((each or 0.0 for each in figures), default=0.0)
    plot = bars(figures, whole=whole) if measure.is_share or len(figures) > 1 else ""
    return (
        f'<th scope="row"><code>{as_text(measure.name)}</code> <span class="label">{label}</span></th>{numbers}'
        f'<td class="plot">{plot}</td>'
    )


def _drawn(known: Sequence[Measure[Any]], comparison: Comparison) -> Mapping[str, Interval]:
    """Return the intervals that are drawn: those of shares, which have one scale."""
    intervals = {each.name: sure_interval(comparison.overall, each) for each in known if each.is_share}
    return {name: interval for name, interval in intervals.items() if interval is not None}
