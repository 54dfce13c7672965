"""What splitters of Markdown are known to get wrong, each as a rule over variants of the input."""

from __future__ import annotations

import json

import pytest
from langchain_core.documents import Document

from obsirag.splitters import ObsidianSplitter
from obsirag.text import estimate_tokens

ENDS = ["\n", "\r\n", "\r"]


def split(text: str, **options: object) -> list[Document]:
    return ObsidianSplitter(**options).create_documents([text], [{"source": "note.md"}])  # type: ignore[arg-type]


def own(text: str, chunk: Document) -> str:
    return text[chunk.metadata["start_index"] + chunk.metadata["overlap"] : chunk.metadata["end_index"]]


def paths(chunks: list[Document]) -> set[str]:
    return {path for chunk in chunks for path in chunk.metadata["sections"]}


def visible(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    "body",
    [
        "```python\n# not a heading\nx = 1\n```",
        "~~~\n# not a heading\n~~~",
        "````\n```\n# not a heading\n```\n````",
        "text\n\n    # not a heading\n    x = 1",
        "$$\n# not a heading\n$$",
        "%%\n# not a heading\n%%",
        "<!--\n# not a heading\n-->",
        "<div>\n# not a heading\n</div>",
        "> ```sh\n> # not a heading\n> ls\n> ```",
        "1. step\n\n   ```yaml\n   # not a heading\n   a: 1\n   ```",
        "- a\n  - b\n\n    ~~~\n    # not a heading\n    ~~~",
        "> [!tip]\n> ```\n> # not a heading\n> ```",
        "`code` and #not-a-heading",
        "#not-a-heading",
        "\\# not a heading",
        "####### not a heading",
    ],
)
@pytest.mark.parametrize("size", [20, 45, 1000])
def test_only_headings_make_sections(body: str, end: str, size: int) -> None:
    text = f"# Real\n\n{body}\n\n## Next\ny\n".replace("\n", end)
    assert paths(split(text, chunk_size=size)) == {'["Real"]', '["Real", "Next"]'}


@pytest.mark.parametrize("size", [5, 20, 40, 1000])
@pytest.mark.parametrize(
    "opening", ["```bash", "~~~", "````", "$$", "%%", "<!--", "<div>", "<script>", "> ```", "- ```", "`", "**", "[["]
)
def test_nothing_is_lost_behind_what_is_never_closed(opening: str, size: int) -> None:
    text = f"# Report\nopening line\n\n{opening}\nmake build\n\n## Results\nall numbers are here\n"
    shown = "".join(own(text, chunk) for chunk in split(text, chunk_size=size))
    assert visible(shown) == visible(text)


@pytest.mark.parametrize("outer", ["```", "~~~", "````", "~~~~~"])
@pytest.mark.parametrize("inner", ["~~~", "```", "~~", "``"])
@pytest.mark.parametrize("size", [30, 1000])
def test_a_fence_is_closed_by_its_own_marks_only(outer: str, inner: str, size: int) -> None:
    if inner[0] == outer[0] and len(inner) >= len(outer):
        inner = inner[:2]
    fence = f"{outer}\na\n{inner}\n# code\n{outer}"
    text = f"{fence}\n\n# Heading\nz\n"
    chunks = split(text, chunk_size=size, chunk_overlap=0)
    assert paths(chunks) == {"[]", '["Heading"]'}
    assert any(fence in chunk.page_content for chunk in chunks)


@pytest.mark.parametrize("prefix", ["", "> ", "   ", "> > "])
@pytest.mark.parametrize("end", ENDS)
def test_a_cut_fence_is_opened_again_with_its_prefix(prefix: str, end: str) -> None:
    first = "1. a step" if prefix == "   " else prefix + "words"
    lines = ["```sh", *(f"line {number} of it" for number in range(19)), "```"]
    text = end.join([first, prefix.rstrip(), *(prefix + line for line in lines)])
    chunks = split(text, chunk_size=80, max_chunk_size=80, chunk_overlap=0)
    assert len(chunks) > 2
    for chunk in chunks:
        assert chunk.page_content.count("```") % 2 == 0
        assert "line" in own(text, chunk) or first in own(text, chunk)
        if chunk.metadata["context_before"]:
            assert chunk.metadata["context_before"].startswith(prefix + "```sh\n")


@pytest.mark.parametrize("between", ["```\n# c\n```", "| a |\n|---|\n| # |", "> # c", "%%\n# c\n%%"])
def test_text_before_and_between_headings_is_kept_under_its_own_path(between: str) -> None:
    text = f"This is a preface.\n\n# Top\nlead paragraph\n\n{between}\n\n## Inner\nbody\n"
    chunks = split(text, chunk_size=25, chunk_overlap=0)
    place = {word: chunk for chunk in chunks for word in ("preface", "lead", "body") if word in chunk.page_content}
    assert place["preface"].metadata["headings"] == []
    assert place["lead"].metadata["headings"] == ["Top"]
    assert "Inner" in str(place["body"].metadata["sections"])
    assert visible("".join(own(text, chunk) for chunk in chunks)) == visible(text)


