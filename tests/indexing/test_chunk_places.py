from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from obsirag.indexing.chunk_places import places_of
from obsirag.records import Place, RenderedNote, Segment, locate_quote, places_to_json

TEXT = "# A\none\ntwo\n\nembedded\nmore\n\nlast line"
RENDERED = RenderedNote(
    "host.md",
    TEXT,
    segments=[Segment(0, "host.md", 3), Segment(13, "other.md", 7), Segment(28, "host.md", 8)],
)
OUTLINE = [(0, ("A",)), (13, ("A", "B")), (28, ("A",))]


def test_a_place_wherever_file_or_heading_changes() -> None:
    assert places_of(RENDERED, OUTLINE, 4, len(TEXT)) == [
        Place(0, "host.md", 4, ("A",)),
        Place(9, "other.md", 7, ("A", "B")),
        Place(24, "host.md", 8, ("A",)),
    ]


def test_segments_that_go_on_where_the_one_before_ended_are_one_place() -> None:
    rendered = RenderedNote("a.md", "one\ntwo\nthree", segments=[Segment(0, "a.md", 1), Segment(4, "a.md", 2)])
    assert places_of(rendered, [], 0, 13) == [Place(0, "a.md", 1, ())]


def test_text_put_in_belongs_to_one_line() -> None:
    rendered = RenderedNote("a.md", "x\n\n\ny", segments=[Segment(0, "a.md", 5, False), Segment(4, "a.md", 6)])
    document = Document("x\n\n\ny", metadata={"places": places_to_json(places_of(rendered, [], 0, 5))})
    assert locate_quote(document, 0, 4).end_line == 5
    assert locate_quote(document, 4, 5).start_line == 6


def test_context_belongs_to_the_lines_beside_it() -> None:
    rendered = RenderedNote("a.md", "```\none\ntwo\nthree\n```", segments=[Segment(0, "a.md", 1)])
    places = places_of(rendered, [], 8, 11, before="```\n", after="\n```")
    document = Document("```\ntwo\n```", metadata={"places": places_to_json(places)})
    assert [locate_quote(document, start, start + 3).start_line for start in (0, 4, 8)] == [3, 3, 3]


segments = st.lists(
    st.tuples(st.integers(1, 9), st.sampled_from(["a.md", "b.md"]), st.integers(1, 50), st.booleans()),
    min_size=1,
    max_size=5,
)


@given(
    st.text("ab\n\r #", min_size=1, max_size=40),
    segments,
    st.lists(st.tuples(st.integers(1, 9), st.sampled_from([(), ("H",), ("H", "I")])), max_size=4),
    st.tuples(st.integers(0, 40), st.integers(1, 40)),
)
def test_every_character_is_located_as_the_note_locates_it(
    text: str,
    runs: list[tuple[int, str, int, bool]],
    headings: list[tuple[int, tuple[str, ...]]],
    cut: tuple[int, int],
) -> None:
    offset, parts = 0, []
    for length, path, line, verbatim in runs:
        # A run that begins between the two characters of a line end would be a fault of whoever made it.
        if 0 < offset < len(text) and text[offset - 1 : offset + 1] == "\r\n":
            offset += 1
        parts.append(Segment(offset, path, line, verbatim))
        offset += length
    rendered = RenderedNote("a.md", text, segments=parts)
    outline, position = [(0, ())], 0
    for step, path_of_headings in headings:
        position += step
        outline.append((position, path_of_headings))
    start = min(cut[0], len(text) - 1)
    end = min(len(text), start + cut[1])
    content = text[start:end]
    places = places_of(rendered, outline, start, end)
    document = Document(content, metadata={"places": places_to_json(places)})
    assert places[0].offset == 0
    assert [place.offset for place in places] == sorted({place.offset for place in places})
    for index, character in enumerate(content):
        if character.isspace():
            continue
        quote = locate_quote(document, index, index + 1)
        assert (quote.path, quote.start_line) == rendered.locate(start + index)
        assert quote.start_line == quote.end_line
        assert quote.headings == [each for at, each in outline if at <= start + index][-1]
