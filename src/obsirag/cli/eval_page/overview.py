"""What comes first: whether it passed, why not, and how many questions failed in which way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from obsirag.cli.eval_page.bars import bars
from obsirag.cli.eval_page.tables import letters, table
from obsirag.cli.run_page.showing import as_details, bdi
from obsirag.cli.run_page.words import Words
from obsirag.evaluation import EvaluationSummary, Fault, Report

__all__ = ["FAILINGS", "facts", "legend", "missing_gold", "outcome", "verdict"]

FAILINGS = ("leaked", "degraded", "wrong_ending", "not_found", "missing_points", "invalid_citations")
"""What may go wrong with a question, the worst first."""

_IDS = 40


def legend(summary: EvaluationSummary) -> str:
    """Return which configuration is which."""
    names = [summary.name] if summary.against is None else [summary.name, summary.against_name]
    if len(names) == 1:
        return f"<h1>{bdi(names[0])}</h1>"
    told = "".join(
        f'<span><b class="key {letter.lower()}">{letter}</b> {bdi(name)}</span>'
        for letter, name in zip(letters(2), names, strict=True)
    )
    return f'<h1 class="legend">{told}</h1>'


def facts(summary: EvaluationSummary, words: Words) -> str:
    """Return how many questions were asked, and how was measured."""
    score = summary.report.overall
    told = [words("questions", count=score.questions)]
    told += [words("without_gold", count=score.without_gold)] if score.without_gold else []
    judge = summary.report.settings.get("judge")
    told += [words("judged_by", judge=judge)] if judge not in (None, "rule") else []
    if summary.comparison is not None:
        told.append(words("intervals", share=f"{summary.comparison.confidence:.0%}"))
    return " · ".join(told)


def verdict(faults: Sequence[Fault], words: Words) -> str:
    """Return why it didn't pass."""
    if not faults:
        return ""
    entries = "".join(f"<li>{words(f'fault_{each.kind}', **_short(each.values))}</li>" for each in faults)
    return f'<ul class="faults">{entries}</ul>'


def missing_gold(missing: Mapping[str, Sequence[str]], words: Words) -> str:
    """Return the questions whose gold is not in the vault."""
    if not missing:
        return ""
    entries = "".join(f"<li>{bdi(name)}: {bdi(', '.join(paths))}</li>" for name, paths in missing.items())
    return as_details(words("missing_gold", count=len(missing)), f"<ul>{entries}</ul>", "notice")


def outcome(reports: Sequence[Report[Any]], words: Words) -> str:
    """Return a table of how many questions failed in which way."""
    counts = [_counts(report) for report in reports]
    whole = max((len(report.results) for report in reports), default=0)
    named = [("none_failed", "good"), *((name, "bad") for name in FAILINGS)]
    known = [(name, kind) for name, kind in named if kind == "good" or any(each[name] for each in counts)]
    rows = [
        f'<tr><th scope="row" class="{kind}">{words(name)}</th>'
        + "".join(f'<td class="number">{each[name]}</td>' for each in counts)
        + f'<td class="plot">{bars([each[name] for each in counts], whole=whole)}</td></tr>'
        for name, kind in known
    ]
    columns = letters(len(reports)) if len(reports) > 1 else [words("count")]
    return table(words("outcome"), [words("came_of_it"), *columns, ""], rows, "outcome") + (
        f'<p class="faint">{words("several_failings")}</p>' if len(known) > 2 else ""
    )


def _counts(report: Report[Any]) -> Counter[str]:
    return Counter(name for result in report.results for name in report.failings(result) or ("none_failed",))


def _short(values: Mapping[str, str]) -> dict[str, str]:
    return dict(_shortened(values))


def _shortened(values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in values.items():
        ids = value.split(", ") if name == "ids" else []
        yield name, ", ".join([*ids[:_IDS], "…"]) if len(ids) > _IDS else value
