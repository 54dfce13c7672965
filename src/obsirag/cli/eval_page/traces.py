"""How a question went, in short."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from obsirag.cli.eval_page.found import hit_list, ranks
from obsirag.cli.eval_page.shape import Round, Trace
from obsirag.cli.page.escaping import as_text
from obsirag.cli.run_page.showing import as_details, as_lines, as_seconds
from obsirag.cli.run_page.words import Words

__all__ = ["trace"]


def trace(told: Trace, spans: int, words: Words) -> str:
    """Return how a question went, to be opened.

    Args:
        told: How it went.
        spans: Number of its gold spans.
        words: The words of the page.
    """
    rows = "".join(
        f"<dt>{words.named('plan', name)}</dt><dd>{as_lines(value)}</dd>" for name, value in told.plan.items()
    )
    plan = f"<dl>{rows}</dl>" if rows else ""
    error = f'<p class="bad">{words("failed", error=told.error)}</p>' if told.error else ""
    many = len(told.rounds) > 1
    rounds = "".join(
        (f"<h5>{words('round', number=number)}</h5>" if many else "") + _round(each, spans, words)
        for number, each in enumerate(told.rounds, 1)
    )
    nodes = " · ".join(f"{as_text(node)} {as_seconds(seconds)}" for node, seconds in told.nodes)
    times = f'<p class="faint nodes">{nodes}</p>' if nodes else ""
    return as_details(words("trace"), f"{error}{plan}{rounds}{times}", "trace")


def _round(told: Round, spans: int, words: Words) -> str:
    hits = "".join(
        as_details(
            f"{words.named('search', each.name)} · {words('first_of', count=each.count)}", hit_list(each.hits, words)
        )
        for each in told.searches
    )
    stages = " → ".join(f"{as_text(node)} {count}{' ★' if has_gold else ''}" for node, count, has_gold in told.stages)
    left = f'<p class="stages">{words("left_after")} {stages}</p>' if stages else ""
    return f"{ranks(told.searches, spans, words)}{hits}{left}{_verdict(told.verdict, words)}"


def _verdict(verdict: Mapping[str, Any], words: Words) -> str:
    told = "; ".join(
        f"{words.named('verdict', name)}: {_judged(name, value, words)}"
        for name, value in verdict.items()
        if value not in (None, [], "")
    )
    return f'<p class="verdict">{words("verdict")}: {told}</p>' if told else ""


def _judged(name: str, value: Any, words: Words) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    return as_text(", ".join(map(str, value))) if isinstance(value, list) else words.named(name, str(value))
