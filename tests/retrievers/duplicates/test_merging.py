from __future__ import annotations

import json
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from obsirag.retrievers import merge_near_duplicates
from vector_worlds import WORLDS, all_cosines, made


def chunk(name: str, source: str | None = None, **metadata: object) -> Document:
    return Document(
        f"text of {name}", id=name, metadata={"source": source or f"{name}.md", "chunk_id": name, **metadata}
    )


def at(*degrees: float) -> list[list[float]]:
    """Return vectors at these angles: the cosine of 18 degrees is .951, that of 19 .946."""
    return [[float(np.cos(np.radians(each))), float(np.sin(np.radians(each)))] for each in degrees]


def merged(documents: list[Document], vectors: list[list[float]]) -> dict[str, list[object]]:
    return {str(each.id): each.metadata["merged_sources"] for each in merge_near_duplicates(documents, vectors)}


def test_the_best_stays_and_names_the_sources_of_the_others() -> None:
    documents = [chunk("A"), chunk("B"), chunk("C"), chunk("D")]
    assert merged(documents, at(0, 90, 5, 85)) == {"A": ["C.md"], "B": ["D.md"]}


def test_there_are_no_chains() -> None:
    # C is near to B, but B is merged into A, to which C isn't near.
    documents = [chunk("A"), chunk("B"), chunk("C")]
    assert merged(documents, at(0, 15, 30)) == {"A": ["B.md"], "C": []}
    assert merged([documents[1], documents[0], documents[2]], at(15, 0, 30)) == {"B": ["A.md", "C.md"]}


def test_one_near_to_several_is_merged_into_the_first() -> None:
    assert merged([chunk("A"), chunk("B"), chunk("C")], at(30, 0, 15)) == {"A": ["C.md"], "B": []}


def test_a_source_comes_once_and_its_own_not_at_all() -> None:
    documents = [chunk("a1", "a"), chunk("b1", "b"), chunk("a2", "a"), chunk("b2", "b"), chunk("c1", "c")]
    assert merged(documents, at(0, 1, 2, 3, 4)) == {"a1": ["b", "c"]}


def test_a_document_without_source_or_id_has_none_to_name() -> None:
    documents = [Document("x"), Document("y"), chunk("C")]
    (kept,) = merge_near_duplicates(documents, at(0, 1, 2))
    assert kept.metadata == {
        "merged_sources": ["C.md"],
        "merged_chunk_ids": [None, "C"],
        "merged_scores": [None, None],
    }


def test_scores_and_aspects_are_kept() -> None:
    documents = [
        chunk("A", score=0.9, aspects=["price"]),
        chunk("B", score=0.8),
        chunk("C", score=0.7, aspects=["date", "price"]),
        chunk("D", score=0.6, aspects=["place"]),
    ]
    first, other = merge_near_duplicates(documents, at(0, 1, 2, 90))
    assert first.metadata["score"] == 0.9
    assert first.metadata["merged_chunk_ids"] == ["B", "C"]
    assert first.metadata["merged_scores"] == [0.8, 0.7]
    assert first.metadata["aspects"] == ["price", "date"]
    assert other.metadata["aspects"] == ["place"]
    assert other.metadata["merged_chunk_ids"] == other.metadata["merged_scores"] == []


def test_what_was_merged_earlier_stays_listed() -> None:
    kept = merge_near_duplicates([chunk("A", score=0.4), chunk("B", score=0.3)], at(0, 1))
    assert merge_near_duplicates(kept, at(0)) == kept
    (again,) = merge_near_duplicates([chunk("C", score=0.5), *kept], at(0, 1))
    assert again.metadata["merged_sources"] == ["A.md", "B.md"]
    assert again.metadata["merged_chunk_ids"] == ["A", "B"]
    assert again.metadata["merged_scores"] == [0.4, 0.3]


def test_a_result_holds_no_vectors_and_can_be_stored() -> None:
    documents = merge_near_duplicates([chunk("A"), chunk("B"), chunk("C")], np.array(at(0, 1, 90), dtype=np.float32))
    assert all(type(document) is Document for document in documents)
    assert json.loads(json.dumps([document.metadata for document in documents])) == [
        document.metadata for document in documents
    ]


def test_nothing_gives_nothing() -> None:
    assert merge_near_duplicates([], []) == []
    assert merge_near_duplicates([], np.empty((0, 384))) == []


@pytest.mark.parametrize("vectors", [[], [[1.0, 0.0]], [[1.0, 0.0]] * 3])
def test_one_vector_for_each_document(vectors: list[list[float]]) -> None:
    with pytest.raises(ValueError, match=f"2 documents .* {len(vectors)} vectors"):
        merge_near_duplicates([chunk("A"), chunk("B")], vectors)


@pytest.mark.parametrize("threshold", [2.0, float("nan")])
def test_a_threshold_is_a_cosine(threshold: float) -> None:
    with pytest.raises(ValueError, match="threshold"):
        merge_near_duplicates([], [], threshold=threshold)


@given(
    st.sampled_from(WORLDS),
    st.integers(0, 2**32 - 1),
    st.integers(0, 60),
    st.integers(1, 12),
    st.sampled_from([-0.4, 0.21, 0.9, 0.9501]),
)
def test_merging_law(world: str, seed: int, count: int, dimensions: int, threshold: float) -> None:
    vectors = made(world, seed, count, dimensions, threshold)
    cosines = all_cosines(vectors)
    if np.any(np.abs(cosines - threshold) < 1e-6):
        return
    documents = [chunk(str(number), f"{number % 7}.md", score=1 / (number + 1)) for number in range(count)]
    before = deepcopy(documents)
    result = merge_near_duplicates(documents, vectors, threshold=threshold)
    assert documents == before

    kept: dict[int, list[int]] = {}
    for number in range(count):
        near = [first for first in kept if cosines[first, number] > threshold]
        if near:
            kept[near[0]].append(number)
        else:
            kept[number] = []
    assert [int(str(document.id)) for document in result] == [*kept]
    for document, others in zip(result, kept.values(), strict=True):
        assert document is not documents[int(str(document.id))]
        assert document.metadata["merged_chunk_ids"] == [str(other) for other in others]
        assert document.metadata["merged_scores"] == [1 / (other + 1) for other in others]
        sources = dict.fromkeys(f"{other % 7}.md" for other in others)
        assert document.metadata["merged_sources"] == [s for s in sources if s != document.metadata["source"]]
