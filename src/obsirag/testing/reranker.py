"""What obsirag needs of a reranker."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import cached_property, partial
from math import isfinite
from typing import Any, ClassVar

from langchain_core.documents import BaseDocumentCompressor, Document

from obsirag.testing.checks import Capability, check, expect
from obsirag.testing.conformance import Conformance
from obsirag.testing.hard_texts import HARD_QUERIES, HARD_TEXTS, LONG_TEXT

__all__ = ["RerankerConformance"]

QUERY = "How is the player's progress saved?"
_TEXTS = [
    "Bread needs flour, water, salt, yeast and a hot oven.",
    "Penguins breed on the ice of Antarctica in winter.",
    "The save system saves the player's progress: how it is saved is told in the settings.",
    "量子计算机利用叠加态进行运算。",
]
_HELPS = 2
_SCORES = ("rerank_score", "relevance_score")
_NO_ORDER = "the reranker is taken for broken, and the order stays as it was without it"


def _scores(documents: Sequence[Document]) -> list[Any]:
    names = (next((name for name in _SCORES if name in each.metadata), None) for each in documents)
    return [each.metadata[name] for each, name in zip(documents, names, strict=True) if name]


SCORES = Capability(
    'scores (`metadata["rerank_score"]`)',
    "notes cannot be graded by it (`nodes: {grade: by-reranker}`), and traces show its order only",
    lambda kit: bool(_scores(kit.reranked(QUERY, kit.passages()))),
)
ALL = Capability(
    "all passages back",
    "those that it leaves out follow in the order they had",
    lambda kit: len(kit.reranked(QUERY, kit.passages())) == len(_TEXTS),
)
JUDGEMENT = Capability(
    "a judgement",
    "the order is as good as without it",
    lambda kit: all(
        kit.reranked(QUERY, given)[0].id == str(_HELPS) for given in (kit.passages(), kit.passages()[::-1])
    ),
)


class RerankerConformance(Conformance):
    """Checks of a LangChain document compressor as a reranker; a subclass has the method :meth:`make`."""

    kind: ClassVar[str] = "reranker"

    def make(self) -> BaseDocumentCompressor:
        """Return the reranker."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `make(self)`")

    @cached_property
    def part(self) -> Any:
        """The reranker."""
        return self.make()

    def reach(self) -> None:
        """Rerank something."""
        self.part.compress_documents(self.passages(), QUERY)

    @check(harm=_NO_ORDER)
    def test_what_comes_back_is_what_was_given(self) -> None:
        self.reranked(QUERY, self.passages())

    @check(harm=_NO_ORDER)
    def test_a_single_passage_comes_back(self) -> None:
        came = self.reranked(QUERY, self.passages()[_HELPS : _HELPS + 1])
        expect(len(came) == 1, "the one passage that was given", came)

    @check(harm="a passage's text and metadata in the answer are not those of the note")
    def test_what_is_given_stays_as_it_is(self) -> None:
        given = self.passages()
        before = deepcopy(given)
        list(self.part.compress_documents(given, QUERY))
        expect(given == before, "the passages as they were, in the order they had", given)

    @check(harm="such notes are never put in order")
    def test_hard_texts_are_taken(self) -> None:
        given = self.passages([*HARD_TEXTS.values(), LONG_TEXT])
        for query in HARD_QUERIES:
            self.reranked(query, given)

    @check(harm="a passage that came twice under two ids, as after a rename, is lost")
    def test_equal_texts_are_kept_apart(self) -> None:
        came = self.reranked(QUERY, self.passages([_TEXTS[_HELPS]] * 2))
        expect(
            len({each.id for each in came}) == len(came), "each passage under its own id", [each.id for each in came]
        )

    @check(harm="asynchronous questions are answered from another order")
    def test_asynchronous_calls_give_the_passages_too(self) -> None:
        given = self.passages()

        async def ask() -> Sequence[Document]:
            return list(await self.part.acompress_documents(given, QUERY))

        _check_given(self.run_async(ask), given)

    @check(harm="two people who ask at the same time get errors, or each other's passages")
    def test_several_threads_may_ask(self) -> None:
        mine = [[each.model_copy(update={"id": f"{each.id} {n}"}) for each in self.passages()] for n in range(4)]
        calls = [partial(self.part.compress_documents, given, QUERY) for given in mine]
        for given, came in zip(mine, self.side_by_side(calls), strict=True):
            _check_given(came, given)

    @check(of=SCORES, harm="notes that don't help are taken for those that do")
    def test_scores_fall_from_passage_to_passage(self) -> None:
        came = self.reranked(QUERY, self.passages())
        scores = _scores(came)
        expect(len(scores) == len(came), "a score for each passage", scores)
        finite = all(isinstance(each, int | float) and isfinite(each) for each in scores)
        expect(finite, "scores that are finite numbers", scores)
        expect(scores == sorted(scores, reverse=True), "the highest score first", scores)

    @check(of=ALL, harm="passages that help get lost")
    def test_no_passage_is_left_out(self) -> None:
        given = self.passages([f"{_TEXTS[_HELPS]} ({number})" for number in range(30)])
        came = self.reranked(QUERY, given)
        expect(len(came) == len(given), f"all {len(given)} passages", len(came))

    @check(of=JUDGEMENT, harm="the order depends on chance")
    def test_what_helps_comes_first_whatever_the_order(self) -> None:
        for given in (self.passages(), self.passages()[::-1], self.passages()[1:]):
            came = self.reranked(QUERY, given)
            expect(came[0].id == str(_HELPS), f"{_TEXTS[_HELPS]!r} first", came[0].page_content)

    def reranked(self, query: str, given: Sequence[Document]) -> list[Document]:
        """Return what the reranker gives, of which it is known that it was given and comes once."""
        came = list(self.part.compress_documents(list(given), query))
        _check_given(came, given)
        return came

    @staticmethod
    def passages(texts: Sequence[str] = _TEXTS) -> list[Document]:
        """Return passages as obsirag gives them."""
        return [
            Document(
                id=str(number),
                page_content=text,
                metadata={
                    "source": f"note {number}.md",
                    "chunk_id": str(number),
                    "title": f"note {number}",
                    "tags": ["a"],
                },
            )
            for number, text in enumerate(texts)
        ]


def _check_given(came: Sequence[Document], given: Sequence[Document]) -> None:
    known = {each.id: each for each in given}
    expect(all(isinstance(each, Document) for each in came), "documents", [type(each).__name__ for each in came])
    expect(came, "at least one passage back", "none")
    unknown = [str(each.page_content)[:60] for each in came if each.id not in known]
    expect(not unknown, "passages that were given, under their ids", f"unknown ones: {unknown}")
    ids = [each.id for each in came]
    expect(len(set(ids)) == len(ids), "each passage once", ids)
    names = [each.metadata.get("chunk_id") for each in came]
    expect(names == [known[each].metadata["chunk_id"] for each in ids], "their `chunk_id` as it was", names)
