"""The figures of each kind of question, and of each language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from obsirag.cli.eval_page.bars import bars
from obsirag.cli.eval_page.differences import difference_of
from obsirag.cli.eval_page.tables import letters, named, table
from obsirag.cli.page.escaping import as_text
from obsirag.cli.run_page.words import Words
from obsirag.evaluation import Comparison, GroupDifference, GroupScore, Measure, Report, show_figure

__all__ = ["groups"]


def groups(reports: Sequence[Report[Any]], field: str, comparison: Comparison | None, words: Words) -> str:
    """Return a table with a row for each group and a column for each main measure.

    Args:
        reports: The reports, which have the same groups.
        field: What they are grouped by, ``kind`` or ``lang``.
        comparison: The differences.
        words: The words of the page.
    """
    scores: list[Mapping[str, GroupScore]] = [getattr(report, f"by_{field}") for report in reports]
    differences: Mapping[str, GroupDifference] = getattr(comparison, f"by_{field}") if comparison is not None else {}
    chosen = reports[0].main_measures
    rows = [
        _row(name, [each[name] for each in scores if name in each], chosen, differences.get(name), words)
        for name in scores[0]
    ]
    head = [words(field), words("count"), *(f"<code>{as_text(measure.name)}</code>" for measure in chosen)]
    note = f'<p class="faint">{words("count_note")} {words("few") if differences else ""}</p>'
    return table(words(f"by_{field}"), head, rows, "groups") + note


def _row(
    name: str,
    scores: Sequence[GroupScore],
    chosen: Sequence[Measure[Any]],
    difference: GroupDifference | None,
    words: Words,
) -> str:
    without = scores[0].without_gold
    more = f' <span class="side">+ {without}</span>' if without else ""
    cells = "".join(_cell(measure, scores, difference, words) for measure in chosen)
    head = f'<th scope="row"><div class="name">{named(name, words)}</div></th>'
    return f'<tr>{head}<td class="number">{scores[0].questions}{more}</td>{cells}</tr>'


def _cell(measure: Measure[Any], scores: Sequence[GroupScore], difference: GroupDifference | None, words: Words) -> str:
    figures = [score.figures[measure.name] for score in scores]
    if all(each is None for each in figures):
        return f'<td class="number">{show_figure(None)}</td>'
    if len(figures) == 1:
        return f'<td class="number">{show_figure(figures[0])}{bars(figures)}</td>'
    shown = "".join(
        f'<div><span class="side">{letter}</span> {show_figure(each)}</div>'
        for letter, each in zip(letters(2), figures, strict=True)
    )
    change = f'<div class="change">{difference_of(difference, measure, words)}</div>' if difference is not None else ""
    return f'<td class="number">{shown}{bars(figures)}{change}</td>'
