from __future__ import annotations

import datetime
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

import splitting_laws as laws
from obsirag.records import RenderedNote, Segment
from obsirag.splitters import ObsidianSplitter
from obsirag.text import estimate_tokens


def split(text: str, **options: object) -> list[Document]:
    return ObsidianSplitter(**options).create_documents([text], [{"source": "note.md"}])  # type: ignore[arg-type]


def contents(text: str, **options: object) -> list[str]:
    return [chunk.page_content for chunk in split(text, **options)]


def test_it_is_a_text_splitter() -> None:
    splitter = ObsidianSplitter()
    assert isinstance(splitter, TextSplitter)
    document = Document(page_content="# A\n\ntext", metadata={"source": "a/b.md", "lang": "en"})
    assert splitter.transform_documents([document]) == splitter.split_documents([document])
    chunk = splitter.split_documents([document])[0]
    assert (chunk.metadata["source"], chunk.metadata["file_name"], chunk.metadata["lang"]) == ("a/b.md", "b.md", "en")
    assert splitter.split_text("# A\n\ntext") == ["# A\n\ntext"]


def test_a_hash_in_code_is_no_heading() -> None:
    text = "# Real\n\n```python\n# not a heading\nx = 1\n```\n\n## Next\ny\n"
    paths = {path for chunk in split(text, chunk_size=45) for path in chunk.metadata["sections"]}
    assert paths == {'["Real"]', '["Real", "Next"]'}
    assert "```python\n# not a heading\nx = 1\n```" in contents(text, chunk_size=45)[0]


def test_an_unclosed_fence_loses_nothing() -> None:
    text = "# Report\nopening line\n\n```bash\nmake build\n\n## Results\nall numbers are here\n"
    for size in (5, 20, 40, 1000):
        joined = "".join(contents(text, chunk_size=size))
        assert "build" in joined
        assert "here" in joined
    assert split(text)[0].metadata["sections"] == ['["Report"]']


def test_tilde_and_backtick_fences_do_not_close_each_other() -> None:
    text = "~~~\n# code 1\n~~~\n\n```\na\n~~~\n# code 2\n```\n\n# Heading\nz\n"
    chunks = split(text, chunk_size=25, chunk_overlap=0)
    assert [chunk.page_content for chunk in chunks] == [
        "~~~\n# code 1\n~~~",
        "```\na\n~~~\n# code 2\n```",
        "# Heading\nz",
    ]
    assert [chunk.metadata["headings"] for chunk in chunks] == [[], [], ["Heading"]]


def test_fences_in_lists_and_quotes_are_opened_again_with_their_prefix() -> None:
    item = "1. step\n\n   ```yaml\n   # key\n   a: 1\n   b: 2\n   c: 3\n   ```\n2. two\n"
    text = item + "\n> q\n> ```sh\n> # c\n> ls -la /tmp\n> pwd\n> ```\n"
    for size in (30, 40, 60):
        chunks = split(text, chunk_size=size, chunk_overlap=0)
        assert {tuple(chunk.metadata["headings"]) for chunk in chunks} == {()}
        for chunk in chunks:
            assert chunk.page_content.count("```") % 2 == 0, chunk.page_content
    contexts = {chunk.metadata["context_before"] for chunk in split(text, chunk_size=30, chunk_overlap=0)}
    assert contexts == {"", "   ```yaml\n   ", "> ```sh\n"}


def test_text_before_the_first_heading_and_around_code_is_kept() -> None:
    text = "Preface.\n\n# T1\n\nlead paragraph\n\n## T2\n\nbody\n\n| part | qty |\n|---|---|\n| bolt | 12 |\n\n"
    text += "```go\nvar n int\n```\n\nClosing.\n"
    chunks = split(text, chunk_size=30)
    assert chunks[0].page_content == "Preface."
    assert chunks[0].metadata["headings"] == []
    joined = "\n".join(chunk.page_content for chunk in chunks)
    positions = [joined.index(word) for word in ("Preface", "lead", "body", "bolt", "var n int", "Closing")]
    assert positions == sorted(positions)


