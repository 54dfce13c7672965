"""The rounds of a run: what each search found, and where in the run a hit fell out.

Only channels are looked at, not which node is which: hits come with ``rankings``, and what goes on with ``evidence``,
or is put by in ``kept``, until there is a ``draft``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from langchain_core.documents import Document

from obsirag.records import Citation
from obsirag.retrievers.fusion import chunk_id_of
from obsirag.retrievers.grouping import source_of

if TYPE_CHECKING:
    from obsirag.graphs.tracing.record import Step

__all__ = ["is_search", "last_passages", "rounds_of"]

_PLACE = ("title", "headings", "start_line", "end_line", "source_spans", "aspects", "merged_sources")


@dataclass(slots=True)
class _Round:
    searches: list[dict[str, Any]] = field(default_factory=list)
    stages: list[tuple[str, list[Document]]] = field(default_factory=list)
    verdict: Any = None


def is_search(step: Step) -> bool:
    """Say whether a step searched: it was given a query, or gave hits."""
    given = step.start.given
    return bool(step.update.get("rankings")) or (isinstance(given, Mapping) and "query" in given)


def rounds_of(steps: Iterable[Step]) -> list[dict[str, Any]]:
    """Return the rounds: ``searches`` with their hits, the ``stages`` that passages went through, and the verdict.

    A hit's ``dropped_by`` names the node after which its document was not there any more; None if the answer was made
    from it.
    """
    rounds: list[_Round] = []
    for step in _until_draft(steps):
        if searched := is_search(step):
            if not rounds or rounds[-1].stages:
                rounds.append(_Round())
            rounds[-1].searches += _searches(step)
        passages = [*(step.update.get("evidence") or []), *(step.update.get("kept") or [])]
        if rounds and (passages or ("evidence" in step.update and not searched)):
            rounds[-1].stages.append((step.start.node, passages))
        if rounds and step.update.get("verdicts"):
            rounds[-1].verdict = step.update["verdicts"][-1]
    return [_as_data(each) for each in rounds]


def last_passages(steps: Sequence[Step]) -> list[dict[str, Any]]:
    """Return the passages that the answer was made from, with their numbers, and the numbers by which it cites them."""
    evidence: Sequence[Document] = []
    for step in _until_draft(steps):
        evidence = step.update.get("evidence", evidence)
    passages = list(evidence or [])
    cited = _cited_as(passages, [each for step in steps for each in step.update.get("citations") or []])
    return [
        {"number": number, "cited_as": cited[number - 1], **_passage(each)} for number, each in enumerate(passages, 1)
    ]


def _cited_as(passages: Sequence[Document], citations: Iterable[Citation]) -> list[list[int]]:
    """Return the numbers by which the answer cites each passage; where answers are put together, they are new ones."""
    cited: list[list[int]] = [[] for _ in passages]
    for citation in citations:
        number, quote = citation["number"], citation["quote"]
        holders = [index for index, each in enumerate(passages) if quote in each.page_content]
        for index in [number - 1] if number - 1 in holders else holders:
            cited[index].append(number)
    return cited


def _until_draft(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield the steps before the answer is written; what empties the state comes later."""
    is_asked = False
    for step in steps:
        # The first step empties the state of the question before.
        if is_asked and "draft" in step.update:
            return
        is_asked = True
        yield step


def _searches(step: Step) -> list[dict[str, Any]]:
    given = step.start.given
    query = given.get("query") if isinstance(given, Mapping) else None
    seconds = round(step.end.seconds, 4) if step.end is not None else None
    found = step.update.get("rankings") or {step.start.node: []}
    failed = list(step.update.get("degraded") or [])
    return [
        {"name": name, "node": step.start.node, "query": query, "seconds": seconds, "degraded": failed, "hits": hits}
        for name, hits in found.items()
    ]


def _as_data(whole: _Round) -> dict[str, Any]:
    fates = _Fates(whole.stages)
    searches = [
        {**each, "hits": [{"rank": rank, **_passage(hit), **fates.of(hit)} for rank, hit in enumerate(each["hits"], 1)]}
        for each in whole.searches
    ]
    stages = [
        {"node": node, "passages": [{"rank": rank, **_brief(each)} for rank, each in enumerate(passages, 1)]}
        for node, passages in whole.stages
    ]
    return {"searches": searches, "stages": stages, "verdict": whole.verdict}


class _Fates:
    """Where documents fell out."""

    def __init__(self, stages: Sequence[tuple[str, Sequence[Document]]]) -> None:
        self._stages = [(node, {source_of(each) for each in passages}, _merged(passages)) for node, passages in stages]

    def of(self, hit: Document) -> dict[str, Any]:
        """Return what became of a hit."""
        source = source_of(hit)
        for node, sources, merged in self._stages:
            if source not in sources:
                return {"dropped_by": node, "duplicate_of": merged.get(source)}
        return {"dropped_by": None, "duplicate_of": None}


def _merged(passages: Iterable[Document]) -> dict[str, str]:
    """Return the documents of which there was a near-duplicate, with the one that stands for them."""
    return {str(each): source_of(one) for one in passages for each in one.metadata.get("merged_sources") or []}


def _passage(document: Document) -> dict[str, Any]:
    return {**_brief(document), "id": document.id, "text": document.page_content}


def _brief(document: Document) -> dict[str, Any]:
    fields = document.metadata
    return {
        "source": source_of(document),
        "chunk_id": chunk_id_of(document),
        "scores": {name: value for name, value in fields.items() if _is_score(name, value)},
        **{name: fields[name] for name in _PLACE if fields.get(name)},
    }


def _is_score(name: str, value: object) -> bool:
    return (name in ("score", "preference") or name.endswith("_score")) and isinstance(value, (int, float))
