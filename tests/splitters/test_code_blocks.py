from hypothesis import example, given
from hypothesis import strategies as st

from obsidian_texts import texts
from obsirag import ObsidianSplitter
from obsirag.markdown import nested_blocks, scan
from obsirag.records import RenderedNote, Segment
from obsirag.splitters.code_blocks import code_blocks_of, languages_in
from obsirag.splitters.sections import Section

CODE = ("fence", "indented_code")


@given(texts())
@example("- a\n  ===\n      code")
@example("- a\r  ===\r      code")
@example("- a\r\n\r\n      code")
@example("- - -\n        code")
@example(">     code")
@example("[^1]:\n        code")
@example("1. - a\n\n         code")
@example("> | a |\n> |---|\n>     code")
def test_code_is_found_as_deep_as_it_lies(text: str) -> None:
    blocks = scan(text)
    everywhere = [each for block in blocks for each in (block, *nested_blocks(text, block)) if each.kind in CODE]
    found = code_blocks_of(text, [Section(0, -1, (), blocks)])
    assert [(start, end) for start, end, _ in found] == [(each.start, each.end) for each in everywhere]


@given(
    st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9), st.sampled_from(["", "c", "python"])), max_size=5),
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 30)), max_size=5),
)
def test_languages_are_those_of_the_code_in_a_span(
    gaps: list[tuple[int, int, str]], spans: list[tuple[int, int]]
) -> None:
    code, position = [], 0
    for gap, length, language in gaps:
        code.append((position + gap, position + gap + length, language))
        position += gap + length
    rising = sorted((start, start + length) for start, length in spans)
    within = [[each for each in code if each[0] < end and each[1] > start] for start, end in rising]
    expected = [list(dict.fromkeys(each[2] for each in some if each[2])) if some else None for some in within]
    assert languages_in(code, rising) == expected


def test_no_two_chunks_share_a_list() -> None:
    note = RenderedNote("a.md", "# A\n\n" + "text. " * 400, {"tags": ["t"], "own": ["x"]}, (Segment(0, "a.md", 1),))
    first, second, *_ = ObsidianSplitter(chunk_size=300).split_note(note)
    for name, value in first.metadata.items():
        if isinstance(value, list):
            assert value is not second.metadata[name], name
            assert value is not note.metadata.get(name), name
