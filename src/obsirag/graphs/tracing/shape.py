"""The form of a run's record, version 1.

Values of a state are written as :mod:`obsirag.graphs.tracing.plain_data` says: a document is ``{"$document": {…}}``.
"""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

from obsirag.graphs.usage import Usage
from obsirag.records import Citation

__all__ = ["Passage", "Round", "RunRecord", "SearchRecord", "Stage", "StepRecord"]


class Passage(TypedDict):
    """A passage of a note or of a web page.

    Args:
        source: Vault-relative path, or a URL.
        chunk_id: The chunk's id.
        scores: The scores that it had by then, by name.
        rank: Its place in a list, from 1.
        text: Its text; only in hits and in the passages of the answer.
        number: Its number for the answer, from 1; only there.
        cited_as: The numbers by which the answer cites it; only there.
        dropped_by: Only of hits: the node after which its document was gone; None if the answer was made from it.
        duplicate_of: Only of hits: the document that stands for it, where a near-duplicate was merged.
    """

    source: str
    chunk_id: str
    scores: dict[str, float]
    rank: NotRequired[int]
    id: NotRequired[str | None]
    text: NotRequired[str]
    title: NotRequired[str]
    headings: NotRequired[list[str]]
    start_line: NotRequired[int]
    end_line: NotRequired[int]
    source_spans: NotRequired[list[str]]
    aspects: NotRequired[Any]
    merged_sources: NotRequired[list[str]]
    number: NotRequired[int]
    cited_as: NotRequired[list[int]]
    dropped_by: NotRequired[str | None]
    duplicate_of: NotRequired[str | None]


class SearchRecord(TypedDict):
    """One search.

    Args:
        name: The name under which its hits stand.
        node: The node that searched.
        query: What it was asked; None if it wasn't told a query.
        seconds: How long its node took; None if it didn't end.
        degraded: What failed in it.
        hits: What it found, best first.
    """

    name: str
    node: str
    query: str | None
    seconds: float | None
    degraded: list[str]
    hits: list[Passage]


class Stage(TypedDict):
    """The passages that were left after a node.

    Args:
        node: The node.
        passages: Those passages, best first.
    """

    node: str
    passages: list[Passage]


class Round(TypedDict):
    """One round of searching and judging.

    Args:
        searches: The searches, side by side.
        stages: What became of their hits, in order.
        verdict: What was judged; None if nothing was.
    """

    searches: list[SearchRecord]
    stages: list[Stage]
    verdict: dict[str, Any] | None


class StepRecord(TypedDict):
    """One node.

    Args:
        began: Seconds from the beginning of the run.
        step: The number of LangGraph's step; nodes side by side have the same.
        node: The node.
        version: Its version.
        state: A summary of what it got, in counts and kinds.
        task: What it got instead of the state, such as a query; None if it got the state.
        update: What it gave; None if it didn't end.
        seconds: How long it took.
        model_calls: Calls of the chat model.
        tokens_in: Tokens that the chat model read.
        tokens_out: Tokens that it wrote.
        error: The kind of what it raised.
    """

    began: float
    step: int
    node: str
    version: str
    state: dict[str, Any]
    task: Any
    update: dict[str, Any] | None
    seconds: NotRequired[float]
    model_calls: NotRequired[int]
    tokens_in: NotRequired[int]
    tokens_out: NotRequired[int]
    error: NotRequired[str]


class RunRecord(TypedDict):
    """A whole run.

    Args:
        obsirag_run: The version of this form.
        obsirag: The version of obsirag.
        run: The run's name.
        thread: Its thread; None without one.
        time: When it began, ISO 8601.
        seconds: How long it took.
        usage: Calls of the chat model and their tokens.
        question: What was asked.
        plan: What was settled before the first search, by channel of the state.
        rounds: The rounds of searching.
        passages: What the answer was made from, by number.
        draft: The last draft of the answer.
        answer: The answer; empty if there was none.
        status: How it ended; None if it didn't.
        citations: The answer's citations.
        degraded: What failed on the way.
        error: The kind of what ended the run; None if nothing did.
        steps: What each node got and gave.
    """

    obsirag_run: int
    obsirag: str
    run: str
    thread: str | None
    time: str
    seconds: float
    usage: Usage
    question: str
    plan: dict[str, Any]
    rounds: list[Round]
    passages: list[Passage]
    draft: str
    answer: str
    status: str | None
    citations: list[Citation]
    degraded: list[str]
    error: str | None
    steps: list[StepRecord]
