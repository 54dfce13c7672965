"""Inline structures that prose must not be cut within."""

from __future__ import annotations

import re
from collections.abc import Callable

from obsirag.markdown.grammar import with_lf
from obsirag.markdown.lexer import CommentCloser, lex_leaf
from obsirag.markdown.links import markdown_links, wiki_links
from obsirag.markdown.merging import merge_spans
from obsirag.markdown.model import Span

__all__ = ["inline_spans"]

_NOT_BLANK_LINE = r"\n(?![ \t]*\n)"
_IN_ADDRESS = r"[^\s<>\"`|，。；！？、（）【】「」《》]++"
_BEHIND_SCHEME = re.compile(f"://{_IN_ADDRESS}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{1,15}\Z")
_LONGEST_SCHEME = 16
# Each begins with the characters before it, at which it is looked for: all in one would be tried at every character.
_PATTERNS = {
    "**": re.compile(rf"(?<![*\\])\*\*(?=[^\s*])(?:[^*\n]|\*(?!\*)|{_NOT_BLANK_LINE})++\*\*"),
    "__": re.compile(rf"(?<![\w_\\])__(?=[^\s_])(?:[^_\n]|_(?!_)|{_NOT_BLANK_LINE})++__(?!\w)"),
    "==": re.compile(rf"(?<![=\\])==(?=[^\s=])(?:[^=\n]|=(?!=)|{_NOT_BLANK_LINE})++=="),
    "~~": re.compile(rf"(?<![~\\])~~(?=[^\s~])(?:[^~\n]|~(?!~)|{_NOT_BLANK_LINE})++~~"),
    "<": re.compile(r"<[A-Za-z/!][^<>\n]*+>"),
    "[^": re.compile(r"\[\^[^\[\]\s]++\]"),
    "][": re.compile(r"\[[^\[\]\n]++\]\[[^\[\]\n]*+\]"),
    "]:": re.compile(  # what a reference leads to
        r"^[ \t>]*+\[(?!\^)[^\[\]\n]++\]:[ \t]*+(?:<[^<>\n]++>|\S++)"
        r"(?:[ \t]++(?:\"[^\"\n]*+\"|'[^'\n]*+'|\([^()\n]*+\)))?+(?=[ \t]*+$)",
        re.MULTILINE,
    ),
    "www.": re.compile(rf"www\.{_IN_ADDRESS}"),
}


def inline_spans(
    text: str, start: int = 0, end: int | None = None, matters: Callable[[int, int], bool] | None = None
) -> list[Span]:
    """Return what a cut through ``text[start:end]`` must not fall within: rising, apart from each other.

    These are links, what defines them, embeds, code spans, maths, comments, bold, highlighted and struck text, footnote
    marks, HTML tags and addresses; where they overlap or nest, one span covers them all. An unclosed mark protects
    nothing.

    Args:
        text: The text.
        start: Offset of the beginning of a paragraph or another leaf.
        end: Offset of its end, the text's end if None.
        matters: Says which of them matter, all if None; of one that doesn't, what is inside it stands for itself.
    """
    part = with_lf(text[start:end])
    spans: list[Span] = []
    comments = CommentCloser(part, len(part)) if "%%" in part else None
    if comments is not None or "`" in part or "$" in part or "<!--" in part:
        for found in lex_leaf(part, 0, len(part), comments):
            spans += found
    spans += [(begin, match.end()) for begin, match in wiki_links(part) + markdown_links(part)]
    for mark, pattern in _PATTERNS.items():
        if mark in part:
            spans += [match.span() for match in pattern.finditer(part)]
    if "://" in part:
        for match in _BEHIND_SCHEME.finditer(part):
            scheme = _SCHEME.search(part, max(0, match.start() - _LONGEST_SCHEME), match.start())
            if scheme:
                spans.append((scheme.start(), match.end()))
    found = [(start + begin, start + after) for begin, after in spans]
    if matters is None:
        return merge_spans(found)
    # Two that overlap may matter each, but not what they are together.
    return [span for span in merge_spans([span for span in found if matters(*span)]) if matters(*span)]
