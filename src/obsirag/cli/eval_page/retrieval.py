"""What is kept of questions whose answers' places were not found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from obsirag.cli.eval_page.places import Places
from obsirag.cli.eval_page.searching import search_of
from obsirag.cli.eval_page.shape import Failure, Round, Search, Trace
from obsirag.evaluation import Question, QuestionResult, RetrievalReport, search_text
from obsirag.retrievers.failures import SearchError

if TYPE_CHECKING:
    from langchain_core.documents import Document

    from obsirag.retrievers import StagedRetriever
    from obsirag.vault import Vault

__all__ = ["RetrievalFailures"]


class RetrievalFailures:
    """Keeps what came of the questions that failed; to be given as ``on_result``.

    For these each search is asked again on its own, so that the page can tell where gold was before the fusion.

    Args:
        retriever: What was asked.
        vault: Its vault.
        k: The ranks at which was measured.
    """

    def __init__(self, retriever: StagedRetriever, vault: Vault, k: Sequence[int]) -> None:
        self.kept: dict[str, Failure] = {}
        self._retriever = retriever
        self._places = Places(vault)
        self._report = RetrievalReport((), k=tuple(k))

    def __call__(self, question: Question, result: QuestionResult, documents: Sequence[Document]) -> None:
        """Keep what came of a question, if it failed."""
        failings = self._report.failings(result)
        if not failings:
            return
        found = search_of(
            *("result", "", [each.metadata for each in documents], question, self._places),
            texts=[" ".join(each.page_content.split()) for each in documents],
            first=max(self._report.k),
        )
        self.kept[question.id] = Failure(
            question=question,
            result=result,
            failings=failings,
            gold=self._places.gold(question),
            found=found,
            trace=Trace(rounds=(Round(searches=tuple(self._searches(question))),)),
        )

    def _searches(self, question: Question) -> Iterator[Search]:
        hybrid = self._retriever.hybrid
        query, limit = search_text(question), hybrid.candidates
        searches: list[tuple[str, float, Callable[..., list[Document]]]] = [
            ("keyword_search", hybrid.weights[1], hybrid.keywords.search)
        ]
        if hybrid.vectors is not None:
            searches.insert(0, ("vector_search", hybrid.weights[0], hybrid.vectors.search))
        for name, weight, search in searches:
            if not weight:
                continue
            failed: tuple[str, ...] = ()
            found: list[Document] = []
            try:
                found = search(query, labels=question.labels, limit=limit)
            except SearchError as error:
                failed = (error.part,)
            yield search_of(name, query, [each.metadata for each in found], question, self._places, failed=failed)
