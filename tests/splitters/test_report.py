"""The split report says of any splitter's chunks what can be counted again by hand."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, fields
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from langchain_core.documents import Document
from langchain_text_splitters import RecursiveCharacterTextSplitter

from obsidian_texts import texts
from obsirag.records import Diagnostic, RenderedNote
from obsirag.splitters import Limits, Measure, ObsidianSplitter, SplitReport
from obsirag.splitters.distribution import LengthDistribution
from obsirag.splitters.oversize import REASONS
from obsirag.text import estimate_tokens, word_count


def split(text: str, path: str = "a.md", **options: int) -> list[Document]:
    return ObsidianSplitter(**options).split_note(RenderedNote(path, text))


def limited(chunk_size: int, max_chunk_size: int | None = None) -> Measure:
    return Measure(Limits("characters", chunk_size, max_chunk_size))


@given(st.lists(texts(), max_size=4), st.integers(1, 300))
def test_counts_are_those_of_the_documents(notes: list[str], size: int) -> None:
    parts = [split(text, f"{number}.md", chunk_size=size) for number, text in enumerate(notes)]
    documents = [each for part in parts for each in part]
    report = SplitReport.from_documents(
        documents, limited(size, 2 * size), notes=[f"{number}.md" for number in range(len(notes))]
    )
    lengths = [len(each.page_content) for each in documents]
    assert (report.notes, report.chunks) == (len(notes), len(documents))
    assert report.notes_without_chunks == tuple(f"{number}.md" for number, part in enumerate(parts) if not part)
    assert report.short_chunks == sum(length < 100 for length in lengths)
    assert report.partial_chunks == sum(each.metadata["is_partial"] for each in documents)
    assert [(each.chunk.path, each.chunk.chunk_index) for each in report.oversize] == [
        (each.metadata["source"], each.metadata["chunk_index"]) for each in documents if len(each.page_content) > size
    ]
    assert {each.limit_name for each in report.oversize if each.chunk.length > 2 * size} <= {"max_chunk_size"}
    if documents:
        assert report.longest is not None
        assert report.longest.characters == max(lengths)
        assert report.short_share == report.short_chunks / len(documents)
    else:
        assert (report.longest, report.lengths, report.short_share) == (None, (), 0.0)
    assert json.loads(json.dumps(asdict(report)))["chunks"] == len(documents)
    assert str(len(notes)) in str(report).splitlines()[0]


@given(st.lists(st.integers(0, 100_000), min_size=1, max_size=200))
@example([7])
@example([0, 99_999_999])
def test_a_distribution_is_that_of_the_lengths(lengths: list[int]) -> None:
    found = LengthDistribution.of(iter(lengths), "characters")
    assert (found.chunks, found.minimum, found.maximum) == (len(lengths), min(lengths), max(lengths))
    for share, value in ((0.5, found.median), (0.9, found.p90)):
        assert value in lengths
        assert sum(length <= value for length in lengths) >= share * len(lengths)
        assert sum(length < value for length in lengths) < share * len(lengths)
    assert 1 <= len(found.histogram) <= 12
    assert len({each.end - each.start for each in found.histogram}) == 1
    for each in found.histogram:
        assert each.chunks == sum(each.start <= length < each.end for length in lengths)
    assert sum(each.chunks for each in found.histogram) == len(lengths)


def test_nothing_has_no_distribution() -> None:
    with pytest.raises(ValueError, match="no lengths"):
        LengthDistribution.of([], "characters")


CODE = "\n".join(f"value_{number} = compute({number})" for number in range(12))


@pytest.mark.parametrize(
    ("text", "size", "reason", "structures"),
    [
        (f"```python\n{CODE}\n```", 200, "whole-code", ("fence",)),
        (f"# Title\n\nWhat it does:\n\n```python\n{CODE}\n```", 260, "whole-code", ("fence",)),
        ("# A heading of some length\n\n" + "| a | b |\n|---|---|\n| one | two |", 60, "heading-and-structure", None),
        ("👩‍👩‍👧‍👦", 3, "one-grapheme", ()),
    ],
)
def test_what_the_splitter_lets_pass_has_its_reason(
    text: str, size: int, reason: str, structures: tuple[str, ...] | None
) -> None:
    report = SplitReport.from_documents(split(text, chunk_size=size), limited(size))
    assert [each.reason for each in report.oversize] == [reason]
    assert report.oversize[0].limit == size
    assert structures is None or set(structures) <= set(report.oversize[0].structures)


@given(texts(broken=False), st.integers(10, 400))
def test_every_chunk_of_ours_that_passes_has_a_reason_that_is_ours(text: str, size: int) -> None:
    report = SplitReport.from_documents(split(text, chunk_size=size), limited(size))
    ours = {"one-grapheme", "whole-code", "heading-and-structure", "several-structures", "one-structure"}
    assert {each.reason for each in report.oversize} <= ours & REASONS.keys()


@pytest.mark.parametrize(
    ("content", "reason", "structures"),
    [
        ("| a |\n|---|\n| b |", "table-row", ("table",)),
        ("| a |\n|---|\n| b |\n| c |", "one-structure", ("table",)),
        ("One paragraph\nof two lines.", "one-structure", ("paragraph",)),
        ("One.\n\n- two\n- three\n\nFour.", "several-structures", ("paragraph", "item", "paragraph")),
        ("# Title\n\n- two", "heading-and-structure", ("heading", "item")),
        ("# A\n\n## B\n\nText.\n\n    code", "whole-code", ("heading", "paragraph", "indented_code")),
    ],
)
def test_a_strangers_chunk_is_told_by_what_it_holds(content: str, reason: str, structures: tuple[str, ...]) -> None:
    (found,) = SplitReport.from_documents([Document(content)], limited(4, 5)).oversize
    assert (found.reason, found.structures) == (reason, structures)
    assert (found.limit_name, found.limit) == ("max_chunk_size", 5)


def test_what_is_repeated_of_the_chunk_before_is_no_structure_of_this_one() -> None:
    document = Document("and more.\n\n- item", metadata={"overlap": 11})
    assert SplitReport.from_documents([document], limited(3)).oversize[0].structures == ("item",)


def test_lengths_are_told_in_the_splitters_unit_too() -> None:
    text = "# 标题\n\n" + "虚幻引擎的反射系统。Some English words follow. " * 40
    documents = ObsidianSplitter(chunk_size=80, length_function=estimate_tokens).create_documents([text])
    report = SplitReport.from_documents(documents, Measure(Limits("tokens", 80, 160), estimate_tokens))
    assert [each.unit for each in report.lengths] == ["characters", "tokens"]
    assert report.lengths[1].maximum == max(estimate_tokens(each.page_content) for each in documents)
    assert "Length in tokens" in str(report)
    assert "80, max_chunk_size 160 tokens" in str(report)


def test_notes_may_have_measures_of_their_own() -> None:
    measures = {"a.md": limited(5), "b.md": Measure(Limits("words", 2), word_count)}
    documents = [Document("one two three", metadata={"source": path}) for path in measures]
    report = SplitReport.from_documents(documents, lambda document: measures[document.metadata["source"]])
    assert report.limits == (Limits("characters", 5), Limits("words", 2))
    assert [(each.unit, each.chunks) for each in report.lengths] == [("characters", 2), ("words", 1)]
    assert [(each.limit, each.chunk.length) for each in report.oversize] == [(5, 13), (2, 3)]


def test_any_splitters_documents_will_do() -> None:
    documents = RecursiveCharacterTextSplitter(chunk_size=50, chunk_overlap=0).create_documents(["word " * 100])
    report = SplitReport.from_documents(documents)
    assert (report.notes, report.chunks) == (1, len(documents))
    assert report.oversize == ()
    assert "Limits" not in str(report)


def test_a_place_is_a_path_and_a_line() -> None:
    documents = split("first\n\n# Second\n\n" + "A longer text. " * 20, chunk_size=400)
    report = SplitReport.from_documents(documents, limited(10, 5000))
    assert report.longest is not None
    line = documents[report.longest.chunk_index].metadata["start_line"]
    assert report.longest.place == f"a.md:{line}"
    assert f"a.md:{line}" in str(report)


def test_long_lists_are_shortened_in_print_only() -> None:
    documents = [
        Document("x" * (50 + number), metadata={"source": "a.md", "start_line": number + 1}) for number in range(40)
    ]
    warnings = [Diagnostic("b.md", number, "missing-note", "gone") for number in range(40)]
    report = SplitReport.from_documents(
        documents, limited(10), notes=["a.md", *(f"n{number}.md" for number in range(40))], warnings=warnings
    )
    assert (len(report.oversize), len(report.notes_without_chunks), len(report.warnings)) == (40, 40, 40)
    printed = str(report)
    assert printed.count("… and 30 more") == 3
    assert "40 × missing-note" in printed
    lengths = [int(found) for found in re.findall(r"^  (\d+) characters", printed, re.MULTILINE)]
    assert lengths == sorted(lengths, reverse=True)
    assert len(lengths) == 10


def test_the_reference_explains_every_field_and_reason() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "chunks.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z0-9_-]+)` \|", page, re.MULTILINE)
    assert sorted(rows) == sorted([*(field.name for field in fields(SplitReport)), *REASONS])
