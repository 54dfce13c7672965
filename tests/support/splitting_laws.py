"""The splitter's laws, each as a check of one text cut by one splitter."""

from __future__ import annotations

import json
import re
import unicodedata
from bisect import bisect_right
from itertools import pairwise, takewhile
from typing import NoReturn

from langchain_core.documents import Document

from obsirag.markdown import Block, nested_blocks, scan, split_front_matter
from obsirag.splitters import ObsidianSplitter
from obsirag.splitters.belonging import belongs_above
from obsirag.text import grapheme_start
from splitting_worlds import (
    CODE,
    CONTAINERS,
    PROTECTED,
    first_piece,
    first_sentence,
    first_words,
    headings_with_text,
    leads_in,
    note_blocks,
    own_start,
    protected,
    split,
    visible_from,
)


class _Cut:
    """A text cut by a splitter."""

    def __init__(self, text: str, splitter: ObsidianSplitter) -> None:
        self.text = text
        self.sizes = splitter._sizes
        self.chunks = split(splitter, text)
        self.cuts = [own_start(chunk) for chunk in self.chunks[1:]]

    def within(self, start: int, end: int) -> bool:
        """Say whether a cut lies within ``text[start:end]``."""
        index = bisect_right(self.cuts, start)
        return index < len(self.cuts) and self.cuts[index] < end

    def fits(self, start: int, end: int, limit: int) -> bool:
        return self.sizes.fits(self.text, start, end, limit)

    def fail(self, why: str, start: int, end: int) -> NoReturn:
        raise AssertionError((why, self.text[start:end], [chunk.page_content for chunk in self.chunks]))


def content_is_a_slice_between_its_contexts(text: str, splitter: ObsidianSplitter) -> None:
    for chunk in split(splitter, text):
        fields = chunk.metadata
        own = text[fields["start_index"] : fields["end_index"]]
        assert chunk.page_content == fields["context_before"] + own + fields["context_after"]
        if not fields["is_partial"]:
            assert not fields["context_before"]
            assert not fields["context_after"]


def chunks_cover_everything_in_order(text: str, splitter: ObsidianSplitter) -> None:
    position = split_front_matter(text)[1]
    for chunk in split(splitter, text):
        start, end = chunk.metadata["start_index"], chunk.metadata["end_index"]
        assert not text[position : own_start(chunk)].strip()
        assert position <= own_start(chunk) < end
        assert text[start:end] == text[start:end].strip()
        position = end
    assert not text[position:].strip()


def no_chunk_passes_the_hard_limits(text: str, splitter: ObsidianSplitter) -> None:
    sizes = splitter._sizes
    for chunk in split(splitter, text):
        content = chunk.page_content
        one_grapheme = grapheme_start(content, len(content) - 1, 0) == 0
        assert one_grapheme or sizes.length(content) <= sizes.maximum, content
        assert one_grapheme or sizes.input_limit is None or sizes.input_length(content) <= sizes.input_limit, content


def what_fits_is_not_cut(text: str, splitter: ObsidianSplitter) -> None:
    cut = _Cut(text, splitter)
    for start, end in protected(text):
        start = visible_from(text, start)
        if start < end and cut.within(start, end) and cut.fits(start, end, cut.sizes.chunk):
            cut.fail("cut, but fits", start, end)


def code_is_whole_up_to_the_hard_limit(text: str, splitter: ObsidianSplitter) -> None:
    cut = _Cut(text, splitter)
    for block in note_blocks(text):
        if block.kind in CODE and cut.within(block.start, block.end):
            assert not cut.fits(block.start, block.end, cut.sizes.maximum), text[block.start : block.end]


def a_heading_stands_with_its_text(text: str, splitter: ObsidianSplitter) -> None:
    """Check that the first piece of a heading's text is in its chunk, unless both don't fit the hard limit.

    That is a structure that is kept whole, or the first word of a paragraph. Where all the headings above it leave room
    within the chunk size, it is the first sentence.
    """
    cut = _Cut(text, splitter)
    sizes = cut.sizes
    leading = {block.start for block, then in pairwise(note_blocks(text)) if leads_in(text, block, then)}
    for heading, block, top in headings_with_text(text):
        piece = _first_piece(cut, block)
        if piece and cut.fits(heading.start, piece, sizes.maximum) and cut.within(heading.start, piece):
            cut.fail("apart from its heading", heading.start, piece)
        if block.kind == "paragraph":
            sentence = first_sentence(text, block)
            if cut.fits(top.start, sentence, sizes.chunk) and cut.within(heading.start, sentence):
                cut.fail("the first sentence is apart", heading.start, sentence)
        if (
            block.start not in leading  # what leads in may part to stand with what follows
            and cut.fits(block.start, block.end, sizes.chunk)
            and cut.fits(top.start, block.end, sizes.maximum)
            and cut.within(heading.start, block.end)
        ):
            cut.fail("all would have fitted", heading.start, block.end)