def test_the_path_is_a_list_whatever_a_heading_holds() -> None:
    chunk = split("# Network\n## TCP/UDP - ports\nx\n", chunk_size=200)[0]
    assert chunk.metadata["sections"] == ['["Network"]', '["Network", "TCP/UDP - ports"]']
    splitter = ObsidianSplitter(chunk_size=12, heading_separator=" > ")
    last = splitter.create_documents(["# Network\n## TCP/UDP\nx y z x y z x y z\n"])[-1]
    assert last.metadata["headings"] == ["Network", "TCP/UDP"]
    assert last.metadata["hierarchy_path"] == "Network > TCP/UDP"


def test_a_large_table_is_cut_at_rows_with_its_head_repeated() -> None:
    head = "| parameter | default |\n|---|---|\n"
    rows = [f"| p{number:02} | value number {number:02} |" for number in range(40)]
    chunks = split(head + "\n".join(rows) + "\n", chunk_size=300)
    assert len(chunks) > 3
    for chunk in chunks:
        assert chunk.page_content.startswith(head)
        assert len(chunk.page_content) <= 300
        assert chunk.metadata["is_partial"]
        assert all(line.startswith("| ") and line.endswith(" |") for line in chunk.page_content.split("\n")[2:])
    joined = "".join(chunk.page_content for chunk in chunks)
    assert all(joined.count(row) == 1 for row in rows)


def test_offsets_are_right_for_repeated_text() -> None:
    text = "echo echo echo echo\n" + "same line here\n" * 6
    chunks = split(text, chunk_size=20, chunk_overlap=0)
    starts = [chunk.metadata["start_index"] for chunk in chunks]
    assert starts == sorted(set(starts))
    for chunk in chunks:
        assert text[chunk.metadata["start_index"] : chunk.metadata["end_index"]] == chunk.page_content


def test_chinese_is_cut_behind_its_punctuation() -> None:
    text = "天气变冷了，我在家等你。哈哈，明天再说吧！真的吗？是的。"
    chunks = contents(text, chunk_size=12, chunk_overlap=0)
    assert [chunk[0] for chunk in chunks] == ["天", "哈", "真"]
    assert "".join(chunks) == text


def test_lengths_in_tokens_keep_chinese_within_the_limit() -> None:
    text = "虚幻引擎的反射系统负责收集类型信息。" * 40
    chunks = contents(text, chunk_size=100, length_function=estimate_tokens)
    assert max(map(len, chunks)) <= 100
    assert len(chunks) >= 7


def test_front_matter_lies_outside_all_chunks() -> None:
    text = "---\nstatus: live\nowner: team\n---\nThe pump starts at 3 bar.\n"
    chunks = split(text)
    assert [chunk.page_content for chunk in chunks] == ["The pump starts at 3 bar."]
    assert chunks[0].metadata["start_index"] == text.index("The")
    assert chunks[0].metadata["start_line"] == 5
    assert contents("---\nonly: this\n---\n") == []


@pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff", "a\n\n\nb\n\n- \n-\n\n\u200b\n# \n", "#", "\u200b", "\x00"])
def test_tiny_input_is_no_error(text: str) -> None:
    for size in (1, 2, 1000):
        joined = "".join(contents(text, chunk_size=size, chunk_overlap=0))
        assert "".join(joined.split()) == "".join(text.removeprefix("\ufeff").split())


def test_short_neighbours_are_packed_within_one_parent() -> None:
    sections = "\n\n".join(f"## S{number}\n\n" + "word " * 18 for number in range(6))
    text = "# One\n\n" + sections + "\n\n# Two\n\n" + "other " * 150
    chunks = split(text, chunk_size=400)
    for chunk in chunks:
        tops = {json.loads(path)[0] for path in chunk.metadata["sections"]}
        assert len(tops) == 1
    assert len(chunks[0].metadata["sections"]) > 2


