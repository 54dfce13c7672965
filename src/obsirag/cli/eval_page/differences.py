"""Differences between two configurations, and how sure they are."""

from __future__ import annotations

from typing import Any

from obsirag.cli.eval_page.bars import judgement
from obsirag.cli.run_page.words import Words
from obsirag.evaluation import GroupDifference, Interval, Measure, show_difference, show_figure
from obsirag.evaluation.comparison import FEWEST_PAIRS

__all__ = ["difference_of", "sure_interval"]

_MARKS = {"better": "▲", "worse": "▼"}


def sure_interval(group: GroupDifference, measure: Measure[Any]) -> Interval | None:
    """Return the interval of a measure; None where there are too few pairs for one."""
    return group.intervals.get(measure.name) if group.pairs.get(measure.name, 0) >= FEWEST_PAIRS else None


def difference_of(group: GroupDifference, measure: Measure[Any], words: Words) -> str:
    """Return the difference of a measure as HTML, with its interval where there are pairs enough for one."""
    known, interval = group.intervals.get(measure.name), sure_interval(group, measure)
    if known is None:
        return show_figure(None)
    if interval is None:
        return show_difference(known.difference)
    ends = f'<span class="ci">[{show_difference(interval.low)}, {show_difference(interval.high)}]</span>'
    return f"{_mark(judgement(interval, is_cost=measure.is_cost), words)}{show_difference(interval.difference)} {ends}"


def _mark(judged: str, words: Words) -> str:
    if judged not in _MARKS:
        return ""
    return f'<b class="{judged}">{_MARKS[judged]}<span class="unseen"> {words(judged)}</span></b> '
