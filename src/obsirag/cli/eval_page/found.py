"""Hits, and where gold was among them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from obsirag.cli.eval_page.shape import Gold, Hit, Search
from obsirag.cli.eval_page.tables import table
from obsirag.cli.page.escaping import as_text
from obsirag.cli.run_page.showing import as_link, as_place, bdi
from obsirag.cli.run_page.words import Words

__all__ = ["gold_list", "hit_list", "ranks"]

_WHY = ("fuse", "rerank", "select", "grade", "rewrite")
"""Nodes of which it is known why a hit falls out in them."""


def gold_list(gold: Sequence[Gold], needs: str, words: Words) -> str:
    """Return where the answer stands."""
    if not gold:
        return f'<p class="faint">{words("no_gold")}</p>'
    told = f" {words('needs_all')}" if needs == "all" and len(gold) > 1 else ""
    entries = "".join(f"<li>{_gold(each, words)}</li>" for each in gold)
    return f'<h4>{words("gold")}{told}</h4><ol class="gold">{entries}</ol>'


def _gold(gold: Gold, words: Words) -> str:
    place = as_link(as_place(gold.place, words), gold.link)
    if gold.fault:
        return f'{place} <span class="bad">{words(f"gold_{gold.fault}")}</span>'
    return f'{place}<blockquote dir="auto">{as_text(gold.text)}</blockquote>'


def ranks(searches: Sequence[Search], spans: int, words: Words) -> str:
    """Return a table of the ranks at which each search found gold.

    Args:
        searches: The searches.
        spans: Number of gold spans.
        words: The words of the page.
    """
    if not spans or not searches:
        return ""
    rows = []
    for each in searches:
        cells = "".join(
            f'<td class="number">{rank}</td>' if rank else f'<td class="number bad">{words("no_rank")}</td>'
            for rank in each.gold_ranks
        )
        failed = (
            f' <span class="bad">{words("search_failed", names=", ".join(each.failed))}</span>' if each.failed else ""
        )
        query = f'<div class="faint">{bdi(each.query)}</div>' if each.query else ""
        rows.append(
            f'<tr><th scope="row">{words.named("search", each.name)}{failed}{query}</th>{cells}'
            f'<td class="number">{each.count}</td></tr>'
        )
    numbers = [words("gold_number", number=number) for number, _ in zip(count(1), range(spans), strict=False)]
    return table(words("ranks"), [words("ranks"), *numbers, words("hits")], rows, "ranks")


def hit_list(hits: Sequence[Hit], words: Words) -> str:
    """Return hits by their ranks."""
    if not hits:
        return f"<p>{words('no_hits')}</p>"
    return f'<ol class="found">{"".join(_hit(each, words) for each in hits)}</ol>'


def _hit(hit: Hit, words: Words) -> str:
    score = f' <span class="score">{hit.score:.4g}</span>' if hit.score is not None else ""
    gold = f' <b class="good">★ {words("is_gold")}</b>' if hit.is_gold else ""
    leak = f' <b class="bad">{words("is_leak")}</b>' if hit.is_leak else ""
    text = f'<div class="excerpt" dir="auto">{as_text(hit.text)}</div>' if hit.text else ""
    place = as_link(as_place(hit.place, words), hit.link)
    return f'<li value="{hit.rank}">{place}{score}{gold}{leak}{_fate(hit, words)}{text}</li>'


def _fate(hit: Hit, words: Words) -> str:
    if hit.duplicate_of:
        told = words("duplicate", source=hit.duplicate_of)
    elif hit.dropped_by in _WHY:
        told = words(f"dropped_{hit.dropped_by}")
    elif hit.dropped_by:
        told = words("dropped_other", node=hit.dropped_by)
    else:
        return ""
    return f' <span class="faint">· {told}</span>'
