"""How overlap, sizes and what chunks repeat keep to their limits, where one limit meets another."""

from __future__ import annotations

import json

import pytest

from obsirag import ObsidianSplitter
from obsirag.text import estimate_tokens

CHINESE = "虚幻引擎的反射系统在编译时生成元数据，" * 3 + "运行时据此创建对象。"


@pytest.mark.parametrize("limit", [100, 200, 512])
def test_a_binding_input_limit_leaves_room_for_the_overlap(limit: int) -> None:
    splitter = ObsidianSplitter(input_limit=limit, input_length=estimate_tokens)
    chunks = splitter.create_documents(["# 标题\n\n" + CHINESE * 60])
    assert all(estimate_tokens(chunk.page_content) <= limit for chunk in chunks)
    assert len(chunks) > 3
    without = [chunk for chunk in chunks[1:] if not chunk.metadata["overlap"]]
    assert len(without) <= len(chunks) // 4


def test_blanks_between_two_chunks_count_in_the_overlap() -> None:
    text = "# A\n\n" + "Some words here, and more of them. " * 20 + "\n" * 600 + "Other words there, and more. " * 20
    for chunk in ObsidianSplitter(chunk_size=900).create_documents([text]):
        assert chunk.metadata["overlap"] <= 50


@pytest.mark.parametrize(("maximum", "overlap"), [(100, 400), (10, 0.4)])
def test_sizes_follow_from_the_smaller_of_chunk_size_and_maximum(maximum: int, overlap: float) -> None:
    same = ObsidianSplitter(chunk_size=maximum, max_chunk_size=maximum, chunk_overlap=overlap)
    splitter = ObsidianSplitter(chunk_size=1000, max_chunk_size=maximum, chunk_overlap=overlap)
    text = "# A\n\n" + "Some words here, and more of them. " * 20
    assert splitter.create_documents([text]) == same.create_documents([text])


def test_the_paths_of_many_sections_are_bounded() -> None:
    deep = "".join(f"{'#' * level} {'long ' * 59}\n\n" for level in range(1, 6))
    text = deep + "".join(f"###### {number}\n\n" for number in range(2000))
    for chunk in ObsidianSplitter(chunk_size=500).create_documents([text]):
        assert sum(map(len, chunk.metadata["sections"])) <= 10_000
        assert json.loads(chunk.metadata["sections"][0]) == chunk.metadata["headings"]


def test_every_part_of_a_code_is_linked_with_the_text_above_it() -> None:
    code = "\n".join(f"call_number_{line}(argument)" for line in range(200))
    chunks = ObsidianSplitter(chunk_size=400).create_documents([f"# A\n\nRun this as it is.\n\n```py\n{code}\n```\n"])
    parts = [chunk for chunk in chunks if chunk.metadata["has_code"]]
    assert len(parts) > 5
    ids = {chunk.metadata["chunk_id"] for chunk in parts}
    for part in parts:
        assert ids - {part.metadata["chunk_id"]} <= set(part.metadata["linked_chunk_ids"])


@pytest.mark.parametrize("title", [7, 7.5])
def test_a_title_that_is_a_number_is_kept(title: object) -> None:
    (chunk,) = ObsidianSplitter().create_documents(["# A\n\ntext"], [{"source": "a.md", "title": title}])
    assert chunk.metadata["title"] == str(title)


def test_links_of_somebody_elses_metadata_are_kept_under_another_name() -> None:
    splitter = ObsidianSplitter()
    given = {"source": "a.md", "links": ["https://a.example", "other"]}
    (chunk,) = splitter.create_documents(["text [[b]]"], [given])
    assert chunk.metadata["note.links"] == ["https://a.example", "other"]
    assert chunk.metadata["links"] == ["b"]
    (again,) = splitter.split_documents([chunk])
    assert again.metadata["note.links"] == ["https://a.example", "other"]


@pytest.mark.parametrize("overlap", [0, 20, 50, 60])
def test_no_room_is_left_for_an_overlap_that_cannot_be(overlap: int) -> None:
    items = "".join(f"- {'item words here ' * 4}{number:02d} end.\n" for number in range(8))
    chunks = ObsidianSplitter(chunk_size=200, chunk_overlap=overlap).create_documents([f"# A\n\n{items}"])
    assert [chunk.metadata["char_count"] for chunk in chunks] == [152, 147, 147, 147]
