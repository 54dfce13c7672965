"""Literal text, which nothing interprets, and comments, which nobody is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from obsirag.markdown.blocks import scan
from obsirag.markdown.grammar import with_lf
from obsirag.markdown.hidden_text import HiddenText
from obsirag.markdown.lexer import CommentCloser
from obsirag.markdown.merging import merge_spans
from obsirag.markdown.model import Block, Span
from obsirag.markdown.top_level import TopLevel

__all__ = ["comment_spans", "hidden_spans", "literal_and_comment_spans", "literal_spans"]


def literal_spans(text: str, blocks: Sequence[Block] | None = None) -> list[Span]:
    """Return where nothing may be touched or interpreted: fences, indented code, code spans and maths, in order.

    Those in lists, quotes, callouts and footnotes are among them. Literal text inside a comment isn't: it is comment.

    Args:
        text: The text.
        blocks: What ``scan`` says of it, if that is known already.
    """
    return literal_and_comment_spans(text, blocks)[0]


def comment_spans(text: str, blocks: Sequence[Block] | None = None) -> list[Span]:
    """Return the comments ``%%…%%``, their marks included, in order; an opening mark that nothing closes is text.

    Args:
        text: The text.
        blocks: What ``scan`` says of it, if that is known already.
    """
    if "%%" not in text:
        return []
    marks = [found.start() for found in re.finditer("%%", text)]
    around = _blocks_around(scan(text) if blocks is None else blocks, marks)
    return literal_and_comment_spans(text, [block for block, _ in around])[1]


def hidden_spans(text: str, blocks: Sequence[Block] | None, positions: Sequence[int]) -> list[Span]:
    """Return what hides one of ``positions``: the literal text, HTML and comments of its block, sorted and apart.

    Args:
        text: The text.
        blocks: Its blocks, if they are known already.
        positions: Offsets, rising.
    """
    shadow = with_lf(text)
    closer = _closer_in(shadow)
    hidden = HiddenText(shadow, closer)
    for block, last in _blocks_around(scan(text) if blocks is None else blocks, positions):
        if hidden.may_hide(block, last):
            hidden.take(block, last + 1, _own_end(shadow, block) if closer else None)
    return merge_spans(hidden.literals + hidden.comments + hidden.html)


def _blocks_around(blocks: Iterable[Block], positions: Iterable[int]) -> Iterator[tuple[Block, int]]:
    """Yield the blocks that hold one of ``positions``, each with the last that it holds."""
    waiting = iter(positions)
    position = next(waiting, None)
    for block in blocks:
        if position is None:
            return
        if position < block.end:
            last = -1
            while position is not None and position < block.end:
                last = position
                position = next(waiting, None)
            if last >= block.start:
                yield block, last


def literal_and_comment_spans(text: str, blocks: Sequence[Block] | None = None) -> tuple[list[Span], list[Span]]:
    """Return ``literal_spans`` and ``comment_spans`` together, from one scan.

    Args:
        text: The text.
        blocks: Those of its blocks that matter, all if None.
    """
    shadow = with_lf(text)
    closer = _closer_in(shadow)
    hidden = HiddenText(shadow, closer)
    for block in scan(text) if blocks is None else blocks:
        hidden.take(block, None, _own_end(shadow, block) if closer else None)
    return hidden.literals, hidden.comments


def _closer_in(text: str) -> CommentCloser | None:
    return CommentCloser(text, len(text)) if "%" in text and "%%" in text else None


def _own_end(text: str, block: Block) -> int:
    """Return where a block ends but for the lines that a comment adds to it; code and maths don't reach into these."""
    if block.kind not in ("paragraph", "heading", "table") or text.find("%%", block.start, block.end) < 0:
        return block.end
    return min(block.end, TopLevel(text, comments=False, enough=block.end).end_of(block.start))
