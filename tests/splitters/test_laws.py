"""The splitter's laws, over generated notes and any sizes."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import splitting_laws as laws
from obsidian_texts import texts
from obsirag.records import RenderedNote, Segment
from obsirag.splitters import ObsidianSplitter, outline
from obsirag.splitters.own_metadata import CHUNK_FIELDS
from obsirag.text import estimate_tokens, word_count
from splitting_worlds import own_start, split, splitters


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@given(texts(), splitters())
@example("# alpha\n\n\t=\n\nalpha alpha alpha", ObsidianSplitter(chunk_size=8, chunk_overlap=1))
@example("https://a.example/x.y?z=1\n===\n\n## ##\n\n- alpha", ObsidianSplitter(chunk_size=18, chunk_overlap=0))
@example("# alpha\n\n## alpha\n\nNote:", ObsidianSplitter(chunk_size=10, chunk_overlap=0))
@example("# alpha\n\n## https://a.example/x.y?z=1", ObsidianSplitter(chunk_size=25, chunk_overlap=0))
@example("# alpha\n\nbeta 好\n===\n\n## alpha", ObsidianSplitter(chunk_size=1, length_function=word_count))
@example("# alpha\n\nalpha", ObsidianSplitter(chunk_size=1, max_chunk_size=14))
@example("# alpha\n\nNote:\n\n| a | b |\n|---|:-:|\n| alpha | alpha beta |\n\n^id", ObsidianSplitter(chunk_size=60))
@example("# alpha\n\n ~~~~\n\n# alpha", ObsidianSplitter(chunk_size=4, length_function=estimate_tokens, input_limit=4))
@example(
    f"# {'alpha ' * 9}\n\n- Note:\n\n| a | b |\n|---|---|\n" + "| alpha | beta gamma |\n" * 3,
    ObsidianSplitter(chunk_size=58),
)
def test_law(law: Callable[[str, ObsidianSplitter], None], text: str, splitter: ObsidianSplitter) -> None:
    law(text, splitter)


@given(texts())
def test_the_outline_is_that_of_the_headings(text: str) -> None:
    starts, paths = laws.heading_paths(text)
    pairs = list(zip(starts, map(tuple, paths), strict=True))
    changes = [pair for index, pair in enumerate(pairs) if index == 0 or pair[1] != pairs[index - 1][1]]
    note = RenderedNote("note.md", text, segments=(Segment(0, "note.md", 1),))
    found = outline(note, laws.split_front_matter(text)[1])
    assert found == changes[1 if len(pairs) > 1 and pairs[1][0] == 0 else 0 :]


@given(st.lists(texts(), min_size=2, max_size=4), splitters())
@settings(max_examples=50)
def test_a_splitter_keeps_no_state(notes: list[str], splitter: ObsidianSplitter) -> None:
    alone = [split(splitter, text) for text in notes]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: split(splitter, text), notes)) == alone
    assert [split(splitter, text) for text in reversed(notes)] == alone[::-1]


@given(texts(), splitters())
def test_metadata_is_complete_flat_and_safe(text: str, splitter: ObsidianSplitter) -> None:
    chunks = split(splitter, text)
    ids = [chunk.id for chunk in chunks]
    assert len(set(ids)) == len(ids)
    for index, chunk in enumerate(chunks):
        fields = chunk.metadata
        assert set(fields) == set(CHUNK_FIELDS)
        assert json.loads(json.dumps(fields)) == fields
        assert chunk.id == fields["chunk_id"]
        assert (fields["chunk_index"], fields["chunk_count"]) == (index, len(chunks))
        own = text[own_start(chunk) : fields["end_index"]]
        assert fields["char_count"] == len(own)
        assert fields["word_count"] == word_count(own)
        before = text[: fields["start_index"]]
        assert fields["start_line"] == len(before.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        assert set(fields["linked_chunk_ids"]) <= set(ids) - {chunk.id}


words = st.integers(1, 6).map(lambda count: " ".join(["alpha"] * count))


@given(st.lists(words, min_size=30, max_size=60), st.sampled_from([". ", ".\n\n", ".\n- ", ".\n\n> "]))
def test_no_tail_is_short_where_an_even_cut_was_possible(sentences: list[str], between: str) -> None:
    text = between.strip("\n.") + between.join(sentences) + "."
    splitter = ObsidianSplitter(chunk_size=200, min_chunk_size=60, chunk_overlap=0)
    # The blanks before a tail count as its own.
    assert min(map(len, splitter.split_text(text.strip()))) >= 60 - len(between)


@given(st.lists(st.integers(1, 6), min_size=12, max_size=30), st.sampled_from(["", "- ", "1. "]))
def test_code_is_cut_at_blank_lines_alone_where_the_parts_fit(lines: list[int], mark: str) -> None:
    indent = " " * len(mark)
    parts = ["\n".join(f"{indent}call({line})" for line in range(count)) for count in lines]
    text = f"{mark}```\n" + "\n\n".join(parts) + f"\n{indent}```"
    chunks = split(ObsidianSplitter(chunk_size=90, max_chunk_size=90, chunk_overlap=0), text)
    assert len(chunks) > 1
    assert all(text.startswith("\n\n", chunk.metadata["end_index"]) for chunk in chunks[:-1])


@given(st.lists(st.integers(1, 12), min_size=9, max_size=20))
def test_a_list_within_an_item_is_cut_between_its_items_as_far_as_that_goes(counts: list[int]) -> None:
    children = [f"  - alpha {child}\n" + "    - beta gamma\n" * count for child, count in enumerate(counts)]
    text = "- top\n" + "".join(children)
    chunks = ObsidianSplitter(chunk_size=120, chunk_overlap=0).split_text(text)
    assert len(chunks) > 1
    for chunk in chunks:  # what is too large goes on, and its rest may stand with what follows
        for child, whole in enumerate(children):
            if len(whole) > 120 and f"- alpha {child}\n" in chunk and child > 0:
                assert chunk.startswith(f"- alpha {child}\n"), chunk


def section(name: str, length: int) -> str:
    """Return a section of about ``length`` characters, whose words name it."""
    return f"## {name}\n\n" + f"{name} and more. " * (length // len(f"{name} and more. "))


@given(st.integers(10, 260), st.integers(210, 700), st.integers(10, 90))
def test_what_follows_a_section_that_was_cut_is_not_put_behind_its_tail(first: int, cut: int, last: int) -> None:
    text = f"# Top\n\n{section('One', first)}\n\n{section('Two', cut)}\n\n{section('Three', last)}"
    for chunk in ObsidianSplitter(chunk_size=200, chunk_overlap=0).split_text(text):
        assert not ("Two" in chunk and "Three" in chunk), chunk


@given(st.integers(100, 199), st.integers(10, 90))
def test_a_short_last_section_is_put_behind_the_one_before_where_both_fit(first: int, last: int) -> None:
    one, two = section("One", first).strip(), section("Two", last).strip()
    chunks = ObsidianSplitter(chunk_size=200, chunk_overlap=0).split_text(f"{section('Big', 900)}\n\n{one}\n\n{two}")
    together = len(one) + len(two) + 2 <= 200
    assert (f"{one}\n\n{two}" in chunks) == together
    assert (two in chunks) != together


@given(st.integers(0, 25), st.integers(60, 130), st.integers(190, 500))
def test_a_very_short_section_goes_with_the_next_ones_own_text(first: int, own: int, child: int) -> None:
    one, two = section("A", 0).strip() + " b" * (first // 2), section("Two", own).strip()
    text = f"{section('Big', 900)}\n\n{one}\n\n{two}\n\n#{section('Child', child)}"
    chunks = ObsidianSplitter(chunk_size=200, chunk_overlap=0).split_text(text)
    assert any(one in chunk and two in chunk for chunk in chunks) == (len(one) <= 25), chunks
