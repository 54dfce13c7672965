"""Notes with embeds: islands, labels, sources."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from obsidian_texts import texts
from obsirag.records import PUBLIC, EmbedSpan, Permissions, RenderedNote, Segment, may_read, permissions_to_json
from obsirag.records.rendered import count_line_ends
from obsirag.splitters import ObsidianSplitter, outline

SECRET: Permissions = (("staff",),)


def note(
    *parts: str | tuple[str, Permissions] | tuple[str, Permissions, bool], own: Permissions = PUBLIC
) -> RenderedNote:
    """Make a note of its own text and embeds; an embed is its text, its labels, and whether it is a block."""
    text, embeds, segments = "", [], []
    for index, part in enumerate(parts):
        line = count_line_ends(text, 0, len(text)) + 1
        if isinstance(part, str):
            segments.append(Segment(len(text), "host.md", line))
            text += part
            continue
        content, permissions, is_block = (*part, True)[:3]
        path = f"embedded{index}.md"
        segments.append(Segment(len(text), path, 1))
        embeds.append(EmbedSpan(len(text), len(text) + len(content), path, line, permissions, bool(is_block)))
        text += content
    return RenderedNote("host.md", text, {}, segments, embeds, own)


def test_an_embeds_headings_end_with_it() -> None:
    rendered = note(
        "# Host\n\nbefore\n\n", ("# In\n\ninside\n\n### Deep\n\ndeeper", PUBLIC), "\n\nafter\n\n## Own\n\nmore\n"
    )
    assert outline(rendered) == [
        (0, ("Host",)),
        (16, ("Host", "In")),
        (30, ("Host", "In", "Deep")),
        (rendered.text.index("after"), ("Host",)),
        (rendered.text.index("## Own"), ("Host", "Own")),
    ]
    chunks = ObsidianSplitter(chunk_size=16, chunk_overlap=0).split_note(rendered)
    headings = {chunk.page_content.split("\n")[-1]: chunk.metadata["headings"] for chunk in chunks}
    assert headings["after"] == ["Host"]
    assert headings["deeper"] == ["Host", "In", "Deep"]


def test_an_unclosed_fence_in_an_embed_ends_with_it() -> None:
    rendered = note("# Host\n\n", ("```\n# code", PUBLIC), "\n\n## After\n\ntext\n")
    assert [path for _, path in outline(rendered)] == [("Host",), ("Host", "After")]


def test_embeds_within_embeds_are_islands_too() -> None:
    text = "# H\n\n# A\n\n# B\n\nb\n\na\n\nh\n\n# C\n\nc\n"
    at = text.index
    embeds = [
        EmbedSpan(at("# A"), at("a\n") + 1, "a.md", 3),
        EmbedSpan(at("# B"), at("b\n") + 1, "b.md", 3),
        EmbedSpan(at("# C"), at("c\n") + 1, "c.md", 11),
    ]
    rendered = RenderedNote("h.md", text, {}, [Segment(0, "h.md", 1)], embeds)
    assert outline(rendered) == [
        (0, ("H",)),
        (at("# A"), ("H", "A")),
        (at("# B"), ("H", "A", "B")),
        (at("a\n"), ("H", "A")),
        (at("h\n"), ("H",)),
        (at("# C"), ("H", "C")),
    ]


def test_restricted_text_is_in_chunks_of_its_own() -> None:
    rendered = note("# Plan\n\nopen words.\n\n", ("the secret date", SECRET), "\n\nmore open words.\n")
    chunks = ObsidianSplitter().split_note(rendered)
    assert [chunk.page_content for chunk in chunks] == ["# Plan\n\nopen words.", "the secret date", "more open words."]
    assert [chunk.metadata["permissions"] for chunk in chunks] == [[], ['["staff"]'], []]
    assert all(chunk.metadata["overlap"] == 0 for chunk in chunks)


def test_nothing_of_a_restricted_embed_shows_in_open_chunks() -> None:
    rendered = note(
        "# Plan ",
        ("codename", SECRET, False),
        "\n\nopen words.\n\n",
        ("# Hidden title\n\nsecret", SECRET),
        "\n\ntail\n",
    )
    for splitter in (ObsidianSplitter(), ObsidianSplitter(chunk_size=12)):
        for document in [*splitter.split_note(rendered), *splitter.split_parents(rendered)]:
            if not document.metadata["permissions"]:
                shown = document.page_content + json.dumps({**document.metadata, "source_spans": []})
                assert "codename" not in shown
                assert "idden" not in shown


def test_lines_are_those_of_the_notes_own_file() -> None:
    rendered = note("# Host\n\nfirst\n\n", ("one\n\ntwo\n\nthree", PUBLIC), "\n\nlast\n")
    chunk = ObsidianSplitter().split_note(rendered)[0]
    assert chunk.metadata["source_spans"][:2] == ["host.md#L1-L3", "embedded1.md#L1-L5"]
    inside = ObsidianSplitter(chunk_size=6, chunk_overlap=0).split_note(rendered)
    two = next(chunk for chunk in inside if chunk.page_content == "two")
    assert (two.metadata["start_line"], two.metadata["end_line"]) == (5, 5)
    assert two.metadata["source_spans"] == ["embedded1.md#L3-L3"]


@st.composite
def rendered_notes(draw: st.DrawFn) -> RenderedNote:
    sets = st.sampled_from([PUBLIC, SECRET, (("a", "b"),), (("a",), ("staff",))])
    parts: list[str | tuple[str, Permissions, bool]] = []
    for text in draw(st.lists(texts(), min_size=1, max_size=4)):
        if draw(st.booleans()):
            parts.append((text, draw(sets), draw(st.integers(0, 3)) > 0))
        else:
            parts.append(text)
        parts.append("\n\n")
    return note(*parts)


def is_under(rendered: RenderedNote, offset: int) -> Permissions:
    found = rendered.permissions
    for embed in rendered.embeds:
        if embed.start <= offset < embed.end:
            found = embed.permissions
    return found


@given(rendered_notes(), st.sampled_from([1, 9, 40, 200, 1000]))
def test_text_under_different_labels_never_shares_a_chunk(rendered: RenderedNote, size: int) -> None:
    splitter = ObsidianSplitter(chunk_size=size)
    chunks = splitter.split_note(rendered)
    parents = {parent.id: parent for parent in splitter.split_parents(rendered)}
    for document in [*chunks, *parents.values()]:
        start, end = document.metadata["start_index"], document.metadata["end_index"]
        labels = {is_under(rendered, at) for at in range(start, end) if not rendered.text[at].isspace()}
        assert len(labels) == 1
        assert document.metadata["permissions"] == permissions_to_json(labels.pop())
    for chunk in chunks:
        parent = parents[chunk.metadata["parent_id"]]
        assert parent.metadata["start_index"] <= chunk.metadata["start_index"] + chunk.metadata["overlap"]
        assert chunk.metadata["end_index"] <= parent.metadata["end_index"]
        assert parent.metadata["permissions"] == chunk.metadata["permissions"]


@given(rendered_notes(), st.sampled_from([1, 9, 40, 200, 1000]))
def test_chunks_cover_the_embeds_too(rendered: RenderedNote, size: int) -> None:
    position = 0
    for chunk in ObsidianSplitter(chunk_size=size).split_note(rendered):
        own_start = chunk.metadata["start_index"] + chunk.metadata["overlap"]
        assert position <= own_start < chunk.metadata["end_index"]
        assert not rendered.text[position:own_start].strip()
        position = chunk.metadata["end_index"]
    assert not rendered.text[position:].strip()


def place_of(rendered: RenderedNote, offset: int) -> tuple[str, int]:
    segment = [each for each in rendered.segments if each.start <= offset][-1]
    return segment.path, segment.line + len(re.findall("\r\n|\r|\n", rendered.text[segment.start : offset]))


def own_line_of(rendered: RenderedNote, offset: int) -> int:
    around = [embed.line for embed in rendered.embeds if embed.start <= offset < embed.end]
    return around[0] if around else place_of(rendered, offset)[1]


@given(rendered_notes(), st.sampled_from([1, 9, 40, 200, 1000]))
def test_lines_and_sources_are_those_of_the_text(rendered: RenderedNote, size: int) -> None:
    splitter = ObsidianSplitter(chunk_size=size)
    for document in [*splitter.split_note(rendered), *splitter.split_parents(rendered)]:
        start, end = document.metadata["start_index"], document.metadata["end_index"]
        assert document.metadata["start_line"] == own_line_of(rendered, start)
        assert document.metadata["end_line"] == own_line_of(rendered, end - 1)
        places = {place_of(rendered, at) for at in range(start, end) if not rendered.text[at].isspace()}
        covered: set[tuple[str, int]] = set()
        for span in document.metadata["source_spans"]:
            path, first, last = re.fullmatch(r"(.+)#L(\d+)-L(\d+)", span).groups()  # type: ignore[union-attr]
            assert {(path, int(first)), (path, int(last))} <= places
            covered.update((path, line) for line in range(int(first), int(last) + 1))
        assert places <= covered


@given(rendered_notes())
def test_every_chunk_has_the_headings_of_the_outline(rendered: RenderedNote) -> None:
    paths = outline(rendered)
    for chunk in ObsidianSplitter(chunk_size=60).split_note(rendered):
        start = chunk.metadata["start_index"] + chunk.metadata["overlap"]
        path = [path for offset, path in paths if offset <= start][-1]
        body_starts_later = paths[0][0] > start
        assert body_starts_later or chunk.metadata["headings"] == list(path)


def test_a_reader_needs_one_label_of_each_set() -> None:
    rendered = note("open\n\n", ("both", (("a",), ("b",))), "\n")
    chunk = ObsidianSplitter().split_note(rendered)[1]
    sets = [json.loads(labels) for labels in chunk.metadata["permissions"]]
    assert may_read(sets, ["a", "b"])
    assert not may_read(sets, ["a"])
