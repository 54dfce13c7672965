"""Asks a retriever every question of a set and notes when each has found what it needs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from time import perf_counter
from typing import Any

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from obsirag.evaluation.hits import is_hit
from obsirag.evaluation.leaks import is_leak
from obsirag.evaluation.lines import score_lines
from obsirag.evaluation.questions import Question, search_text
from obsirag.evaluation.report import RetrievalReport
from obsirag.evaluation.results import QuestionResult
from obsirag.records import Permissions

__all__ = ["evaluate_retrieval", "score_documents"]


def evaluate_retrieval(
    retriever: BaseRetriever,
    questions: Iterable[Question],
    *,
    k: Sequence[int] = (1, 5, 10),
    characters: int = 4000,
    chunks_per_note: int = 3,
    top: int = 5,
    permissions: Mapping[str, Permissions] | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    on_result: Callable[[Question, QuestionResult, Sequence[Document]], None] | None = None,
) -> RetrievalReport:
    """Ask every question and report how often, and how early, the answer's place was found.

    **What counts as found.** A gold span is found by the first chunk that holds one of its lines. A question that needs
    ``any`` is found with its first span; one that needs ``all`` only where the last of them is: half of what it needs
    counts nothing. Questions whose gold is empty have nothing to find; they are left out of every recall and counted
    apart.

    **What a rank is.** Retrievers that fuse by note return several chunks of a note in a row, others return chunks
    without regard to notes; no one rank is fair to both, so each question gets three:

    - *chunks*: the place in the list as returned. The first ``k`` entries of one list against the first ``k`` of the
      other: the plain reading of Recall@k, and the strict one for a retriever that returns several chunks a note.
    - *notes*: the number of different notes up to that chunk, where a note shows its first ``chunks_per_note`` chunks
      only, wherever they stand in the list. It tells how many notes a person would open, but a retriever that shows
      more chunks a note shows more text at the same rank.
    - *characters*: the text up to the end of that chunk, overlaps included. Recall within ``characters`` compares
      pipelines of different chunk lengths at equal text, which is what a model's context pays for. Chunks count
      whole; the first one always counts as within.

    Where such a figure is compared between retrievers, let each return enough: the largest ``k`` of notes, and
    ``characters`` of text.

    **What is reported**, as means over the questions that have gold:

    - ``recall@k``: the share found within the first ``k`` chunks. ``note_recall@k`` and ``text_recall`` are the same
      by notes and by characters.
    - ``hit@k``: the share for which the first ``k`` chunks hold at least one of the gold spans. It differs from recall
      for questions that need ``all``.
    - ``mrr``: 1 / the rank in chunks at which the question was found, 0 past rank 10.
    - ``ndcg@k``: see ``discounted_gain``.
    - ``line_precision``, ``line_recall``: how much of the first ``top`` chunks' text is gold, and how much of the gold
      they hold; see ``score_lines``.
    - ``distinct_notes``: number of different notes among the first ``top`` chunks.

    The time that the retriever took is reported for all questions as median and 95th percentile. The first question
    may load a model, which of fewer than 20 questions shows in the percentile. Leaks, and searches that failed in part,
    are counted.

    Args:
        retriever: Any LangChain retriever. It gets the question's labels as ``labels=[…]``, if there are any.
        questions: What to ask; a follow-up is asked together with the last human turn before it.
        k: The ranks at which recall is reported, ascending.
        characters: The length of text within which recall is reported.
        chunks_per_note: Number of chunks that a note may show, for the rank by notes.
        top: Number of chunks of which lines and notes are counted.
        permissions: Who may read which note, by path, from the vault itself. With it every chunk is checked against
            the notes it came from, so that a leak shows even where the chunk lost its labels; without it only the
            chunk's own ``permissions`` are.
        progress: Called with the number of questions done, the number of all, and the question's id.
        on_result: Called with each question, its result and the chunks that came back, which are not kept.

    Raises:
        ValueError: If ``k`` or ``top`` is below 1, or there is no ``k``.
    """
    if not k or min(*k, top) < 1:
        raise ValueError(f"k and top must be numbers of at least 1, not {tuple(k)} and {top}")
    questions, results = tuple(questions), []
    for done, question in enumerate(questions, 1):
        arguments: dict[str, Any] = {"labels": list(question.labels)} if question.labels else {}
        began = perf_counter()
        documents = retriever.invoke(search_text(question), **arguments)
        seconds = perf_counter() - began
        result = score_documents(question, documents, chunks_per_note=chunks_per_note, top=top, permissions=permissions)
        results.append(replace(result, seconds=seconds))
        if on_result is not None:
            on_result(question, results[-1], documents)
        if progress is not None:
            progress(done, len(questions), question.id)
    return RetrievalReport(tuple(results), k=tuple(k), characters=characters, top=top)


def score_documents(
    question: Question,
    documents: Sequence[Document],
    *,
    chunks_per_note: int = 3,
    top: int = 5,
    permissions: Mapping[str, Permissions] | None = None,
) -> QuestionResult:
    """Return when a list of chunks has found what a question needs; see ``evaluate_retrieval``.

    Args:
        question: The question.
        documents: What was retrieved for it, best first.
        chunks_per_note: Number of chunks that a note may show, for the rank by notes.
        top: Number of chunks of which lines and notes are counted.
        permissions: Who may read which note, by path.
    """
    hits = [[index for index, document in enumerate(documents) if is_hit(document, span)] for span in question.gold]
    reached = partial(_reached, needs=question.needs, hits=hits)
    first = documents[:top]
    lines = score_lines(question, first) if question.gold else None
    return QuestionResult(
        id=question.id,
        kind=question.kind,
        lang=question.lang,
        has_gold=bool(question.gold),
        returned=len(documents),
        ranks=_ranks(question.needs, hits),
        note_rank=reached(_note_ranks(documents, chunks_per_note)),
        characters=reached([*accumulate(len(document.page_content) for document in documents)]),
        line_precision=lines.precision if lines else None,
        line_recall=lines.recall if lines else None,
        distinct_notes=len({_note_of(document, index) for index, document in enumerate(first)}) if lines else None,
        leaked=any(is_leak(document, question.labels, permissions or {}) for document in documents),
        degraded=any(document.metadata.get("degraded") for document in documents),
    )


def _ranks(needs: str, hits: Sequence[Sequence[int]]) -> tuple[int | None, ...]:
    """Return for each need the rank of the first chunk that holds it; ``any`` of several spans is one need."""
    firsts = [min(found) + 1 if found else None for found in hits]
    if needs == "all" or not firsts:
        return tuple(firsts)
    return (min((rank for rank in firsts if rank is not None), default=None),)


def _reached(costs: Sequence[int | None], *, needs: str, hits: Sequence[Sequence[int]]) -> int | None:
    """Return the least cost at which the spans found by ``hits`` meet the need; None if they never do.

    Args:
        costs: What it takes to come to each chunk; None for one that is never come to.
        needs: ``any`` or ``all``.
        hits: For each gold span, the indices of the chunks that hold it.
    """
    firsts = [min((cost for index in found if (cost := costs[index]) is not None), default=None) for found in hits]
    known = [cost for cost in firsts if cost is not None]
    if needs == "all" and len(known) < len(firsts):
        return None
    return (max if needs == "all" else min)(known, default=None)


def _note_ranks(documents: Sequence[Document], chunks_per_note: int) -> list[int | None]:
    """Return for each chunk its note's rank by first appearance; None past the chunks that a note may show."""
    rank_of: dict[object, int] = {}
    shown: Counter[object] = Counter()
    ranks: list[int | None] = []
    for index, document in enumerate(documents):
        note = _note_of(document, index)
        rank = rank_of.setdefault(note, len(rank_of) + 1)
        shown[note] += 1
        ranks.append(rank if shown[note] <= chunks_per_note else None)
    return ranks


def _note_of(document: Document, index: int) -> object:
    """Return what tells a chunk's note from others; a chunk without a source is a note of its own."""
    source = document.metadata.get("source")
    return index if source is None else str(source)