def _first_piece(cut: _Cut, block: Block) -> int | None:
    """Return where the least part of a block ends that its heading takes along."""
    text, sizes = cut.text, cut.sizes
    limit = sizes.maximum if block.kind in CODE else sizes.chunk
    if block.kind == "paragraph":
        return first_piece(text, block, sizes)
    if cut.fits(block.start, block.end, limit):
        return block.end
    leaf = next((each for each in nested_blocks(text, block) if each.kind not in CONTAINERS), None)
    if leaf is None or leaf.kind != "paragraph" or len(text[block.start : leaf.start].splitlines()) != 1:
        return None
    if text.startswith("[!", leaf.start):  # a callout, whose title stays with what follows
        return None
    if not _wholes_around(cut, block, leaf):
        task = TASK.match(text, leaf.start, leaf.end)
        start = task.end() if task else leaf.start
        end = first_words(text, start, leaf.end)
        return end if text[start : start + 1].isalnum() and cut.fits(block.start, end, sizes.chunk) else None
    return None


def _wholes_around(cut: _Cut, block: Block, leaf: Block) -> bool:
    """Say whether ``leaf`` lies in a structure inside ``block`` that fits a chunk and so is not cut."""
    return any(
        each.kind in PROTECTED
        and each.start <= leaf.start < each.end
        and cut.fits(each.start, each.end, cut.sizes.chunk)
        for each in nested_blocks(cut.text, block)
    )


def only_code_and_headings_pass_the_size(text: str, splitter: ObsidianSplitter) -> None:
    """Check that a chunk above its size is code with the text above it, or headings with what fits a chunk itself."""
    cut = _Cut(text, splitter)
    blocks = note_blocks(text)
    for chunk in cut.chunks:
        content, size = chunk.page_content, cut.sizes.chunk
        if cut.sizes.fits(content, 0, len(content), size) or grapheme_start(content, len(content) - 1, 0) == 0:
            continue
        start, end = own_start(chunk), chunk.metadata["end_index"]
        inside = [block for block in blocks if block.start < end and block.end > start]
        rest = [block for block in inside if block.kind != "heading"]
        code = bool(rest) and rest[-1].kind in CODE and {block.kind for block in rest[:-1]} <= LEADING
        headed = inside[0].kind == "heading"
        fitting = not rest or cut.fits(max(start, rest[0].start), end, size)
        one_grapheme = bool(rest) and grapheme_start(text, end - 1, max(start, rest[0].start)) == rest[0].start
        assert code or (headed and (fitting or one_grapheme)), content


LEADING = frozenset({"paragraph", "item", "html"})
TASK = re.compile(r"\[.\][ \t]+")


def marks_stay_with_their_text(text: str, splitter: ObsidianSplitter) -> None:
    """Check that no cut stands between the marks of quotes and items and the first word behind them, if both fit."""
    cut = _Cut(text, splitter)
    for block in note_blocks(text):
        inner = nested_blocks(text, block)
        for leaf in inner:
            if leaf.kind not in ("paragraph", "heading"):
                continue
            line = max(block.start, text.rfind("\n", 0, leaf.start) + 1, text.rfind("\r", 0, leaf.start) + 1)
            marks, start = visible_from(text, line), visible_from(text, leaf.start)
            if text.startswith("[!", start):
                continue  # a callout's title, which is no mark
            task = TASK.match(text, start, leaf.end)
            start = task.end() if task else start
            if marks >= leaf.start or start >= leaf.end:
                continue
            kept = [each for each in inner if marks < each.start <= start and each.kind in PROTECTED]
            if any(cut.fits(each.start, each.end, cut.sizes.chunk) for each in kept):
                continue
            end = first_words(text, start, leaf.end)
            if cut.fits(marks, end, cut.sizes.chunk) and cut.within(marks, start + 1):
                cut.fail("marks apart", marks, end)