@pytest.mark.parametrize("heading", ["TCP/UDP ports", "a - b", "a > b", 'with "quotes"', "[[link|alias]]", "a-b", "，"])
@pytest.mark.parametrize("separator", ["-", "/", " > "])
def test_a_path_is_a_list_that_no_separator_can_spoil(heading: str, separator: str) -> None:
    text = f"# Network\n## {heading}\n{'x ' * 40}"
    last = split(text, chunk_size=30, heading_separator=separator)[-1]
    assert last.metadata["headings"] == ["Network", heading]
    assert json.loads(last.metadata["sections"][-1]) == ["Network", heading]


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    ("prefix", "first", "head", "marks", "row"),
    [
        ("", "", "| parameter | default |", "|---|---|", "| p{0:02} | value number {0:02} |"),
        ("", "", "parameter | default", "--- | ---", "p{0:02} | value number {0:02}"),
        ("> ", "> ", "| parameter | default |", "|---|---|", "| p{0:02} | value number {0:02} |"),
        ("  ", "- ", "| parameter | default |", "|:--|--:|", "| p{0:02} | a\\|b [[note\\|n{0}]] |"),
        ("", "", "| 参数 | 默认值 |", "|---|---|", "| p{0:02} | 数值{0:02}。说明，其他！ |"),
    ],
)
def test_a_large_table_is_cut_between_rows_and_its_head_repeated(
    prefix: str, first: str, head: str, marks: str, row: str, end: str
) -> None:
    rows = [prefix + row.format(number) for number in range(40)]
    text = end.join([first + head, prefix + marks, *rows])
    chunks = split(text, chunk_size=200)
    assert len(chunks) > 3
    for chunk in chunks:
        assert head in chunk.page_content
        assert marks in chunk.page_content
        assert len(chunk.page_content) <= 200
    joined = "".join(own(text, chunk) + end for chunk in chunks)
    assert all(joined.count(each.strip()) == 1 for each in rows)


@pytest.mark.parametrize(
    "text", ["echo echo echo echo\n" + "same line here\n" * 6, "好。" * 40, "a\n\n" * 30, "- x\n" * 30]
)
@pytest.mark.parametrize("overlap", [0, 8])
def test_every_chunk_of_repeated_text_has_its_own_place(text: str, overlap: int) -> None:
    chunks = split(text, chunk_size=20, chunk_overlap=overlap)
    starts = [chunk.metadata["start_index"] + chunk.metadata["overlap"] for chunk in chunks]
    assert starts == sorted(set(starts))
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    for chunk in chunks:
        assert text[chunk.metadata["start_index"] : chunk.metadata["end_index"]] == chunk.page_content


@pytest.mark.parametrize("mark", ["。", "！", "？", "；", "……", "。”", "？」", "！）"])
def test_no_chunk_begins_with_the_mark_that_ends_a_sentence(mark: str) -> None:
    text = "".join(f"第{number}句话很短{mark}" for number in range(30))
    for size in (9, 12, 30):
        chunks = split(text, chunk_size=size, chunk_overlap=0)
        assert {chunk.page_content[0] for chunk in chunks} == {"第"}
        assert "".join(chunk.page_content for chunk in chunks) == text


def test_estimated_tokens_do_not_undercount_chinese() -> None:
    text = "虚幻引擎的反射系统负责收集类型信息。" * 40
    assert estimate_tokens(text) >= 0.6 * len(text)
    for chunk in split(text, chunk_size=100, length_function=estimate_tokens):
        assert len(chunk.page_content) <= 160


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("matter", ["---\nstatus: live\n---\n", "---\n---\n", "\ufeff---\nstatus: live\n---\n"])
def test_front_matter_is_never_text(matter: str, end: str) -> None:
    text = (matter + "The pump starts at 3 bar.\n").replace("\n", end)
    for size in (10, 1000):
        chunks = split(text, chunk_size=size, chunk_overlap=0)
        assert visible("".join(chunk.page_content for chunk in chunks)) == "Thepumpstartsat3bar."
        assert chunks[0].metadata["start_line"] == len(matter.split("\n"))


@pytest.mark.parametrize(
    "text", ["a\n\n\nb", "a", ".", "-", "- \n-", ">", "```", "|", "a\n\n\u200b\n# ", "[^1]:", "---\n---"]
)
def test_what_is_shorter_than_the_minimum_is_a_chunk(text: str) -> None:
    for size in (1, 2, 1000):
        for minimum in (None, 1, 500):
            chunks = split(text, chunk_size=size, min_chunk_size=minimum)
            shown = visible("".join(own(text, chunk) for chunk in chunks))
            assert shown in (visible(text), "")
            assert shown or text.startswith("---")
