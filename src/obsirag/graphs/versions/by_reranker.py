"""The version ``by-reranker`` of ``grade``: the reranker's scores say how relevant the notes are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from langchain_core.documents import Document
from pydantic import Field

from obsirag.config import ConfigModel
from obsirag.errors import ConfigError
from obsirag.graphs.aspects import by_aspect, has_aspects
from obsirag.graphs.judging import Judging, judging_of
from obsirag.graphs.state import RagState
from obsirag.graphs.versions.calibration import Logistic, read_calibration
from obsirag.plugins import hookimpl
from obsirag.plugins.no_reranker import NoReranker
from obsirag.retrievers import Reranking, SearchResult
from obsirag.retrievers.grouping import source_of

if TYPE_CHECKING:
    from obsirag.graphs.parts import RagParts

__all__ = ["ByRerankerOptions", "GradeByReranker", "nodes"]

_PLACE = "nodes.grade (by-reranker)"
_SCORE = "rerank_score"
_MOST = 50


class ByRerankerOptions(ConfigModel):
    """What can be set for ``by-reranker``: how its scores are read."""

    scale: Literal["share", "logit"] = Field(
        default="share", description="What scores are without `calibration`: 0 to 1, or any numbers, 0 in the middle."
    )
    calibration: str | None = Field(
        default=None, description="A JSON file of `[score, label]`, to which a curve from scores to 0..1 is fitted."
    )


@dataclass(frozen=True, slots=True)
class GradeByReranker:
    """Judge the notes that were found by the reranker's scores; where it fails, by the question's words.

    The reranker is asked anew: what it gave before was for the question in the words in which it was searched for.

    Args:
        judging: Says what follows.
        reranking: Asks the reranker.
        relevance: What a score means, 0 to 1; raises a ValueError for what means nothing.
    """

    judging: Judging
    reranking: Reranking
    relevance: Callable[[float], float]

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with the verdict and with the passages that remain.

        Raises:
            ConfigError: If the reranker gives no scores, or others than the options say.
        """
        return self._update(state, [self.reranking.rerank(*asked) for asked in _asked(state)])

    async def call_async(self, state: RagState) -> dict[str, Any]:
        """Do the same without blocking."""
        return self._update(state, [await self.reranking.arerank(*asked) for asked in _asked(state)])

    def _update(self, state: RagState, found: Sequence[SearchResult]) -> dict[str, Any]:
        failed = sorted({part for each in found for part in each.degraded})
        scores = {} if failed else self._scores([document for each in found for document in each.documents])
        return {**self.judging.update(state, scores), "degraded": failed}

    def _scores(self, judged: Sequence[Document]) -> Mapping[str, float]:
        """Return the best score of each note."""
        scores: dict[str, float] = {}
        for each in judged:
            if _SCORE in each.metadata:
                relevance = self._relevance(each.metadata[_SCORE])
                scores[source_of(each)] = max(relevance, scores.get(source_of(each), 0.0))
        if judged and not scores:
            raise ConfigError("the reranker gives an order, but no scores: choose another one, or leave the node as is")
        return scores

    def _relevance(self, score: float) -> float:
        try:
            return self.relevance(score)
        except ValueError as error:
            raise ConfigError(str(error)) from None


def _asked(state: RagState) -> Iterator[tuple[str, SearchResult]]:
    """Yield each question, the aspects of one about several things, with the passages to be judged for it."""
    if not has_aspects(state):
        if state["evidence"]:
            yield state["standalone"], SearchResult(_unscored(state["evidence"]))
        return
    passages = by_aspect(state["evidence"], len(state["aspects"]))
    for number, aspect in enumerate(state["aspects"], 1):
        if passages[number]:
            yield aspect["text"], SearchResult(_unscored(passages[number]))


def _unscored(passages: Sequence[Document]) -> list[Document]:
    # A score that stands there already is for other words, or is the note's own field.
    return [
        each.model_copy(update={"metadata": {name: each.metadata[name] for name in each.metadata if name != _SCORE}})
        for each in passages
    ]


def _share(score: float) -> float:
    if not 0 <= score <= 1:
        raise ValueError(f"the reranker gave the score {score:g}, not 0 to 1: set `scale: logit`, or a `calibration`")
    return score


def _make_grade(options: dict[str, Any], parts: RagParts) -> GradeByReranker:
    checked = ByRerankerOptions.parse(options, place=_PLACE)
    if parts.reranker is None or isinstance(parts.reranker, NoReranker):
        raise ConfigError(f"{_PLACE}: there is no reranker to judge by: set `reranker`, or leave the node as it is")
    relevance: Callable[[float], float] = _share if checked.scale == "share" else Logistic()
    if checked.calibration is not None:
        try:
            relevance = read_calibration(Path(checked.calibration).expanduser())
        except ConfigError as error:
            raise ConfigError(f"{_PLACE}: {error}") from error
    reranking = Reranking(
        reranker=parts.reranker,
        candidates=_MOST,
        min_candidates=1,
        max_characters=parts.grading.max_characters,
        timeout=parts.retrieval.rerank.timeout,
    )
    return GradeByReranker(judging_of(parts), reranking, relevance)


@hookimpl
def nodes() -> dict[str, Callable[[dict[str, Any], RagParts], GradeByReranker]]:
    """Have a version of ``grade``."""
    return {"grade": _make_grade}
