"""Obsidian's Markdown read in one linear pass: blocks, links, tags and ids as offsets into the text."""

from obsirag.markdown.block_ids import find_block_ids
from obsirag.markdown.blocks import scan
from obsirag.markdown.front_matter import split_front_matter
from obsirag.markdown.grammar import is_escaped
from obsirag.markdown.inline import inline_spans
from obsirag.markdown.links import find_links
from obsirag.markdown.model import Block, BlockId, LinkSpan, Span, TagSpan
from obsirag.markdown.nested import nested_blocks
from obsirag.markdown.references import find_references
from obsirag.markdown.spans import comment_spans, hidden_spans, literal_spans
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
    "find_references",
    "find_tags",
    "hidden_spans",
    "inline_spans",
    "is_escaped",
    "literal_spans",
    "nested_blocks",
    "scan",
    "split_front_matter",
]
