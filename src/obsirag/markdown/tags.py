"""Inline tags."""

from __future__ import annotations

import re
from collections.abc import Sequence

from obsirag.markdown.links import RawLink, markdown_links, outside, wiki_links
from obsirag.markdown.merging import merge_spans
from obsirag.markdown.model import Block, Span, TagSpan
from obsirag.markdown.spans import hidden_spans

__all__ = ["find_tags", "raw_tags", "tags_outside"]

# The mark comes first in the pattern, so that it is searched for at full speed.
# What ends a tag: blanks, punctuation of ASCII but for - _ /, general and Chinese punctuation, full-width forms.
_TAG = re.compile(
    r"#(?<![^\s(（\[，。、；：！？>*_]#)([^\s!-,.:-@\[-^`{-~\u00a0-\u00bf\u2000-\u206f\u2e00-\u2e7f\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]++)"
)


def find_tags(text: str, blocks: Sequence[Block] | None = None) -> list[TagSpan]:
    """Return the tags of ``text`` in order: ``#tag``, ``#a/b``, outside code, maths, comments and links.

    A tag holds at least one character that isn't a digit. It is given as written; Obsidian compares tags without case.

    Args:
        text: The text.
        blocks: What ``scan`` says of it, if that is known already.
    """
    candidates = raw_tags(text)
    if not candidates:
        return []
    hidden = hidden_spans(text, blocks, [start for start, _ in candidates])
    return tags_outside(candidates, hidden, wiki_links(text) + markdown_links(text))


def raw_tags(text: str) -> list[RawLink]:
    """Return what looks like a tag, wherever it stands."""
    if "#" not in text:
        return []
    return [(found.start(), found) for found in _TAG.finditer(text) if not found[1].replace("/", "").isdigit()]


def tags_outside(candidates: list[RawLink], hidden: list[Span], links: list[RawLink]) -> list[TagSpan]:
    """Return the tags that begin neither within ``hidden`` nor within what looks like a link."""
    taken = merge_spans(hidden + [(start, found.end()) for start, found in links]) if links else hidden
    return [
        TagSpan(start, start + 1 + len(name), name)
        for start, found in outside(candidates, taken)
        if (name := found[1].rstrip("/"))
    ]