def what_leads_in_stays_with_what_follows(text: str, splitter: ObsidianSplitter) -> None:
    cut = _Cut(text, splitter)
    headed = {block.start: top.start for _, block, top in headings_with_text(text)}
    blocks = note_blocks(text)
    for index, (block, following) in enumerate(pairwise(blocks)):
        # An id or a closing tag behind it belongs to what follows rather than what leads in does.
        behind = takewhile(lambda each: belongs_above(text, each), blocks[index + 2 :])
        held = [following, *behind][-1].end
        if not leads_in(text, block, following) or not cut.fits(block.start, held, cut.sizes.chunk):
            continue
        # Headings above it that leave no room come first: they take a part of their text along.
        room = cut.fits(headed.get(block.start, block.start), following.end, cut.sizes.maximum)
        if room and cut.within(block.start, following.end):
            cut.fail("apart", block.start, following.end)


def what_leads_in_within_a_structure_stays_with_what_follows(text: str, splitter: ObsidianSplitter) -> None:
    cut = _Cut(text, splitter)
    for block in note_blocks(text):
        for each, following in pairwise(nested_blocks(text, block)):
            if each.level != following.level or each.kind in CONTAINERS:
                continue
            if each.kind != "heading" and not leads_in(text, each, following):
                continue
            line = max(block.start, text.rfind("\n", 0, each.start) + 1, text.rfind("\r", 0, each.start) + 1)
            if cut.fits(line, following.end, cut.sizes.chunk) and cut.within(visible_from(text, line), following.end):
                cut.fail("apart", line, following.end)


def overlap_repeats_the_text_before_and_begins_well(text: str, splitter: ObsidianSplitter) -> None:
    chunks = split(splitter, text)
    spans = protected(text)
    heads = [block.start for block in scan(text, split_front_matter(text)[1]) if block.kind == "heading"]
    begins = {block.start for block in note_blocks(text)}
    for previous, chunk in pairwise(chunks):
        if not chunk.metadata["overlap"]:
            continue
        start = chunk.metadata["start_index"]
        assert start >= own_start(previous)
        assert splitter._sizes.length(text[start : own_start(chunk)]) <= splitter._sizes.overlap
        assert splitter._sizes.length(chunk.page_content) <= splitter._sizes.chunk
        assert not any(begin < start < end for begin, end in spans)
        before = text[:start].rstrip()
        assert start in begins or unicodedata.category(before[-1])[0] == "P" or before[-1] in "=~`", text[start:]
        assert not any(start < head <= own_start(chunk) for head in heads)
    assert not chunks or chunks[0].metadata["overlap"] == 0


def headings_are_those_of_the_text(text: str, splitter: ObsidianSplitter) -> None:
    starts, paths = heading_paths(text)
    for chunk in split(splitter, text):
        first = bisect_right(starts, own_start(chunk)) - 1
        last = bisect_right(starts, chunk.metadata["end_index"] - 1) - 1
        assert chunk.metadata["headings"] == paths[first]
        sections = list(dict.fromkeys(json.dumps(path, ensure_ascii=False) for path in paths[first : last + 1]))
        assert chunk.metadata["sections"] == sections
        assert chunk.metadata["hierarchy_path"] == "-".join(paths[first])


def heading_paths(text: str) -> tuple[list[int], list[list[str]]]:
    """Return where sections start and the headings down to each: a second reading, by a stack of its own."""
    starts: list[int] = [0]
    paths: list[list[str]] = [[]]
    stack: list[Block] = []
    for block in scan(text, split_front_matter(text)[1]):
        if block.kind == "heading":
            while stack and stack[-1].level >= block.level:
                stack.pop()
            stack.append(block)
            starts.append(block.start)
            paths.append([as_kept(each.info) for each in stack])
    return starts, paths


def as_kept(heading: str) -> str:
    return heading if len(heading) <= 300 else heading[:299].rstrip() + "…"


def splitting_is_deterministic(text: str, splitter: ObsidianSplitter) -> None:
    first: list[Document] = split(splitter, text)
    assert split(splitter, text) == first
    assert splitter.split_text(text) == [chunk.page_content for chunk in first]


LAWS = [
    content_is_a_slice_between_its_contexts,
    chunks_cover_everything_in_order,
    no_chunk_passes_the_hard_limits,
    what_fits_is_not_cut,
    code_is_whole_up_to_the_hard_limit,
    a_heading_stands_with_its_text,
    only_code_and_headings_pass_the_size,
    marks_stay_with_their_text,
    what_leads_in_stays_with_what_follows,
    what_leads_in_within_a_structure_stays_with_what_follows,
    overlap_repeats_the_text_before_and_begins_well,
    headings_are_those_of_the_text,
    splitting_is_deterministic,
]
