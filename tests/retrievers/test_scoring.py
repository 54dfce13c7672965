from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from obsirag.errors import ServiceError
from obsirag.retrievers import ScoringReranker


class Given(ScoringReranker):
    scores: Any

    def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        return self.scores


def documents(count: int) -> list[Document]:
    return [Document(id=f"c{number}", page_content=f"text {number}") for number in range(count)]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_documents_come_by_their_scores_equal_ones_as_they_were(scores: list[float]) -> None:
    given_documents = documents(len(scores))
    ordered = Given(scores=scores).compress_documents(given_documents, "q")
    assert asyncio.run(Given(scores=scores).acompress_documents(given_documents, "q")) == ordered
    expected = sorted(range(len(scores)), key=lambda number: (-scores[number], number))
    assert [each.id for each in ordered] == [f"c{number}" for number in expected]
    assert [each.metadata["rerank_score"] for each in ordered] == [scores[number] for number in expected]
    assert given_documents == documents(len(scores))


@pytest.mark.parametrize("scores", [[1.0], [1.0, 2.0, 3.0], [1.0, float("nan")], [float("inf"), 1.0], []])
def test_anything_but_a_number_for_each_is_an_error(scores: list[float]) -> None:
    with pytest.raises(ServiceError, match="score"):
        Given(scores=scores).compress_documents(documents(2), "q")


async def test_what_has_no_utf_8_reaches_no_model() -> None:
    class Strict(ScoringReranker):
        def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
            return [float(len(text.encode()) + len(query.encode())) for text in texts]

    given_documents = [Document("half \ud800 a pair")]
    assert Strict().compress_documents(given_documents, "\udfff")[0].page_content == "half \ud800 a pair"
    assert (await Strict().acompress_documents(given_documents, "\udfff"))[0].metadata["rerank_score"] > 0
