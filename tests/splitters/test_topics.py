"""What is asked about topics, which answers are taken, and what becomes of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.records import EmbedSpan, RenderedNote
from obsirag.splitters import ObsidianSplitter, TopicSplitter
from obsirag.splitters.topics import LONGEST_PART, MOST_PARTS, WINDOW, TopicStarts, accepted


@pytest.mark.parametrize(
    ("answer", "starts"),
    [
        ([3, 6], [3, 6]),
        ((0, 3), [3]),
        ([], []),
        ([0], []),
        (None, []),
        ("36", []),
        ([6, 3], []),
        ([3, 3], []),
        ([3, 9], []),
        ([-1, 3], []),
        ([3, "6"], []),
        ([3, 6.0], []),
        ([True], []),
        ({3: 6}, []),
        ([1, 2, 3, 4, 5, 6, 7, 8], []),  # topics of one sentence are none
        ([*range(100)], []),
    ],
)
def test_only_valid_partitions_are_taken(answer, starts):
    assert accepted(answer, [10] * 9, 25) == starts


PARTS = st.lists(st.integers(0, 700).map(lambda length: "x" * length), max_size=150)


@given(PARTS, st.data())
def test_windows_are_bounded_and_all_is_shown_in_order(parts, data):
    windows = []

    def find(shown):
        windows.append(shown)
        starts = st.lists(st.integers(0, len(shown) - 1), unique=True, max_size=4)
        return data.draw(starts.map(sorted))

    topics = TopicStarts(find, 1, 10_000)
    found = topics.of(parts, [*map(len, parts)])
    assert found == sorted(set(found))
    assert all(0 < each < len(parts) for each in found)
    assert topics.calls >= 10_000 - 2 * len(parts)
    for shown in windows:
        assert 1 < len(shown) <= MOST_PARTS
        assert all(len(part) <= LONGEST_PART for part in shown)
        assert sum(map(len, shown[:-1])) <= WINDOW


@given(st.integers(0, 5))
def test_it_is_asked_no_more_often_than_allowed(calls):
    asked = []
    parts = ["some words."] * 500
    TopicStarts(lambda shown: asked.append(shown), 1, calls).of(parts, [11] * 500)
    assert len(asked) == calls


def topic_text(counts):
    return " ".join(
        f"Topic{topic} is told in sentence {number} here." for topic, n in enumerate(counts) for number in range(n)
    )


def by_word(parts):
    """Say where topics begin, as somebody who reads the first word of each part."""
    words = [part.split()[0] for part in parts]
    return [index for index in range(1, len(parts)) if words[index] != words[index - 1]]


@given(st.lists(st.integers(8, 11), min_size=2, max_size=30))
def test_each_topic_becomes_a_chunk_where_it_fits(counts):
    text = topic_text(counts)
    splitter = TopicSplitter(by_word, 600, min_chunk_size=200, chunk_overlap=50, calls_per_note=100)
    if len(text) > 600:
        assert splitter.split_text(text) == [topic_text([0] * topic + [count]) for topic, count in enumerate(counts)]


@pytest.mark.parametrize(
    ("text", "always", "asked"),
    [
        (topic_text([9, 9, 9]), False, True),
        ("# Title\n\n" + topic_text([9, 9, 9]), False, True),
        ("# Title\n\n" + topic_text([9, 9, 9]) + "\n\n## Two\n\nText.", False, False),
        (topic_text([9, 9, 9]) + "\n\n## Two\n\nText.", False, False),
        ("# Title\n\n" + topic_text([9, 9, 9]) + "\n\n## Two\n\nText.", True, True),
        ("Short text. And more.", True, False),
        ("---\na: b\n---\n" + topic_text([9, 9, 9]), False, True),
        ("", True, False),
    ],
)
def test_notes_with_structure_and_short_ones_are_not_asked_about(text, always, asked):
    shown = []

    def find(parts):
        shown.extend(parts)
        return by_word(parts)

    chunks = TopicSplitter(find, 600, always=always).split_text(text)
    assert bool(shown) == asked
    if not asked:
        assert chunks == ObsidianSplitter(600).split_text(text)


def test_structures_are_shown_whole_and_stay_so():
    code = "```python\n" + "print(1)\n" * 8 + "```"
    text = "\n\n".join(["An intro.", f"Look:\n\n{code}", "- one\n- two", "| a |\n|---|\n| b |"] * 6)
    shown = []

    def every(parts):
        shown.extend(parts)
        return [*range(1, len(parts))]

    chunks = TopicSplitter(every, 300, min_chunk_size=1, chunk_overlap=0).split_text(text)
    assert sum("Look: ```python" in part for part in shown) == 6
    assert all(chunk.count("```") % 2 == 0 for chunk in chunks)
    assert all(("Look:" in chunk) == ("```" in chunk) for chunk in chunks)


def test_text_under_other_labels_is_not_shown_together():
    open_text, closed = topic_text([20]), "Secret words of a few. " * 30
    text = f"{open_text}\n\n{closed.strip()}\n\n{topic_text([0, 20])}"
    start = len(open_text) + 2
    labels = (frozenset({"leads"}),)
    embed = EmbedSpan(start, start + len(closed.strip()), "other.md", 3, permissions=frozenset(labels))
    shown = []
    note = RenderedNote("n.md", text, embeds=(embed,))
    TopicSplitter(lambda parts: shown.append(parts), 300).split_note(note)
    assert len(shown) == 3
    assert all(len({"Secret" in part for part in parts}) == 1 for parts in shown)


def test_a_topic_does_not_repeat_the_text_before_it():
    chunks = TopicSplitter(by_word, 600, chunk_overlap=100).create_documents([topic_text([9, 30, 9])])
    for chunk in chunks:
        assert chunk.page_content.count("Topic0") in (0, 9)
        assert len({word for word in chunk.page_content.split() if word.startswith("Topic")}) == 1
    assert any(chunk.metadata["overlap"] for chunk in chunks), "within a topic the rules go on as always"


@pytest.mark.parametrize("wrong", [{"find_topics": 7}, {"calls_per_note": -1}, {"chunk_size": 0}])
def test_wrong_arguments_are_refused(wrong):
    with pytest.raises((TypeError, ValueError)):
        TopicSplitter(**{"find_topics": by_word, **wrong})
