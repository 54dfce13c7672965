"""Obsidian's Markdown read in one linear pass: blocks, links, tags and ids as offsets into the text."""

from obsirag.markdown.block_ids import find_block_ids
from obsirag.markdown.blocks import scan
from obsirag.markdown.front_matter import split_front_matter
from obsirag.markdown.inline import inline_spans
from obsirag.markdown.links import find_links
from obsirag.markdown.model import Block, BlockId, LinkSpan, Span, TagSpan
from obsirag.markdown.nested import nested_blocks
from obsirag.markdown.spans import comment_spans, literal_spans
from obsirag.markdown.tags import find_tags

__all__ = [
    "Block",
    "BlockId",
    "LinkSpan",
    "Span",
    "TagSpan",
    "comment_spans",
    "find_block_ids",
    "find_links",
    "find_tags",
    "inline_spans",
    "literal_spans",
    "nested_blocks",
    "scan",
    "split_front_matter",
]

# scan(text, start=0, end=None) -> list[Block]
# nested_blocks(text, block) -> list[Block]                 what stands inside an item, quote, callout or footnote
# split_front_matter(text) -> (yaml_text | None, body_offset)
# literal_spans(text) -> list[Span]; comment_spans(text) -> list[Span]
# find_links(text) -> list[LinkSpan]; find_tags(text) -> list[TagSpan]; find_block_ids(text) -> list[BlockId]
# inline_spans(text, start, end) -> list[Span]
