"""The splitter's laws hold whatever is said of where topics begin."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import splitting_laws as laws
from obsidian_texts import texts
from obsirag.records import RenderedNote
from obsirag.splitters import ObsidianSplitter, TopicSplitter
from obsirag.text import sentence_ends
from splitting_worlds import lengths, own_start, size_values, split

ODD = st.sampled_from(
    [None, "", "1, 2", {1: 2}, [None], [1.5], [True], ["1"], [[1]], 7, [10**30], [-1], [2, 1], [1, 1]]
)
ANSWERS = st.one_of(
    ODD,
    st.lists(st.integers(-2, 60)),
    st.lists(st.integers(0, 12), unique=True).map(sorted),
    st.just([*range(100_000)]),
    st.just(ValueError("no")),
)


class Said:
    """Gives each text an answer of the list, by its length, so that the same text is always told the same."""

    def __init__(self, answers: list[object]) -> None:
        self.answers = answers

    def __call__(self, parts):
        answer = self.answers[sum(map(len, parts)) % len(self.answers)]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def __repr__(self) -> str:
        return f"Said({self.answers!r})"


class Every:
    """Names every n-th part."""

    def __init__(self, step: int) -> None:
        self.step = step

    def __call__(self, parts):
        return [*range(self.step, len(parts), self.step)]


@st.composite
def topic_splitters(draw: st.DrawFn) -> TopicSplitter:
    size = draw(size_values)
    return TopicSplitter(
        draw(st.one_of(st.lists(ANSWERS, min_size=1, max_size=4).map(Said), st.integers(1, 3).map(Every))),
        size,
        always=draw(st.booleans()),
        calls_per_note=draw(st.sampled_from([0, 1, 20])),
        min_chunk_size=draw(st.one_of(st.none(), st.just(1), size_values)),
        chunk_overlap=draw(st.integers(0, 60)),
        max_chunk_size=draw(st.one_of(st.none(), st.integers(size, 3 * size))),
        length_function=draw(lengths),
    )


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@given(texts(), topic_splitters())
def test_law(law: Callable[[str, ObsidianSplitter], None], text: str, splitter: TopicSplitter) -> None:
    law(text, splitter)


@given(texts(), topic_splitters())
def test_chunks_lie_in_parents_and_the_same_text_is_cut_alike(text: str, splitter: TopicSplitter) -> None:
    note = RenderedNote("note.md", text)
    chunks, parents = splitter.split_note(note), splitter.split_parents(note)
    spans = {each.id: (own_start(each), each.metadata["end_index"]) for each in parents}
    for chunk in chunks:
        start, end = spans[chunk.metadata["parent_id"]]
        assert start <= own_start(chunk) < chunk.metadata["end_index"] <= end
    assert splitter.split_note(note) == chunks


PARAGRAPHS = st.lists(st.integers(1, 12).map(lambda count: "Alpha beta gamma. " * count), min_size=1, max_size=12)


@given(PARAGRAPHS, st.integers(1, 3))
def test_cuts_fall_where_topics_begin_and_in_paragraphs_only_where_they_fit_no_chunk(paragraphs, step) -> None:
    text = "\n\n".join(each.strip() for each in paragraphs)
    splitter = TopicSplitter(Every(step), 100, min_chunk_size=1, chunk_overlap=0)
    cuts = {own_start(chunk) for chunk in split(splitter, text)[1:]}
    position = 0
    for paragraph in text.split("\n\n"):
        inside = [cut for cut in cuts if position < cut < position + len(paragraph)]
        assert not inside or len(paragraph) > 100
        assert all(text[:cut].rstrip() and cut - 1 in sentence_ends(text) for cut in inside)
        position += len(paragraph) + 2
    for chunk in split(splitter, text):
        start, end = own_start(chunk), chunk.metadata["end_index"]
        whole = text[:start].endswith("\n\n") or start == 0, text.startswith("\n\n", end) or end == len(text)
        assert chunk.metadata["is_partial"] == (not all(whole))
