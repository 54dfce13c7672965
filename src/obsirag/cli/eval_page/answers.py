"""What is kept of questions whose answers were not right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from langchain_core.documents import Document

from obsirag.cli.eval_page.places import Places, holds_gold, shortened
from obsirag.cli.eval_page.searching import search_of
from obsirag.cli.eval_page.shape import Failure, Round, Trace
from obsirag.evaluation import AnswerReport, AnswerResult, Question
from obsirag.graphs import RunRecorder

if TYPE_CHECKING:
    from obsirag.graphs.tracing.shape import Round as RecordedRound
    from obsirag.vault import Vault

__all__ = ["AnswerFailures"]

_ANSWER = 6000
_QUOTE = 300
_PLAN = ("standalone", "queries", "intent", "aspects")


class AnswerFailures:
    """Keeps what came of the questions that failed; to be given as ``on_result``, and its recorder as an observer.

    Of a run's record only the ranks and the verdicts are kept: whole, it holds each hit's text several times.

    Args:
        vault: The vault.
    """

    def __init__(self, vault: Vault) -> None:
        self.kept: dict[str, Failure] = {}
        self.recorder = RunRecorder()
        self._places = Places(vault)

    def __call__(self, question: Question, result: AnswerResult) -> None:
        """Keep what came of a question, if it failed."""
        if failings := AnswerReport(()).failings(result):
            gold = (each["number"] for each in result.citations if _is_gold(each, question))
            self.kept[question.id] = Failure(
                question=question,
                result=_shortened(result),
                failings=failings,
                gold=self._places.gold(question),
                gold_citations=frozenset(gold),
                trace=self._trace(question),
            )

    def _trace(self, question: Question) -> Trace:
        record = self.recorder.record()
        plan = {name: record["plan"][name] for name in _PLAN if record["plan"].get(name)}
        return Trace(
            rounds=tuple(self._rounds(record["rounds"], question)),
            # What only says the question again says nothing.
            plan={name: value for name, value in plan.items() if value not in (question.question, [question.question])},
            nodes=tuple((each["node"], each.get("seconds", 0.0)) for each in record["steps"]),
            error=record["error"] or "",
        )

    def _rounds(self, rounds: list[RecordedRound], question: Question) -> Iterator[Round]:
        for told in rounds:
            yield Round(
                searches=tuple(
                    search_of(
                        *(each["name"], each["query"] or "", each["hits"], question, self._places),
                        failed=each["degraded"],
                        has_fates=True,
                    )
                    for each in told["searches"]
                ),
                stages=tuple(
                    (each["node"], len(each["passages"]), any(_is_gold(hit, question) for hit in each["passages"]))
                    for each in told["stages"]
                ),
                verdict=told["verdict"] or {},
            )


def _is_gold(place: Mapping[str, Any], question: Question) -> bool:
    return holds_gold(Document("", metadata=dict(place)), question.gold)


def _shortened(result: AnswerResult) -> AnswerResult:
    citations = tuple({**each, "quote": shortened(each["quote"], _QUOTE)} for each in result.citations)
    return replace(result, answer=shortened(result.answer, _ANSWER), citations=citations)  # type: ignore[arg-type]
