"""Any splitter, any length, and what the splitter's laws ask of a text, read anew from the scan."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from hypothesis import strategies as st
from langchain_core.documents import Document

from obsirag.markdown import Block, inline_spans, nested_blocks, scan, split_front_matter
from obsirag.splitters import ObsidianSplitter
from obsirag.splitters.sizes import Sizes
from obsirag.text import estimate_tokens, grapheme_end, sentence_ends, word_count
from obsirag.text.characters import CJK

PROTECTED = {"fence", "indented_code", "table", "math", "callout", "quote", "html", "item", "footnote", "comment"}
CODE = {"fence", "indented_code"}
CONTAINERS = {"item", "quote", "callout", "footnote"}
WORD = re.compile(rf"[{CJK}][，。、；：？！）】」』》〉”’…,.;:?!)\]}}]*|\S+")
PIECE = re.compile(r"\w+|[^\w\s]")


def byte_length(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def line_count(text: str) -> int:
    return text.count("\n") + text.count("\r") + 1


def piece_count(text: str) -> int:
    """Return the number of words and marks: less than that of two halves together."""
    return len(PIECE.findall(text))


def rounded(text: str) -> int:
    return -(-len(text) // 8)


lengths: st.SearchStrategy[Callable[[str], int]] = st.sampled_from(
    [len, len, len, byte_length, word_count, estimate_tokens, piece_count, rounded, line_count]
)
size_values = st.one_of(st.integers(1, 30), st.integers(1, 30), st.integers(30, 400), st.integers(1, 2000))


@st.composite
def splitters(draw: st.DrawFn) -> ObsidianSplitter:
    size = draw(size_values)
    return ObsidianSplitter(
        chunk_size=size,
        min_chunk_size=draw(st.one_of(st.none(), size_values)),
        chunk_overlap=draw(st.one_of(st.just(0), st.integers(0, 60))),
        max_chunk_size=draw(st.one_of(st.none(), st.integers(size, 3 * size), size_values)),
        length_function=draw(lengths),
        input_limit=draw(st.one_of(st.none(), st.none(), st.integers(1, 300))),
        input_length=draw(st.sampled_from([None, byte_length])),
    )


def split(splitter: ObsidianSplitter, text: str) -> list[Document]:
    return splitter.create_documents([text], [{"source": "folder/note.md"}])


def own_start(chunk: Document) -> int:
    return int(chunk.metadata["start_index"]) + int(chunk.metadata["overlap"])


def note_blocks(text: str) -> list[Block]:
    """Return the blocks of a note, each beginning with a character that isn't blank."""
    blocks = scan(text, split_front_matter(text)[1])
    return [block._replace(start=visible_from(text, block.start)) for block in blocks]


def visible_from(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def protected(text: str) -> list[tuple[int, int]]:
    """Return what must not be cut where it fits: structures, headings, and spans in prose."""
    found: list[tuple[int, int]] = []
    for block in note_blocks(text):
        blocks = [block, *nested_blocks(text, block)]
        found += [(each.start, each.end) for each in blocks if each.kind in PROTECTED]
        found += [(block.start, block.end)] if block.kind == "heading" else []
        found += [
            span
            for each in blocks
            if each.kind in ("paragraph", "heading")
            for span in inline_spans(text, each.start, each.end)
        ]
    return found


def headings_with_text(text: str) -> Iterator[tuple[Block, Block, Block]]:
    """Yield each heading that has text, the first block of its text, and the topmost heading right above them.

    A heading that holds nothing but the next one has its text, as far as that goes a level down each time.
    """
    blocks = note_blocks(text)
    for index, heading in enumerate(blocks):
        if heading.kind != "heading":
            continue
        after = index + 1
        while after < len(blocks) and blocks[after].kind == "heading" and blocks[after].level > blocks[after - 1].level:
            after += 1
        if after == len(blocks) or blocks[after].kind == "heading":
            continue
        top = index
        while top and blocks[top - 1].kind == "heading" and blocks[top - 1].level < blocks[top].level:
            top -= 1
        yield heading, blocks[after], blocks[top]


def first_words(text: str, start: int, end: int) -> int:
    """Return where the first word of ``text[start:end]`` ends, or the span that it is in; a character in Chinese."""
    word = WORD.match(text, start, end)
    stop = word.end() if word else end
    for begin, after in inline_spans(text, start, end):
        if begin < stop < after:
            stop = after
    return stop


def first_piece(text: str, block: Block, sizes: Sizes) -> int | None:
    """Return where the least part of a block ends that a heading takes along.

    That is the first word, with the span that it is in. Of one that fits no chunk, it is one character if letters and
    digits are all of it; else, and of marks, nothing can be said, and the answer is None.
    """
    start, end = block.start, block.end
    word = first_words(text, start, end)
    if not text[start].isalnum() and all(begin != start for begin, _ in inline_spans(text, start, end)):
        return None
    for stop in (word, *(after for begin, after in inline_spans(text, start, end) if begin == start)):
        if sizes.fits(text, start, stop, sizes.chunk):
            return stop
    return grapheme_end(text, start, end) if text[start:word].isalnum() and text[start:word].isascii() else None


def first_sentence(text: str, block: Block) -> int:
    spans = inline_spans(text, block.start, block.end)
    for end in sentence_ends(text, block.start, block.end):
        if not any(begin < end < after for begin, after in spans):
            return end
    return block.end


def leads_in(text: str, block: Block, following: Block) -> bool:
    """Say whether a block introduces the one after it: its last visible character is a colon, or it is bold."""
    content = text[block.start : block.end]
    bold = re.fullmatch(r"\*\*[^*_\s]+\*\*", content) is not None
    if block.kind == "paragraph" and following.kind in {*PROTECTED, "paragraph"} - {"comment", "footnote"}:
        return bold or content.rstrip("*_ ").endswith((":", "：")) or following.kind in CODE
    structures = {*CODE, "table", "quote", "callout", "math", "html"}
    return block.kind == "item" and following.kind in structures and content.rstrip("*_ ").endswith((":", "："))
