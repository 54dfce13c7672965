"""Why a chunk is longer than it should be."""

from __future__ import annotations

from itertools import groupby

from langchain_core.documents import Document

from obsirag.markdown import scan
from obsirag.splitters.grain import CODE
from obsirag.splitters.measuring import Limits, MeasuredChunk, OversizeChunk, number_in
from obsirag.text import grapheme_end

__all__ = ["REASONS", "oversize"]

REASONS = {
    "one-grapheme": "one character as people see it, which is never cut",
    "whole-code": "code kept whole, with the heading or text above it that fits",
    "heading-and-structure": "a heading kept with the first structure below it",
    "table-row": "a table's row with its head",
    "one-structure": "one structure that the splitter didn't cut",
    "several-structures": "several structures that the splitter put together",
}
"""The stable codes for why a chunk passes a limit, and what they mean."""

_ROW = 3  # lines: a table's head, the marks under it, and one row


def oversize(document: Document, chunk: MeasuredChunk, limits: Limits) -> OversizeChunk | None:
    """Return which limit a chunk passes, and why; None if it keeps to them.

    Args:
        document: The chunk.
        chunk: Its length and place.
        limits: What it should keep to.
    """
    for name, limit in (("max_chunk_size", limits.max_chunk_size), ("chunk_size", limits.chunk_size)):
        if limit is not None and chunk.length > limit:
            return OversizeChunk(chunk, limit, name, *_reason(document))
    return None


def _reason(document: Document) -> tuple[str, tuple[str, ...]]:
    """Return the code of the reason, and the kinds of the chunk's blocks."""
    content = document.page_content
    if content and grapheme_end(content, 0, len(content)) == len(content):
        return "one-grapheme", ()
    # What is repeated of the chunk before would be read as a part of this chunk's first block.
    before = str(document.metadata.get("context_before") or "")
    text = content if before else content[number_in(document.metadata, "overlap") :]
    blocks = scan(text)
    kinds = tuple(kind for kind, _ in groupby(block.kind for block in blocks))
    bare = kinds[1:] if kinds[:1] == ("heading",) else kinds
    if len(bare) <= 2 and bare and bare[-1] in CODE and bare[0] in {*CODE, "paragraph"}:
        return "whole-code", kinds
    if len(blocks) == 1 and kinds == ("table",) and len(text.strip().splitlines()) <= _ROW:
        return "table-row", kinds
    if len(blocks) == 1:
        return "one-structure", kinds
    return "heading-and-structure" if kinds[:1] == ("heading",) and len(bare) == 1 else "several-structures", kinds
