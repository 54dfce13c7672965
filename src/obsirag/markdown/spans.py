"""Literal text, which nothing interprets, and comments, which nobody is shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from obsirag.markdown.blocks import scan
from obsirag.markdown.grammar import with_lf
from obsirag.markdown.leaves import LITERAL, leaves
from obsirag.markdown.lexer import CommentCloser, lex_leaf
from obsirag.markdown.merging import merge_spans
from obsirag.markdown.model import Block, Span
from obsirag.markdown.nested import CONTAINERS

__all__ = ["comment_spans", "hidden_spans", "literal_and_comment_spans", "literal_spans"]


# Where a line of a container is indented so far, it is code only behind a blank line or a block that is no paragraph.
_BEFORE_CODE = re.compile(
    r"\n[ \t>]*+\n|(?:[-+*>:]|[0-9][.)])(?:[ ]{4}|[ ]*+\t|[ \t]*+\n)"
    r"|(?:\A|\n)[ \t>]*+(?:(?:[-+*]|[0-9]{1,9}+[.)])[ \t>]++)*+(?:[#<|$:]|-[-|:]|\*\*\*|___|- -|\* \*|_ _)"
)


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
    """Return what hides one of ``positions``: the literal text and the comments of its block, sorted and apart.

    Args:
        text: The text.
        blocks: Its blocks, if they are known already.
        positions: Offsets, rising.
    """
    lexing = _Lexing(with_lf(text))
    for block, last in _blocks_around(scan(text) if blocks is None else blocks, positions):
        if lexing.may_hide(block, last):
            lexing.take(block, last + 1)
    return merge_spans(lexing.literals + lexing.comments)


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
    lexing = _Lexing(shadow)
    for block in scan(text) if blocks is None else blocks:
        lexing.take(block)
    return lexing.literals, lexing.comments


def _may_hold_indented_code(part: str) -> bool:
    return ("    " in part or "\t" in part) and _BEFORE_CODE.search(part) is not None


class _Lexing:
    """The literal text and the comments of blocks, taken in order.

    Args:
        text: Text with LF line ends.
    """

    def __init__(self, text: str) -> None:
        self.literals: list[Span] = []
        self.comments: list[Span] = []
        self._text = text
        self._closer = CommentCloser(text, len(text)) if "%" in text and "%%" in text else None
        self._position = 0  # all before lies inside a comment

    def may_hide(self, block: Block, position: int) -> bool:
        """Say whether something literal, or a comment, may begin in ``block`` before ``position``."""
        if block.kind in LITERAL or block.kind == "comment":
            return True
        part = self._text[block.start : position + 3]  # a mark of three may begin there
        if "`" in part or "$" in part or "%%" in part:
            return True
        return block.kind in CONTAINERS and ("~~~" in part or _may_hold_indented_code(part))

    def take(self, block: Block, until: int | None = None) -> None:
        """Find what is literal, and what is a comment, in the next block, as far as it begins before ``until``."""
        text, start, end = self._text, block.start, block.end
        if block.kind in LITERAL:
            self.literals.append((start, end))
        elif block.kind == "comment":
            after = self._closer.after(start) if self._closer else end
            self.comments.append((start, after))
            self._position = after
            # What follows the closing mark on its line may hold more.
            self._lex(min(after, end), end, until)
        elif block.kind not in CONTAINERS:
            self._lex(max(start, self._position), end, until)
        elif not self._lex_flat(start, end, until):
            for leaf in leaves(text, block):
                begin = max(leaf.start, self._position)
                if leaf.kind not in LITERAL:
                    self._lex(begin, leaf.end, until)
                elif begin == leaf.start:
                    self.literals.append((leaf.start, leaf.end))

    def _lex(self, start: int, end: int, until: int | None) -> None:
        text = self._text
        if start >= end or not (
            text.find("`", start, end) >= 0 or text.find("$", start, end) >= 0 or text.find("%%", start, end) >= 0
        ):
            return
        literals, comments = lex_leaf(text, start, end, self._closer, until)
        self.literals += literals
        if comments:
            self.comments += comments
            self._position = comments[-1][1]

    def _lex_flat(self, start: int, end: int, until: int | None) -> bool:
        """Read a container as if it were one leaf; return False, with nothing done, where that may be wrong.

        A code span that ends in its own line does so whatever leaf the line belongs to.
        """
        part = self._text[start:end]
        if "~~~" in part or "```" in part or "$$" in part or "%%" in part:
            return False
        if _may_hold_indented_code(part):
            return False
        if "`" not in part and "$" not in part:
            return True
        literals, _ = lex_leaf(self._text, start, end, None, until)
        if any("\n" in self._text[begin:after] for begin, after in literals):
            return False
        self.literals += literals
        return True
