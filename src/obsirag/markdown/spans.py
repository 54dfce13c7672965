"""Literal text, which nothing interprets, and comments, which nobody is shown."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from obsirag.markdown.blocks import scan
from obsirag.markdown.grammar import with_lf
from obsirag.markdown.leaves import LITERAL, leaves
from obsirag.markdown.lexer import CommentCloser, lex_leaf
from obsirag.markdown.merging import merge_spans
from obsirag.markdown.model import Block, Span
from obsirag.markdown.nested import CONTAINERS

__all__ = ["comment_spans", "hidden_spans", "literal_and_comment_spans", "literal_spans"]


_LITERAL_MARKS = ("`", "$", "%%", "~~~", "    ", "\t")
"""A block without any of these holds neither code nor maths nor comments."""


def literal_spans(text: str) -> list[Span]:
    """Return where nothing may be touched or interpreted: fences, indented code, code spans and maths, in order.

    Those in lists, quotes, callouts and footnotes are among them. Literal text inside a comment isn't: it is comment.
    """
    return literal_and_comment_spans(text)[0]


def comment_spans(text: str) -> list[Span]:
    """Return the comments ``%%…%%``, their marks included, in order; an opening mark that nothing closes is text."""
    return literal_and_comment_spans(text)[1]


def hidden_spans(text: str, blocks: Sequence[Block] | None, positions: Sequence[int]) -> list[Span]:
    """Return the literal text and the comments of the blocks that hold one of ``positions``, sorted and apart.

    Args:
        text: The text.
        blocks: Its blocks, if they are known already.
        positions: Offsets, rising.
    """
    with_positions = [
        block
        for block in (scan(text) if blocks is None else blocks)
        if bisect_left(positions, block.start) < bisect_left(positions, block.end)
    ]
    literals, comments = literal_and_comment_spans(text, with_positions)
    return merge_spans(literals + comments)


def literal_and_comment_spans(text: str, blocks: Sequence[Block] | None = None) -> tuple[list[Span], list[Span]]:
    """Return ``literal_spans`` and ``comment_spans`` together, from one scan.

    Args:
        text: The text.
        blocks: Those of its blocks that matter, all if None.
    """
    shadow = with_lf(text)
    closer = CommentCloser(shadow, len(shadow)) if "%%" in shadow else None
    inline = closer is not None or "`" in shadow or "$" in shadow
    literals: list[Span] = []
    comments: list[Span] = []
    position = 0  # all before lies inside a comment
    for block in scan(shadow) if blocks is None else blocks:
        if block.kind == "comment":
            end = closer.after(block.start) if closer else block.end
            comments.append((block.start, end))
            position = end
            # What follows the closing mark on its line may hold more.
            found, hidden = lex_leaf(shadow, min(end, block.end), block.end, closer)
            literals += found
            comments += hidden
            continue
        if block.kind in LITERAL:
            literals.append((block.start, block.end))
            continue
        if not inline and block.kind not in CONTAINERS:
            continue
        if not any(shadow.find(mark, block.start, block.end) >= 0 for mark in _LITERAL_MARKS):
            continue
        for leaf in leaves(shadow, block):
            start = max(leaf.start, position)
            if start >= leaf.end:
                continue
            if leaf.kind in LITERAL:
                if leaf.start >= position:
                    literals.append((leaf.start, leaf.end))
                continue
            found, hidden = lex_leaf(shadow, start, leaf.end, closer)
            literals += found
            comments += hidden
            position = hidden[-1][1] if hidden else position
    return literals, comments
