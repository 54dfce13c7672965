import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.records import RenderedNote, Segment, SourceLocation

pieces = st.lists(
    st.tuples(
        st.text("ab\r\n", min_size=1, max_size=8), st.sampled_from(["a.md", "b.md"]), st.integers(1, 50), st.booleans()
    ),
    min_size=1,
    max_size=5,
)


def rendered(parts):
    segments, text = [], ""
    for content, path, line, verbatim in parts:
        segments.append(Segment(len(text), path, line, verbatim))
        text += content
    return RenderedNote("a.md", text, segments=segments)


@given(pieces)
def test_each_character_lies_on_the_line_that_reading_its_source_gives(parts):
    # A piece that ends in \r is not followed by one that begins with \n here: one line end would have two sources.
    note = rendered(
        [(content.replace("\r", ""), *rest) if content.endswith("\r") else (content, *rest) for content, *rest in parts]
    )
    for index, segment in enumerate(note.segments):
        end = note.segments[index + 1].start if index + 1 < len(note.segments) else len(note.text)
        line = segment.line
        for offset in range(segment.start, end):
            assert note.locate(offset) == SourceLocation(segment.path, line if segment.verbatim else segment.line)
            character = note.text[offset]
            if character == "\n" or (character == "\r" and note.text[offset + 1 : offset + 2] != "\n"):
                line += 1


@given(pieces, st.data())
def test_segments_between_describe_the_part_alone(parts, data):
    note = rendered(parts)
    start = data.draw(st.integers(0, len(note.text)))
    end = data.draw(st.integers(start, len(note.text)))
    part = list(note.segments_between(start, end))
    if start < end:
        assert part[0].start == start
    assert [each.start for each in part] == sorted({each.start for each in part})
    for each in part:
        assert (each.path, each.line) == note.locate(each.start)


def test_an_offset_outside_the_text_is_refused():
    note = rendered([("abc", "a.md", 1, True)])
    assert note.locate(3) == SourceLocation("a.md", 1)
    for offset in (-1, 4):
        with pytest.raises(IndexError, match="outside the text of a"):
            note.locate(offset)


def test_text_without_sources_is_the_notes_own():
    note = RenderedNote("a.md", "x\ny")
    assert (note.locate(0), note.locate(3)) == (("a.md", 1), ("a.md", 2))
    assert [each.path for each in note.segments_between(1, 3)] == ["a.md"]
