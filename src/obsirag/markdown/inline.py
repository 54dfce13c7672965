"""Inline structures that prose must not be cut within."""

from __future__ import annotations

import re

from obsirag.markdown.grammar import with_lf
from obsirag.markdown.lexer import CommentCloser, lex_leaf
from obsirag.markdown.links import markdown_links, wiki_links
from obsirag.markdown.merging import merge_spans
from obsirag.markdown.model import Span

__all__ = ["inline_spans"]

_NOT_BLANK_LINE = r"\n(?![ \t]*\n)"
_MARKED = [
    re.compile(rf"(?<![*\\])\*\*(?=[^\s*])(?:[^*\n]|\*(?!\*)|{_NOT_BLANK_LINE})++\*\*"),
    re.compile(rf"(?<![\w_\\])__(?=[^\s_])(?:[^_\n]|_(?!_)|{_NOT_BLANK_LINE})++__(?!\w)"),
    re.compile(rf"(?<![=\\])==(?=[^\s=])(?:[^=\n]|=(?!=)|{_NOT_BLANK_LINE})++=="),
    re.compile(rf"(?<![~\\])~~(?=[^\s~])(?:[^~\n]|~(?!~)|{_NOT_BLANK_LINE})++~~"),
]
_OTHER = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,15}+://|www\.)[^\s<>\"`|，。；！？、（）【】「」《》]++"
    r"|<[A-Za-z/!][^<>\n]*+>"
    r"|\[\^[^\]\s]++\]"
    r"|\[[^\[\]\n]++\]\[[^\[\]\n]*+\]",
    re.IGNORECASE,
)


def inline_spans(text: str, start: int = 0, end: int | None = None) -> list[Span]:
    """Return what a cut through ``text[start:end]`` must not fall within: rising, apart from each other.

    These are links, embeds, code spans, maths, comments, bold, highlighted and struck text, footnote marks, HTML tags
    and addresses; where they overlap or nest, one span covers them all. An unclosed mark protects nothing.

    Args:
        text: The text.
        start: Offset of the beginning of a paragraph or another leaf.
        end: Offset of its end, the text's end if None.
    """
    part = with_lf(text[start:end])
    spans: list[Span] = []
    comments = CommentCloser(part, len(part)) if "%%" in part else None
    if comments is not None or "`" in part or "$" in part or "<!--" in part:
        for found in lex_leaf(part, 0, len(part), comments):
            spans += found
    spans += [(begin, match.end()) for begin, match in wiki_links(part) + markdown_links(part)]
    for mark, pattern in zip(("**", "__", "==", "~~"), _MARKED, strict=True):
        if mark in part:
            spans += [match.span() for match in pattern.finditer(part)]
    if "://" in part or "www." in part or "<" in part or "[" in part:
        spans += [match.span() for match in _OTHER.finditer(part)]
    return [(start + begin, start + after) for begin, after in merge_spans(spans)]
