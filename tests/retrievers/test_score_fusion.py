from __future__ import annotations

import random
from collections.abc import Sequence
from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from obsirag.retrievers import fuse_scores_by_document


def hit(source: str, number: int, score: float | None) -> Document:
    metadata: dict[str, object] = {"source": source, "chunk_id": f"{source}#{number}"}
    return Document(f"text {number} of {source}", metadata=metadata | ({} if score is None else {"score": score}))


def ids(documents: Sequence[Document]) -> list[str]:
    return [document.metadata["chunk_id"] for document in documents]


def test_a_clear_lead_counts_more_than_a_narrow_one() -> None:
    meaning = [hit("A", 0, 0.90), hit("B", 0, 0.899), hit("C", 0, 0.80)]
    words = [hit("B", 0, 20.0), hit("C", 0, 9.0), hit("A", 0, 8.0)]
    found = fuse_scores_by_document([meaning, words])
    assert ids(found) == ["B#0", "A#0", "C#0"]
    assert found[0].metadata["fusion_score"] == pytest.approx(0.995)


def test_what_one_search_alone_finds_first_is_kept_near_the_top() -> None:
    words = [hit("ABC-200", 0, 12.0)]
    meaning = [hit(f"note {number}", 0, 0.9 - number / 100) for number in range(20)]
    assert "ABC-200#0" in ids(fuse_scores_by_document([words, meaning]))[:2]


def test_chunks_of_documents_stand_by_their_own_scores() -> None:
    ranking = [
        hit("A", 0, 5.0),
        hit("B", 0, 4.0),
        hit("A", 1, 3.0),
        hit("C", 0, 2.0),
        hit("A", 2, 1.5),
        hit("A", 3, 1.0),
    ]
    found = fuse_scores_by_document([ranking], chunks_per_document=2, limit=2)
    assert ids(found) == ["A#0", "B#0", "A#1"]
    assert found[0].metadata["matched_chunk_ids"] == ["A#0", "A#1", "A#2", "A#3"]


@pytest.mark.parametrize("score", [None, nan, "high"])
def test_a_ranking_without_scores_is_taken_by_its_ranks(score: object) -> None:
    web = [hit("x", 0, 1.0), hit("y", 0, 1.0)]
    web[1].metadata["score"] = score
    found = fuse_scores_by_document([web])
    assert [each.metadata["fusion_score"] for each in found] == [1.0, 0.5]


@pytest.mark.parametrize("kind", [float, np.float32, np.float64])
def test_numbers_of_all_kinds_are_scores(kind: type) -> None:
    ranking = [Document("text", id=str(score), metadata={"score": kind(score)}) for score in (9, 8, 1)]
    scores = [each.metadata["fusion_score"] for each in fuse_scores_by_document([ranking])]
    assert scores == pytest.approx([1, 7 / 8, 0])
    assert {type(score) for score in scores} == {float}


def test_of_copies_the_one_that_stands_highest_is_shown() -> None:
    low, high = hit("A", 0, 1.0), hit("A", 0, 9.0)
    low.metadata["from"], high.metadata["from"] = "words", "meaning"
    rankings = [[hit("B", 0, 3.0), low, hit("C", 0, 0.0)], [high, hit("B", 0, 1.0)]]
    for each in (rankings, rankings[::-1]):
        found = fuse_scores_by_document(each)
        assert [chunk.metadata["from"] for chunk in found if chunk.metadata["source"] == "A"] == ["meaning"]


def test_a_chunk_that_a_ranking_holds_twice_counts_with_its_best_score() -> None:
    ranking = [hit("B", 0, 4.0), hit("A", 0, 1.0), hit("A", 0, 3.0), hit("C", 0, 0.0)]
    scores = {chunk.metadata["source"]: chunk.metadata["fusion_score"] for chunk in fuse_scores_by_document([ranking])}
    assert scores == {"B": 1.0, "A": 0.75, "C": 0.0}


def test_weight_zero_leaves_a_ranking_out() -> None:
    assert ids(fuse_scores_by_document([[hit("A", 0, 1)], [hit("B", 0, 1)]], weights=[0, 2])) == ["B#0"]
    assert fuse_scores_by_document([[hit("A", 0, 1)]], weights=[0]) == []


@pytest.mark.parametrize("options", [{"weights": [1]}, {"weights": [-1, 1]}, {"limit": -1}, {"chunks_per_document": 0}])
def test_numbers_out_of_range_are_errors(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(options)).removesuffix("s")):
        fuse_scores_by_document([[], []], **options)  # type: ignore[arg-type]


def test_the_documents_given_are_left_alone() -> None:
    given_ones = [hit("A", 0, 1.0)]
    fuse_scores_by_document([given_ones])[0].metadata["x"] = 1
    assert given_ones == [hit("A", 0, 1.0)]


hits = st.builds(hit, st.sampled_from("ABCDE"), st.integers(0, 4), st.sampled_from([-1.0, 0.0, 0.25, 0.5, 1.0, 7.5]))


@given(
    st.lists(st.lists(hits, max_size=8), max_size=4),
    st.integers(1, 4),
    st.integers(0, 6),
    st.randoms(use_true_random=False),
)
def test_fusion_law(rankings: list[list[Document]], most: int, limit: int, chance: random.Random) -> None:
    weights = [chance.choice([0.5, 1.0, 2.0]) for _ in rankings]
    found = fuse_scores_by_document(rankings, weights=weights, chunks_per_document=most, limit=limit)
    scores = [each.metadata["fusion_score"] for each in found]
    assert scores == sorted(scores, reverse=True)
    assert all(-1e-9 <= score <= 1 + 1e-9 for score in scores)
    sources = [each.metadata["source"] for each in found]
    assert len(set(sources)) <= limit
    assert all(sources.count(source) <= most for source in sources)
    assert len(set(ids(found))) == len(found)
    # Whatever the order of the rankings and of equal scores, the result is the same.
    pairs = list(zip(rankings, weights, strict=True))
    chance.shuffle(pairs)
    shuffled = [sorted(ranking, key=lambda each: (-each.metadata["score"], chance.random())) for ranking, _ in pairs]
    again = fuse_scores_by_document(
        shuffled, weights=[weight for _, weight in pairs], chunks_per_document=most, limit=limit
    )
    assert again == found