def test_a_bare_heading_goes_with_its_childs_first_chunk() -> None:
    text = "# Top\n\n## Child\n\n" + "A sentence of words. " * 30
    chunks = split(text, chunk_size=200)
    assert chunks[0].page_content.startswith("# Top\n\n## Child\n\nA sentence")
    assert chunks[0].metadata["headings"] == ["Top"]
    assert chunks[1].metadata["headings"] == ["Top", "Child"]


def test_a_heading_with_its_first_structure_may_pass_the_size_but_not_the_limit() -> None:
    fence = "```\n" + "x = 1\n" * 15 + "```"
    text = "# A heading of some length\n\n" + fence
    assert contents(text, chunk_size=100) == [text]
    chunks = contents(text, chunk_size=100, max_chunk_size=110)
    assert all(len(chunk) <= 110 for chunk in chunks)
    assert fence in chunks


def test_code_stays_with_the_text_above_it_or_is_linked() -> None:
    text = "Before this.\n\nThis explains the code.\n\n```py\nx = 1\ny = 2\n```\n\nAfter that."
    chunks = split(text, chunk_size=60)
    both = next(chunk for chunk in chunks if "x = 1" in chunk.page_content)
    assert "This explains the code." in both.page_content
    large = "Explains at length. " * 4 + "\n\n```py\n" + "x = 1\n" * 15 + "```"
    chunks = split(large.strip(), chunk_size=110, max_chunk_size=110)
    code = next(chunk for chunk in chunks if "x = 1" in chunk.page_content)
    assert code.page_content.endswith("```")
    assert code.page_content.count("x = 1") == 15
    assert code.metadata["linked_chunk_ids"] == [chunks[0].id]
    assert chunks[0].metadata["linked_chunk_ids"] == [code.id]
    assert (code.metadata["has_code"], code.metadata["code_languages"]) == (True, ["py"])


def test_code_above_the_size_stays_whole_up_to_the_hard_limit() -> None:
    fence = "```py\n" + "value = 1\n" * 15 + "```"
    assert contents("Text.\n\n" + fence + "\n\nMore.", chunk_size=100) == ["Text.\n\n" + fence, "More."]
    chunks = split("Text.\n\n" + fence, chunk_size=60, max_chunk_size=80, chunk_overlap=0)
    assert chunks[0].page_content.startswith("Text.\n\n```py\nvalue = 1")
    assert all(chunk.page_content.endswith("\n```") for chunk in chunks)
    assert all(chunk.page_content.startswith("```py\n") for chunk in chunks[1:])
    assert all(chunk.metadata["context_before"] == "```py\n" for chunk in chunks[1:])


def test_an_item_keeps_its_subtree_and_a_large_list_is_cut_at_its_items() -> None:
    items = [f"- item {number}\n  - child {number}\n\n    more of it" for number in range(8)]
    chunks = contents("\n".join(items), chunk_size=100, chunk_overlap=0)
    assert all(any(item in chunk for chunk in chunks) for item in items)
    assert all(chunk.startswith("- item") for chunk in chunks)


def test_prose_is_cut_at_sentence_ends_and_never_within_a_link() -> None:
    sentence = "See [the long text of a link](some/long/target.md) and `code here` for v1.2.3. "
    chunks = contents(sentence * 10, chunk_size=200, chunk_overlap=0)
    assert all(chunk.endswith("v1.2.3.") for chunk in chunks)
    narrow = contents(sentence * 3, chunk_size=50, chunk_overlap=0)
    assert any("[the long text of a link](some/long/target.md)" in chunk for chunk in narrow)


def test_overlap_begins_behind_punctuation_and_is_counted() -> None:
    text = "".join(f"这是第{number}句话，它有一些内容。" for number in range(30))
    chunks = split(text, chunk_size=100, chunk_overlap=20)
    assert len(chunks) > 3
    for chunk in chunks[1:]:
        start = chunk.metadata["start_index"]
        assert 0 < chunk.metadata["overlap"] <= 20
        assert text[start - 1] in "，。"
        assert len(chunk.page_content) <= 100
    without = "".join(chunk.page_content[chunk.metadata["overlap"] :] for chunk in chunks)
    assert without == text


