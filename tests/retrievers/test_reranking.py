from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import BaseDocumentCompressor, Document
from pydantic import Field

from obsirag.errors import ConfigError, MissingExtraError
from obsirag.retrievers import Reranking, SearchResult


class Ordering(BaseDocumentCompressor):
    """Gives back what a function makes of what it is given."""

    make: Callable[[Sequence[Document]], Any]
    seen: list[Any] = Field(default_factory=list)

    def compress_documents(self, documents: Sequence[Document], query: str, callbacks: Any = None) -> Any:
        self.seen.append((query, [each.page_content for each in documents]))
        return self.make(documents)


def hits(*sources: str) -> SearchResult:
    return SearchResult(
        [
            Document(
                id=f"c{number}",
                page_content=f"passage {number} of {source}. " * 40,
                metadata={"source": source, "chunk_id": f"c{number}", "tags": ["t"], "score": 1 / (number + 1)},
            )
            for number, source in enumerate(sources)
        ]
    )


def rerank(make: Callable[[Any], Any], found: SearchResult, **options: Any) -> SearchResult:
    """Rerank synchronously and asynchronously, and return what both gave."""
    stage = Reranking(reranker=Ordering(make=make), **{"min_candidates": 1, **options})
    result = stage.rerank("q", found)
    assert asyncio.run(stage.arerank("q", found)) == result
    return result


def ids(result: SearchResult) -> list[str | None]:
    return [document.id for document in result.documents]


@given(
    st.lists(st.sampled_from("abcdef"), min_size=1, max_size=10),
    st.integers(1, 7),
    st.randoms(use_true_random=False),
    st.integers(1, 10),
)
def test_nothing_is_lost_changed_or_doubled_whatever_the_order(
    sources: list[str], candidates: int, random: Any, kept: int
) -> None:
    found = hits(*sources)
    shuffled = random.sample(found.documents, len(found.documents))
    place = {document.id: number for number, document in enumerate(shuffled)}
    stage = Reranking(
        reranker=Ordering(make=lambda given: sorted(given, key=lambda each: place[each.id])[:kept]),
        candidates=candidates,
        min_candidates=1,
    )
    result = stage.rerank("q", found)
    assert result.degraded == ()
    assert sorted(ids(result), key=str) == sorted(ids(found), key=str)
    by_id = {document.id: document for document in found.documents}
    assert all(document == by_id[document.id] for document in result.documents)
    first = list(dict.fromkeys(sources))[:candidates]
    judged = [document.id for document in shuffled if document.metadata["source"] in first][:kept]
    assert ids(result)[: len(judged)] == judged
    left = [document.id for document in found.documents if document.id not in judged]
    assert ids(result)[len(judged) :] == left


@pytest.mark.parametrize("name", ["rerank_score", "relevance_score"])
def test_scores_are_taken_over(name: str) -> None:
    def score(documents: Sequence[Document]) -> list[Document]:
        # As many of LangChain's do: new documents, without an id.
        return [
            Document("changed", metadata={**each.metadata, name: number}) for number, each in enumerate(documents[::-1])
        ]

    found = hits("a", "b", "c")
    result = rerank(score, found)
    assert ids(result) == ["c2", "c1", "c0"]
    assert [each.metadata["rerank_score"] for each in result.documents] == [0, 1, 2]
    assert [each.page_content for each in result.documents] == [each.page_content for each in found.documents[::-1]]
    assert all("rerank_score" not in each.metadata for each in found.documents)


def test_what_it_reads_is_bounded() -> None:
    reranker = Ordering(make=lambda documents: documents)
    Reranking(reranker=reranker, max_characters=100).rerank("query", hits("a", "b", "c"))
    [(query, texts)] = reranker.seen
    assert query == "query"
    assert all(50 <= len(text) <= 100 and text.endswith(".") for text in texts)


def test_what_it_does_to_its_documents_stays_with_it() -> None:
    def spoil(documents: Sequence[Document]) -> Sequence[Document]:
        for each in documents:
            each.metadata["tags"].append("spoilt")
            each.metadata["source"] = "elsewhere"
            each.page_content = ""
        return documents

    found = hits("a", "b", "c")
    assert rerank(spoil, found) == hits("a", "b", "c") == found


@pytest.mark.parametrize(("sources", "asked"), [("ab", False), ("aab", False), ("abc", True)])
def test_too_few_documents_are_left_alone(sources: str, asked: bool) -> None:
    reranker = Ordering(make=lambda documents: documents[::-1])
    result = Reranking(reranker=reranker, min_candidates=3).rerank("q", hits(*sources))
    assert bool(reranker.seen) is asked
    assert (result == hits(*sources)) is not asked


def fail(documents: Sequence[Document]) -> Any:
    raise ConnectionError(documents[0].page_content)


def doubled(documents: Sequence[Document]) -> Any:
    return [*documents, documents[0]]


@pytest.mark.parametrize(
    "make",
    [
        fail,
        doubled,
        lambda documents: [],
        lambda documents: None,
        lambda documents: 7,
        lambda documents: ["a", "b", "c"],
        lambda documents: [*documents, Document("of nobody's", metadata={"chunk_id": "x"})],
        lambda documents: [
            Document("", metadata={**each.metadata, "rerank_score": float("nan")}) for each in documents
        ],
        lambda documents: [Document("", metadata={**each.metadata, "relevance_score": "high"}) for each in documents],
    ],
)
def test_one_that_fails_or_is_odd_leaves_the_fused_order_and_says_so(
    make: Any, caplog: pytest.LogCaptureFixture
) -> None:
    found = hits("a", "b", "c")._replace(degraded=("embeddings",))
    result = rerank(make, found)
    assert result.documents == found.documents
    assert result.degraded == ("embeddings", "reranker")
    assert [record.levelno for record in caplog.records] == [logging.WARNING] * 2
    assert "passage" not in caplog.text.replace("back a passage", "").replace("back no passage", "")


async def test_one_that_is_slow_leaves_the_fused_order_and_says_so() -> None:
    release = Event()

    def wait(documents: Sequence[Document]) -> Sequence[Document]:
        release.wait(60)
        return documents[::-1]

    stage = Reranking(reranker=Ordering(make=wait), timeout=0.01)
    found = hits("a", "b", "c")
    assert stage.rerank("q", found) == await stage.arerank("q", found) == (found.documents, ("reranker",))
    release.set()


@pytest.mark.parametrize("error", [ConfigError("wrong"), MissingExtraError("it", "extra")])
async def test_what_stays_wrong_is_an_error(error: Exception) -> None:
    def refuse(documents: Sequence[Document]) -> Any:
        raise error

    stage = Reranking(reranker=Ordering(make=refuse))
    with pytest.raises(type(error)):
        stage.rerank("q", hits("a", "b", "c"))
    with pytest.raises(type(error)):
        await stage.arerank("q", hits("a", "b", "c"))


@pytest.mark.parametrize("stated", [99, "high", None])
def test_a_score_that_stands_in_the_note_is_not_the_rerankers(stated: object) -> None:
    found = hits("a", "b")
    for document in found.documents:
        document.metadata["relevance_score"] = stated
    result = rerank(lambda documents: list(documents)[::-1], found)
    assert [each.metadata["source"] for each in result.documents] == ["b", "a"]
    assert result.degraded == ()
    assert all("rerank_score" not in each.metadata for each in result.documents)
    assert all(each.metadata["relevance_score"] == stated for each in result.documents)
