from __future__ import annotations

from obsirag.records import RenderedNote, Segment
from obsirag.splitters import ObsidianSplitter


def rendered(text: str) -> RenderedNote:
    return RenderedNote("note.md", text, {}, (Segment(0, "note.md", 1),))


def test_chunks_name_the_section_they_are_in() -> None:
    text = "# Note\n\n" + "\n\n".join(f"## Part {number}\n\n" + "Some words here. " * 30 for number in range(4))
    splitter = ObsidianSplitter(chunk_size=300, parent_chunk_size=700)
    parents = {parent.id: parent for parent in splitter.split_parents(rendered(text))}
    chunks = splitter.split_note(rendered(text))
    assert {chunk.metadata["parent_id"] for chunk in chunks} == set(parents)
    for chunk in chunks:
        parent = parents[chunk.metadata["parent_id"]]
        own = chunk.page_content[chunk.metadata["overlap"] :]
        assert own in parent.page_content
        assert len(parent.page_content) <= 700
    assert len(parents) == 4


def test_a_note_that_fits_is_one_parent() -> None:
    text = "# Note\n\n## A\n\n" + "words " * 40 + "\n\n## B\n\n" + "words " * 40
    splitter = ObsidianSplitter(chunk_size=200)
    parents = splitter.split_parents(rendered(text))
    assert [parent.page_content for parent in parents] == [text.strip()]
    assert {chunk.metadata["parent_id"] for chunk in splitter.split_note(rendered(text))} == {parents[0].id}
    assert not {parent.id for parent in parents} & {chunk.id for chunk in splitter.split_note(rendered(text))}


def test_an_empty_note_has_neither() -> None:
    assert ObsidianSplitter().split_parents(rendered(" \n\n")) == []
    assert ObsidianSplitter().split_note(rendered("")) == []
