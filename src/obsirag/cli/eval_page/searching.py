"""A search as a failure shows it: its first hits, and where gold was among all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from langchain_core.documents import Document

from obsirag.cli.eval_page.places import Places
from obsirag.cli.eval_page.shape import Search
from obsirag.evaluation import Question, is_hit

__all__ = ["search_of"]

_FIRST = 5


def search_of(
    name: str,
    query: str,
    found: Sequence[Mapping[str, Any]],
    question: Question,
    places: Places,
    *,
    failed: Sequence[str] = (),
    texts: Sequence[str] = (),
    first: int = _FIRST,
    has_fates: bool = False,
) -> Search:
    """Return a search.

    Args:
        name: Its name.
        query: What was searched for.
        found: The metadata of what it found, the best first, or what a record tells of it.
        question: The question that it was for.
        places: Where things stand.
        failed: What failed in it.
        texts: The texts of what it found; none if they are not to be shown.
        first: So many hits are kept, beside those that hold gold.
        has_fates: Whether it is known what became of the hits.
    """
    documents = [Document("", metadata=dict(each)) for each in found]
    firsts = [
        next((rank for rank, each in enumerate(documents, 1) if is_hit(each, span)), None) for span in question.gold
    ]
    shown = sorted({*range(1, min(first, len(found)) + 1), *(rank for rank in firsts if rank is not None)})
    hits = (
        places.hit(found[rank - 1], rank, question, text=texts[rank - 1] if texts else "", has_fate=has_fates)
        for rank in shown
    )
    return Search(
        name=name,
        query="" if query == question.question else query,
        count=len(found),
        failed=tuple(failed),
        hits=tuple(hits),
        gold_ranks=tuple(firsts),
    )
