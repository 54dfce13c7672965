"""The links and tags of a text, found together."""

from __future__ import annotations

from collections.abc import Sequence

from obsirag.markdown.links import links_outside, markdown_links, wiki_links
from obsirag.markdown.model import Block, LinkSpan, TagSpan
from obsirag.markdown.spans import hidden_spans
from obsirag.markdown.tags import raw_tags, tags_outside

__all__ = ["find_references"]


def find_references(text: str, blocks: Sequence[Block] | None = None) -> tuple[list[LinkSpan], list[TagSpan]]:
    """Return what ``find_links`` and ``find_tags`` return, from one look at the code, maths and comments around them.

    Args:
        text: The text.
        blocks: What ``scan`` says of it, if that is known already.
    """
    wikis, others, tags = wiki_links(text), markdown_links(text), raw_tags(text)
    if not wikis and not others and not tags:
        return [], []
    hidden = hidden_spans(text, blocks, sorted(start for start, _ in wikis + others + tags))
    return links_outside(wikis, others, hidden), tags_outside(tags, hidden, wikis + others)
