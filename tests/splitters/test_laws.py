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
