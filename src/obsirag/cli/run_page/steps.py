"""What each node did, and how long it took."""

from __future__ import annotations

from typing import TYPE_CHECKING

from obsirag.cli.page.escaping import as_text
from obsirag.cli.run_page.showing import as_details, as_seconds, as_value
from obsirag.cli.run_page.words import Words

if TYPE_CHECKING:
    from obsirag.graphs.tracing.shape import RunRecord, StepRecord

__all__ = ["steps", "timings"]

_WIDTH = 1000
_NARROWEST = 4


def timings(record: RunRecord, words: Words) -> str:
    """Return a table with a bar for each node, on one line of time."""
    head = "".join(f'<th scope="col">{words(each)}</th>' for each in ("step", "node", "seconds", "tokens"))
    whole = max((each["began"] + each.get("seconds", 0.0) for each in record["steps"]), default=0.0)
    rows = "".join(_row(each, whole, words) for each in record["steps"])
    return (
        f'<div class="wide"><table class="timings"><thead><tr>{head}<th></th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _row(step: StepRecord, whole: float, words: Words) -> str:
    seconds = step.get("seconds", 0.0)
    scale = _WIDTH / whole if whole > 0 else 0.0
    width = max(_NARROWEST, seconds * scale)
    at = min(step["began"] * scale, _WIDTH - width)
    kind = ' class="model"' if step.get("model_calls") else ""
    bar = (
        f'<svg viewBox="0 0 {_WIDTH} 10" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect{kind} x="{at:.1f}" y="0" width="{width:.1f}" height="10"/></svg>'
    )
    tokens = f"{step.get('tokens_in', 0):,} / {step.get('tokens_out', 0):,}" if step.get("model_calls") else ""
    error = f' <span class="bad">{words("error", error=step["error"])}</span>' if step.get("error") else ""
    return (
        f'<tr><td class="number">{step["step"]}</td><th scope="row">{as_text(step["node"])}{error}</th>'
        f'<td class="number">{as_seconds(step.get("seconds"))}</td><td class="number">{tokens}</td>'
        f'<td class="bar">{bar}</td></tr>'
    )


def steps(record: RunRecord, words: Words) -> str:
    """Return what each node got and gave, to be opened."""
    return "".join(_step(each, words) for each in record["steps"])


def _step(step: StepRecord, words: Words) -> str:
    got = words("got") if step["task"] is None else words("task")
    given = step["state"] if step["task"] is None else step["task"]
    gave = as_value(step["update"]) if step["update"] else words("nothing")
    inside = f"<h4>{got}</h4><pre>{as_value(given)}</pre><h4>{words('gave')}</h4><pre>{gave}</pre>"
    return as_details(f"{step['step']} · {as_text(step['node'])}", inside, "step")
