"""The rounds: what each search found, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from obsirag.cli.page.escaping import as_text
from obsirag.cli.run_page.showing import as_details, as_marks, as_place, as_seconds, bdi
from obsirag.cli.run_page.words import Words

if TYPE_CHECKING:
    from obsirag.graphs.tracing.shape import Passage, Round, RunRecord, SearchRecord

__all__ = ["rounds"]

_FIRST = 10
"""So many hits are shown at once."""
_WHY = ("fuse", "rerank", "select", "grade", "rewrite")
"""Nodes of which it is known why a hit falls out in them."""


def rounds(record: RunRecord, words: Words) -> str:
    """Return the rounds as HTML."""
    cited: dict[str, list[int]] = {}
    for each in record["passages"]:
        if numbers := each.get("cited_as"):
            cited.setdefault(each["source"], []).extend(numbers)
    told = [_round(number, each, cited, words) for number, each in enumerate(record["rounds"], 1)]
    return "".join(told) or f"<p>{words('no_rounds')}</p>"


def _round(number: int, told: Round, cited: Mapping[str, list[int]], words: Words) -> str:
    searches = "".join(_search(each, cited, words) for each in told["searches"])
    stages = "".join(
        f"<li>{words('stage', node=each['node'], count=len(each['passages']))}</li>" for each in told["stages"]
    )
    left = f'<h4>{words("stages")}</h4><ol class="stages">{stages}</ol>' if stages else ""
    return (
        f'<section class="round"><h3>{words("round", number=number)}</h3>{searches}{left}'
        f"{_verdict(told['verdict'], words)}</section>"
    )


def _search(search: SearchRecord, cited: Mapping[str, list[int]], words: Words) -> str:
    name = words("search", name=search["name"], count=len(search["hits"]))
    failed = f'<p class="bad">{words("search_failed", names=", ".join(search["degraded"]))}</p>'
    query = f'<p class="query"><b>{words("query")}</b> {bdi(search["query"])}</p>' if search["query"] else ""
    hits, rest = search["hits"][:_FIRST], search["hits"][_FIRST:]
    told = _table(hits, cited, words) if hits else f"<p>{words('no_hits')}</p>"
    told += as_details(words("more", count=len(rest)), _table(rest, cited, words), "more") if rest else ""
    return (
        f'<section class="search"><h4>{name} <span class="faint">{as_seconds(search["seconds"])}</span></h4>{query}'
        f"{failed if search['degraded'] else ''}{told}</section>"
    )


def _table(hits: Sequence[Passage], cited: Mapping[str, list[int]], words: Words) -> str:
    head = "".join(f'<th scope="col">{words(each)}</th>' for each in ("rank", "passage", "scores", "fate"))
    rows = "".join(_hit(each, cited, words) for each in hits)
    return f'<div class="wide"><table class="hits"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'


def _hit(hit: Passage, cited: Mapping[str, list[int]], words: Words) -> str:
    scores = "<br>".join(f"{as_text(name)} {value:.4g}" for name, value in _scores(hit).items())
    text = as_details(as_place(hit, words), f'<div class="text" dir="auto">{as_text(hit.get("text", ""))}</div>', "hit")
    dropped = hit.get("dropped_by")
    kind = "dropped" if dropped else "cited" if hit["source"] in cited else "used"
    return (
        f'<tr class="{kind}"><td class="number">{hit.get("rank", "")}</td><td>{text}</td>'
        f'<td class="score">{scores}</td><td class="fate">{_fate(hit, cited, words)}</td></tr>'
    )


def _scores(hit: Passage) -> dict[str, float]:
    """Return the scores; ``score`` is the last one of the others, where there are others."""
    named = {name: value for name, value in hit["scores"].items() if name != "score"}
    return named or hit["scores"]


def _fate(hit: Passage, cited: Mapping[str, list[int]], words: Words) -> str:
    dropped, duplicate = hit.get("dropped_by"), hit.get("duplicate_of")
    if duplicate:
        return words("duplicate", source=duplicate)
    if dropped:
        return words(f"dropped_{dropped}") if dropped in _WHY else words("dropped_other", node=dropped)
    if numbers := cited.get(hit["source"]):
        return words("cited", numbers=as_marks(numbers))
    return words("used")


def _verdict(verdict: Mapping[str, Any] | None, words: Words) -> str:
    if not verdict:
        return ""
    rows = "".join(
        f"<dt>{words.named('verdict', name)}</dt><dd>{_judged(name, value, words)}</dd>"
        for name, value in verdict.items()
        if value not in (None, [], "")
    )
    return f'<h4>{words("verdict")}</h4><dl class="verdict">{rows}</dl>'


def _judged(name: str, value: Any, words: Words) -> str:
    if isinstance(value, float):
        return f"{value:.2f}"
    if isinstance(value, list):
        return bdi(", ".join(map(str, value)))
    return words.named(name, str(value))
