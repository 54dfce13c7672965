import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from obsirag.records import Edit, EmbedSpan, RenderedNote, Segment, SourceLocation, apply_edits


def segment(start, path="a", line=1, verbatim=True):
    return Segment(start, path, line, verbatim)


def test_segments_that_go_on_are_not_cut():
    text, segments, _ = apply_edits(
        "ab\r\ncd\r\nef", [segment(0)], [], [Edit(2, 4, "\n"), Edit(6, 8, "\n"), Edit(9, 10)]
    )
    assert (text, segments) == ("ab\ncd\ne", [segment(0)])


def test_a_removed_line_begins_a_new_segment():
    text, segments, _ = apply_edits("ab\ncd\nef", [segment(0, line=5)], [], [Edit(3, 6)])
    assert (text, segments) == ("ab\nef", [segment(0, line=5), segment(3, line=7)])


def test_what_is_put_in_belongs_to_its_source():
    text, segments, _ = apply_edits("ab\ncd", [segment(0)], [], [Edit(3, 3, "> ", SourceLocation("h", 9))])
    assert text == "ab\n> cd"
    assert segments == [segment(0), segment(3, "h", 9, verbatim=False), segment(5, line=2)]


def test_embeds_grow_inside_not_at_their_borders():
    embed = EmbedSpan(2, 4, "e", 1)
    for edit, moved in [
        (Edit(3, 3, "xx"), (2, 6)),
        (Edit(2, 2, "xx"), (4, 6)),
        (Edit(4, 4, "xx"), (2, 4)),
        (Edit(0, 1), (1, 3)),
        (Edit(1, 3), (1, 2)),
        (Edit(3, 5), (2, 3)),
        (Edit(2, 3, "yyy"), (2, 6)),
    ]:
        _, _, embeds = apply_edits("abcdef", [segment(0)], [embed], [edit])
        assert [(each.start, each.end) for each in embeds] == [moved], edit
    assert apply_edits("abcdef", [segment(0)], [embed], [Edit(1, 5)])[2] == []


@pytest.mark.parametrize("edits", [[Edit(2, 3), Edit(1, 2)], [Edit(0, 3), Edit(2, 4)], [Edit(2, 1)], [Edit(0, 99)]])
def test_edits_that_make_no_sense_are_refused(edits):
    with pytest.raises(ValueError, match="edit"):
        apply_edits("abcdef", [segment(0)], [], edits)


def test_a_text_that_becomes_empty_still_has_a_source():
    assert apply_edits("ab", [segment(0, line=4)], [], [Edit(0, 2)])[:2] == ("", [segment(0, line=4)])


@st.composite
def edited_texts(draw):
    """A text of unique letters and line ends from several sources, and edits."""
    pieces = draw(st.lists(st.sampled_from(["L", "\n", "\r\n", "\r", " "]), min_size=1, max_size=30))
    text = "".join(chr(0x4E00 + number) if piece == "L" else piece for number, piece in enumerate(pieces))
    cuts = sorted({0, *draw(st.lists(st.integers(0, len(text) - 1), max_size=4))})
    segments = [Segment(cut, f"s{number}", 10 * number + 1, draw(st.booleans())) for number, cut in enumerate(cuts)]
    borders = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    edits = [
        Edit(
            start,
            end,
            draw(st.sampled_from(["", "x", "\n", "\r", "\r\n", "x\nx"])),
            draw(st.sampled_from([None, SourceLocation("p", 7)])),
        )
        for start, end in zip(borders[::2], borders[1::2], strict=False)
    ]
    return text, segments, edits


@given(edited_texts())
def test_what_is_kept_is_where_it_was(made):
    text, segments, edits = made
    changed, moved, _ = apply_edits(text, segments, [], edits)
    before, after = RenderedNote("n", text, segments=segments), RenderedNote("n", changed, segments=moved)
    starts = [each.start for each in moved]
    assert starts[0] == 0
    assert starts == sorted(set(starts))
    for found in re.finditer(r"[\u4e00-\u9fff]", changed):
        assert after.locate(found.start()) == before.locate(text.index(found.group()))
    expected, cursor = "", 0
    for edit in edits:
        expected += text[cursor : edit.start] + edit.replacement
        cursor = edit.end
    assert changed == expected + text[cursor:]
