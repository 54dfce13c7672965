from __future__ import annotations

import random
from collections.abc import Sequence
from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from obsirag.retrievers import fuse_by_document


def chunk(source: str, number: int = 0, **metadata: object) -> Document:
    return Document(
        f"text {number} of {source}",
        id=f"{source}#{number}",
        metadata={"source": source, "chunk_id": f"{source}#{number}", **metadata},
    )


def fused(rankings: Sequence[Sequence[Document]], **options: object) -> list[tuple[str, float]]:
    documents = fuse_by_document(rankings, chunks_per_document=1, **options)  # type: ignore[arg-type]
    return [(document.metadata["source"], round(document.metadata["fusion_score"], 6)) for document in documents]


def test_a_document_counts_once_in_each_ranking() -> None:
    vector = [chunk("A"), chunk("B", 1), chunk("B", 2), chunk("B", 3)]
    assert fused([vector, [chunk("A"), chunk("C")]]) == [("A", 0.032787), ("B", 0.016129), ("C", 0.016129)]


def test_weights_count() -> None:
    assert fused([[chunk("A")], [chunk("B")]], weights=[0.9, 0.1]) == [("A", 0.014754), ("B", 0.001639)]
    assert fused([[chunk("B")], [chunk("A")]], weights=[0.1, 0.9]) == [("A", 0.014754), ("B", 0.001639)]


def test_weight_zero_leaves_a_ranking_out() -> None:
    assert fused([[chunk("A")], [chunk("B")]], weights=[1, 0]) == [("A", 0.016393)]


@pytest.mark.parametrize(
    "options",
    [
        {"weights": [1.0]},
        {"weights": [1.0, 1.0, 1.0]},
        {"weights": [1.0, -1.0]},
        {"weights": [1.0, float("nan")]},
        {"k": -1},
        {"chunks_per_document": 0},
        {"limit": -1},
    ],
)
def test_numbers_out_of_range_are_errors(options: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        fuse_by_document([[chunk("A")], [chunk("B")]], **options)  # type: ignore[arg-type]


def test_a_chunk_found_twice_comes_once_whatever_its_id() -> None:
    one = Document("x", id="v_0", metadata={"source": "n.md", "chunk_id": "n.md#3"})
    other = Document("x", id="3", metadata={"source": "n.md", "chunk_id": "n.md#3"})
    (document,) = fuse_by_document([[one], [other]])
    assert document.metadata["fusion_score"] == pytest.approx(2 / 61)
    assert document.metadata["matched_chunk_ids"] == ["n.md#3"]


def test_a_document_comes_with_its_best_chunks_in_a_row() -> None:
    ranking = [chunk("A", 1), chunk("B", 1), chunk("A", 2), chunk("A", 3), chunk("A", 4)]
    documents = fuse_by_document([ranking])
    assert [document.id for document in documents] == ["A#1", "A#2", "A#3", "B#1"]
    assert documents[0].metadata["matched_chunk_ids"] == ["A#1", "A#2", "A#3", "A#4"]


def test_limit_counts_documents() -> None:
    ranking = [chunk("A", 1), chunk("A", 2), chunk("B"), chunk("C")]
    assert [document.id for document in fuse_by_document([ranking], limit=2)] == ["A#1", "A#2", "B#0"]
    assert fuse_by_document([ranking], limit=0) == []


def test_the_documents_given_are_left_alone() -> None:
    given_chunk = chunk("A")
    (document,) = fuse_by_document([[given_chunk]])
    assert "fusion_score" not in given_chunk.metadata
    assert document is not given_chunk


def test_nothing_gives_nothing() -> None:
    assert fuse_by_document([]) == fuse_by_document([[], []]) == []


def test_a_chunk_without_source_is_a_document_of_its_own() -> None:
    assert len(fuse_by_document([[Document("x"), Document("y"), Document("x")]])) == 2


rankings = st.lists(
    st.lists(
        st.builds(chunk, st.sampled_from("ABCDE"), st.integers(0, 4), score=st.sampled_from([0.1, 0.5])), max_size=12
    ),
    max_size=4,
)


@given(rankings, st.integers(0, 100), st.integers(1, 4), st.randoms(use_true_random=False))
def test_fusion_law(given_rankings: list[list[Document]], k: int, most: int, chance: random.Random) -> None:
    weights = [chance.choice([0.5, 1.0, 2.0]) for _ in given_rankings]
    documents = fuse_by_document(given_rankings, weights=weights, k=k + 1, chunks_per_document=most)
    order = list(range(len(given_rankings)))
    chance.shuffle(order)
    again = fuse_by_document(
        [given_rankings[each] for each in order],
        weights=[weights[each] for each in order],
        k=k + 1,
        chunks_per_document=most,
    )
    assert documents == again

    sources = list(dict.fromkeys(document.metadata["source"] for document in documents))
    expected: dict[str, list[float]] = {}
    for ranking, weight in zip(given_rankings, weights, strict=True):
        for rank, source in enumerate(dict.fromkeys(each.metadata["source"] for each in ranking), start=1):
            expected.setdefault(source, []).append(weight / (k + 1 + rank))
    scores = {source: fsum(shares) for source, shares in expected.items()}
    assert sources == sorted(scores, key=lambda source: (-scores[source], source))
    for source in sources:
        own = [document for document in documents if document.metadata["source"] == source]
        start = documents.index(own[0])
        assert documents[start : start + len(own)] == own
        assert len(own) <= most
        assert len({document.id for document in own}) == len(own)
        assert {document.metadata["fusion_score"] for document in own} == {scores[source]}
