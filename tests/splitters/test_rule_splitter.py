from __future__ import annotations

import pytest
from langchain_core.documents import Document

from obsirag.records import RenderedNote
from obsirag.splitters import ObsidianSplitter, RuleSplitter, SplitterRule

TEXT = "# Tea\n\n" + "Leaves and water. " * 60
DEFAULT = ObsidianSplitter()
MANUAL = ObsidianSplitter(chunk_size=300, chunk_overlap=80)
POLICY = ObsidianSplitter(chunk_size=600)
SPLITTER = RuleSplitter(
    DEFAULT,
    [
        SplitterRule(splitter=MANUAL, tags=["manual"]),
        SplitterRule(splitter=POLICY, paths=["policies/"], fields={}),
    ],
)
NOTES = [
    ("a.md", [], DEFAULT),
    ("a.md", ["manual"], MANUAL),
    ("policies/a.md", [], POLICY),
    ("policies/a.md", ["manual"], MANUAL),
]


@pytest.mark.parametrize(("path", "tags", "expected"), NOTES)
def test_the_first_rule_that_matches_cuts_the_note(path: str, tags: list[str], expected: ObsidianSplitter) -> None:
    rendered = RenderedNote(path, TEXT, {"tags": tags})
    assert SPLITTER.splitter_for(path, {"tags": tags}) is expected
    assert SPLITTER.split_note(rendered) == expected.split_note(rendered)
    assert SPLITTER.split_parents(rendered) == expected.split_parents(rendered)
    document = Document(TEXT, metadata={"source": path, "tags": tags})
    assert SPLITTER.split_documents([document]) == expected.split_documents([document])


def test_chunks_know_their_parents() -> None:
    for path, tags, _ in NOTES:
        rendered = RenderedNote(path, TEXT, {"tags": tags})
        parents = {parent.id for parent in SPLITTER.split_parents(rendered)}
        assert {chunk.metadata["parent_id"] for chunk in SPLITTER.split_note(rendered)} == parents


def test_documents_of_all_kinds_are_cut_in_one_call_in_order_with_distinct_ids() -> None:
    documents = [Document(TEXT, metadata={"source": path, "tags": tags}) for path, tags, _ in NOTES]
    chunks = SPLITTER.split_documents(documents)
    one_by_one = [chunk for document in documents for chunk in SPLITTER.split_documents([document])]
    assert [chunk.page_content for chunk in chunks] == [chunk.page_content for chunk in one_by_one]
    assert len({chunk.id for chunk in chunks}) == len(chunks)


def test_a_bare_text_is_cut_by_the_default() -> None:
    assert SPLITTER.split_text(TEXT) == DEFAULT.split_text(TEXT)
    assert SPLITTER.create_documents([TEXT]) == DEFAULT.create_documents([TEXT])
