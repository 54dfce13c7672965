"""Inline tags."""

from __future__ import annotations

import re
from collections.abc import Sequence

from obsirag.markdown.links import MARKDOWN_LINK, WIKI_LINK, outside
from obsirag.markdown.merging import merge_spans
from obsirag.markdown.model import Block, TagSpan
from obsirag.markdown.spans import hidden_spans

__all__ = ["find_tags"]

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
    if "#" not in text:
        return []
    candidates = [match for match in _TAG.finditer(text) if not match[1].replace("/", "").isdigit()]
    if not candidates:
        return []
    hidden = hidden_spans(text, blocks, [match.start() for match in candidates])
    hidden += [match.span() for pattern in (WIKI_LINK, MARKDOWN_LINK) for match in pattern.finditer(text)]
    return [
        TagSpan(match.start(), match.start() + 1 + len(name), name)
        for match in outside(candidates, merge_spans(hidden))
        if (name := match[1].rstrip("/"))
    ]
