"""The splitter's laws, over generated notes and any sizes."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st
from langchain_core.documents import Document

from obsidian_texts import texts
from obsirag.markdown import Block, inline_spans, nested_blocks, scan, split_front_matter
from obsirag.splitters import ObsidianSplitter, outline
from obsirag.splitters.own_metadata import CHUNK_FIELDS
from obsirag.text import estimate_tokens, grapheme_start, word_count

PROTECTED = {"fence", "indented_code", "table", "math", "callout", "quote", "html", "item", "footnote", "comment"}


def byte_length(text: str) -> int:
    return len(text.encode())


lengths: st.SearchStrategy[Callable[[str], int]] = st.sampled_from([len, len, byte_length, word_count, estimate_tokens])
size_values = st.one_of(st.integers(1, 30), st.integers(30, 400), st.just(1000))


@st.composite
def splitters(draw: st.DrawFn) -> ObsidianSplitter:
    size = draw(size_values)
    length = draw(lengths)
    return ObsidianSplitter(
        chunk_size=size,
        min_chunk_size=draw(st.one_of(st.none(), size_values)),
        chunk_overlap=draw(st.one_of(st.just(0), st.integers(0, 60))),
        max_chunk_size=draw(st.one_of(st.none(), st.integers(size, 3 * size))),
        length_function=length,
        input_limit=draw(st.one_of(st.none(), st.none(), st.integers(1, 300))),
        input_length=draw(st.sampled_from([None, byte_length])),
    )


def split(splitter: ObsidianSplitter, text: str) -> list[Document]:
    return splitter.create_documents([text], [{"source": "folder/note.md"}])


def own_start(chunk: Document) -> int:
    return int(chunk.metadata["start_index"]) + int(chunk.metadata["overlap"])


@given(texts(), splitters())
def test_content_is_a_slice_between_its_contexts(text: str, splitter: ObsidianSplitter) -> None:
    for chunk in split(splitter, text):
        fields = chunk.metadata
        own = text[fields["start_index"] : fields["end_index"]]
        assert chunk.page_content == fields["context_before"] + own + fields["context_after"]
        if not fields["is_partial"]:
            assert not fields["context_before"]
            assert not fields["context_after"]


@given(texts(), splitters())
def test_chunks_cover_everything_in_order(text: str, splitter: ObsidianSplitter) -> None:
    position = split_front_matter(text)[1]
    for chunk in split(splitter, text):
        start, end = chunk.metadata["start_index"], chunk.metadata["end_index"]
        assert not text[position : own_start(chunk)].strip()
        assert position <= own_start(chunk) < end
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


@given(texts(), splitters())
def test_no_chunk_passes_the_hard_limits(text: str, splitter: ObsidianSplitter) -> None:
    sizes = splitter._sizes
    for chunk in split(splitter, text):
        content = chunk.page_content
        one_grapheme = grapheme_start(content, len(content) - 1, 0) == 0
        assert one_grapheme or sizes.length(content) <= sizes.maximum
        assert one_grapheme or sizes.input_limit is None or sizes.input_length(content) <= sizes.input_limit


def protected(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    body = split_front_matter(text)[1]
    for block in scan(text, body):
        blocks = [block, *nested_blocks(text, block)]
        found += [(each.start, each.end) for each in blocks if each.kind in PROTECTED]
        found += [
            span
            for each in blocks
            if each.kind in ("paragraph", "heading")
            for span in inline_spans(text, each.start, each.end)
        ]
    return found


@given(texts(), splitters())
def test_what_fits_is_not_cut(text: str, splitter: ObsidianSplitter) -> None:
    sizes = splitter._sizes
    chunks = split(splitter, text)
    cuts = [own_start(chunk) for chunk in chunks[1:]]
    for start, end in protected(text):
        while start < end and text[start].isspace():
            start += 1
        index = bisect_right(cuts, start)
        if index < len(cuts) and cuts[index] < end and sizes.fits(text, start, end, sizes.chunk):
            raise AssertionError((text[start:end], [chunk.page_content for chunk in chunks]))


@given(texts(), splitters())
@example("# alpha\n\n\t=\n\nalpha alpha alpha", ObsidianSplitter(chunk_size=8, chunk_overlap=1))
def test_overlap_repeats_the_text_before_and_begins_well(text: str, splitter: ObsidianSplitter) -> None:
    chunks = split(splitter, text)
    spans = protected(text)
    heads = [block.start for block in scan(text, split_front_matter(text)[1]) if block.kind == "heading"]
    for previous, chunk in pairwise(chunks):
        if not chunk.metadata["overlap"]:
            continue
        start = chunk.metadata["start_index"]
        assert start >= own_start(previous)
        assert splitter._sizes.length(text[start : previous.metadata["end_index"]]) <= splitter._sizes.overlap
        assert splitter._sizes.length(chunk.page_content) <= splitter._sizes.chunk
        assert not any(begin < start < end for begin, end in spans)
        assert not any(start < head <= own_start(chunk) for head in heads)
    assert not chunks or chunks[0].metadata["overlap"] == 0


@given(texts(broken=False), splitters())
def test_headings_are_those_of_the_text(text: str, splitter: ObsidianSplitter) -> None:
    # A second reading, by a stack of its own.
    paths: list[tuple[int, list[str]]] = [(0, [])]
    stack: list[Block] = []
    for block in scan(text):
        if block.kind == "heading":
            while stack and stack[-1].level >= block.level:
                stack.pop()
            stack.append(block)
            paths.append((block.start, [as_kept(each.info) for each in stack]))
    assert [(offset, list(path)) for offset, path in outline_of(text)] == [
        pair for index, pair in enumerate(paths) if index == 0 or pair[1] != paths[index - 1][1]
    ][(1 if len(paths) > 1 and paths[1][0] == 0 else 0) :]
    starts = [offset for offset, _ in paths]
    for chunk in split(splitter, text):
        first = bisect_right(starts, own_start(chunk)) - 1
        last = bisect_right(starts, chunk.metadata["end_index"] - 1) - 1
        assert chunk.metadata["headings"] == paths[first][1]
        sections = list(dict.fromkeys(json.dumps(path, ensure_ascii=False) for _, path in paths[first : last + 1]))
        assert chunk.metadata["sections"] == sections
        assert chunk.metadata["hierarchy_path"] == "-".join(paths[first][1])


def as_kept(heading: str) -> str:
    return heading if len(heading) <= 300 else heading[:299].rstrip() + "…"


def outline_of(text: str) -> list[tuple[int, tuple[str, ...]]]:
    from obsirag.records import RenderedNote, Segment

    return outline(RenderedNote("note.md", text, segments=(Segment(0, "note.md", 1),)))


@given(texts(broken=False), splitters())
@example("https://a.example/x.y?z=1\n===\n\n## ##\n\n- alpha", ObsidianSplitter(chunk_size=18, chunk_overlap=0))
def test_a_heading_stands_in_the_chunk_of_its_text(text: str, splitter: ObsidianSplitter) -> None:
    blocks = scan(text)
    chunks = split(splitter, text)
    starts = [own_start(chunk) for chunk in chunks]
    sizes = splitter._sizes
    for index, heading in enumerate(blocks[:-1]):
        after = index + 1
        while (  # headings that hold nothing but the next one go with it
            after < len(blocks) - 1
            and blocks[after].kind == "heading"
            and blocks[after].level > blocks[after - 1].level
        ):
            after += 1
        following = blocks[after]
        if heading.kind != "heading" or following.kind == "heading":
            continue
        visible = following.start + len(text[following.start :]) - len(text[following.start :].lstrip())
        first = bisect_right(starts, heading.end - 1) - 1
        top = index
        while top and blocks[top - 1].kind == "heading" and blocks[top - 1].level < blocks[top].level:
            top -= 1
        # What the headings above it, which go with it too, leave room for under the hard limit.
        room = sizes.fits(text, blocks[top].start, following.end, sizes.maximum)
        if room and sizes.fits(text, heading.start, following.end, sizes.chunk):
            # Under a heading that is too long itself, a paragraph may be cut further on: it is no structure.
            held = visible if following.kind == "paragraph" else following.end - 1
            assert first == bisect_right(starts, held) - 1, (heading, starts)
        elif following.kind == "paragraph":
            # A paragraph that has to be cut leaves at least a word with its heading.
            with_word = text[heading.start : visible] + text[visible : following.end].split()[0]
            if sizes.fits(with_word, 0, len(with_word), sizes.chunk // 2):
                assert first == bisect_right(starts, visible) - 1, (heading, starts)


@given(st.lists(texts(), min_size=2, max_size=4), splitters())
@settings(max_examples=50)
def test_a_splitter_keeps_no_state(notes: list[str], splitter: ObsidianSplitter) -> None:
    alone = [split(splitter, text) for text in notes]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda text: split(splitter, text), notes)) == alone
    assert [split(splitter, text) for text in reversed(notes)] == alone[::-1]
    assert [splitter.split_text(text) for text in notes] == [[chunk.page_content for chunk in part] for part in alone]


@given(texts(), splitters())
def test_metadata_is_complete_flat_and_safe(text: str, splitter: ObsidianSplitter) -> None:
    chunks = split(splitter, text)
    ids = [chunk.id for chunk in chunks]
    assert len(set(ids)) == len(ids)
    for index, chunk in enumerate(chunks):
        fields = chunk.metadata
        assert set(fields) == set(CHUNK_FIELDS)
        assert json.loads(json.dumps(fields)) == fields
        assert chunk.id == fields["chunk_id"]
        assert (fields["chunk_index"], fields["chunk_count"]) == (index, len(chunks))
        own = text[own_start(chunk) : fields["end_index"]]
        assert fields["char_count"] == len(own)
        assert fields["word_count"] == word_count(own)
        before = text[: fields["start_index"]]
        assert fields["start_line"] == len(before.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        assert set(fields["linked_chunk_ids"]) <= set(ids) - {chunk.id}