def test_ids_are_stable_when_another_part_is_edited() -> None:
    text = "# A\n\n" + "alpha " * 60 + "\n\n# B\n\n" + "beta " * 60 + "\n\n# B\n\n" + "beta " * 60
    before = [chunk.id for chunk in split(text, chunk_size=400)]
    chunks = split(text.replace("alpha alpha", "gamma", 1), chunk_size=400)
    assert len(set(before)) == len(before) == 3
    assert [chunk.id == earlier for chunk, earlier in zip(chunks, before, strict=True)] == [False, True, True]
    other = ObsidianSplitter(chunk_size=400).create_documents([text], [{"source": "other.md"}])
    assert not {chunk.id for chunk in other} & {chunk.id for chunk in chunks}


def test_a_notes_own_fields_are_flat_and_never_hide_a_chunks() -> None:
    metadata = {
        "source": "n.md",
        "title": "Given",
        "tags": ["one"],
        "chunk_id": "mine",
        "date": datetime.date(2024, 5, 1),
        "map": {"a": [1, {"b": None}]},
        "list": [1, "x"],
        "number": float("nan"),
    }
    chunk = ObsidianSplitter().create_documents(["# H\n\ntext #two/x [[Some Note#part|as]]"], [metadata])[0]
    fields = chunk.metadata
    assert fields["title"] == "Given"
    assert fields["tags"] == ["one", "two/x"]
    assert fields["links"] == ["Some Note"]
    assert fields["note.chunk_id"] == "mine"
    assert fields["date"] == "2024-05-01"
    assert json.loads(fields["map"]) == {"a": [1, {"b": None}]}
    assert fields["list"] == [1, "x"]
    assert json.loads(json.dumps(fields, allow_nan=False)) == fields


def test_a_title_is_the_first_top_heading_else_the_files_stem() -> None:
    assert split("text\n\n## Low\n\n# High\n\nx")[0].metadata["title"] == "High"
    assert split("text")[0].metadata["title"] == "note"


def test_the_models_input_limit_is_a_hard_limit() -> None:
    text = "虚幻引擎的反射系统负责收集类型信息。" * 60
    chunks = contents(text, input_limit=120, input_length=lambda part: len(part.encode()) // 3)
    assert max(len(chunk.encode()) // 3 for chunk in chunks) <= 120


def test_labels_in_metadata_are_kept_by_every_chunk() -> None:
    chunks = ObsidianSplitter(chunk_size=20).create_documents(["one two three. " * 5], [{"permission": ["b", "a"]}])
    assert {tuple(chunk.metadata["permissions"]) for chunk in chunks} == {('["a", "b"]',)}


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("size", [60, 300, 1000])
def test_real_notes_keep_the_laws(law: Callable[[str, ObsidianSplitter], None], size: int, sample_vault: Path) -> None:
    notes = sorted(sample_vault.rglob("*.md"))
    assert notes
    for path in notes:
        law(path.read_bytes().decode("utf-8-sig", "replace"), ObsidianSplitter(chunk_size=size))


def test_lines_of_a_text_read_out_of_its_files_order_are_the_first_and_the_last() -> None:
    text = "late\n\nearly\n\nmiddle\n"
    segments = [Segment(0, "board.canvas", 9), Segment(6, "board.canvas", 2), Segment(13, "board.canvas", 5)]
    (chunk,) = ObsidianSplitter().split_note(RenderedNote("board.canvas", text, segments=segments))
    assert (chunk.metadata["start_line"], chunk.metadata["end_line"]) == (2, 9)
    assert chunk.metadata["source_spans"] == ["board.canvas#L9-L9", "board.canvas#L2-L2", "board.canvas#L5-L5"]
