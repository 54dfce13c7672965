"""The page that shows an evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Literal

from obsirag._version import installed_version
from obsirag.cli.eval_page.failures import failures
from obsirag.cli.eval_page.groups import groups
from obsirag.cli.eval_page.latencies import latencies
from obsirag.cli.eval_page.measures import measures
from obsirag.cli.eval_page.overview import facts, legend, missing_gold, outcome, verdict
from obsirag.cli.eval_page.shape import Failure
from obsirag.cli.page.filling import filled, inline_parts
from obsirag.cli.printing import one_line
from obsirag.cli.run_page.words import Words
from obsirag.evaluation import Comparison, EvaluationSummary, Fault, Report

__all__ = ["eval_page"]

_RUN_PAGE = "obsirag.cli.run_page"


def eval_page(
    summary: EvaluationSummary,
    faults: Sequence[Fault],
    kept: Sequence[Mapping[str, Failure]],
    language: Literal["en", "zh"],
) -> str:
    """Return a page of HTML that shows an evaluation.

    The page loads nothing, sends nothing and runs nothing; text of notes, questions and models stands in it as text.

    Args:
        summary: The figures.
        faults: Why it doesn't pass.
        kept: What was kept of the questions that failed, by id, for each configuration.
        language: The language of its own words.
    """
    words = Words(language, __package__)
    reports = [summary.report] if summary.against is None else [summary.report, summary.against]
    names = (summary.name, summary.against_name)
    return filled(
        __package__,
        "eval.html",
        language="zh-CN" if language == "zh" else "en",
        heading=words(f"title_{summary.report.title.lower()}"),
        title=escape(" · ".join(one_line(name) for name in names if name)),
        badge=words("passed" if not faults else "not_passed"),
        badge_kind="answered" if not faults else "refused",
        legend=legend(summary),
        facts=facts(summary, words),
        verdict=verdict(faults, words),
        missing=missing_gold(summary.missing_gold, words),
        outcome_heading=words("outcome"),
        outcome=outcome(reports, words),
        measures_heading=words("measures"),
        measures=measures(reports, summary.comparison, words),
        groups="".join(_grouped(reports, field, summary.comparison, words) for field in ("kind", "lang")),
        times_heading=words("times"),
        times=latencies(reports, words),
        failures_heading=words("failures"),
        failures=failures(kept, words),
        private=words("private"),
        footer=words("eval_footer", version=installed_version()),
        **inline_parts(_RUN_PAGE, base="run.css"),
        **inline_parts(__package__, style="eval.css"),
    )


def _grouped(reports: Sequence[Report[Any]], field: str, comparison: Comparison | None, words: Words) -> str:
    shown = groups(reports, field, comparison, words)
    return f"<section><h2>{words(f'by_{field}')}</h2>{shown}</section>"
