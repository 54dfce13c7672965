"""The scan of a text's top level into blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from obsirag.markdown.glance import take_blocks
from obsirag.markdown.model import Block
from obsirag.markdown.top_level import TopLevel

__all__ = ["scan"]


def scan(text: str, start: int = 0, end: int | None = None) -> list[Block]:
    """Return the blocks of ``text[start:end]`` in order, in one pass, linear in its length whatever it holds.

    The text is read as if it stood alone: nothing before ``start`` or behind ``end`` matters. Front matter isn't known
    here (see ``split_front_matter``). What stands between the blocks is blank.

    Args:
        text: Markdown with any line ends.
        start: Offset to begin at, the beginning of a line.
        end: Offset to end at, the text's end if None.
    """
    if end is None and "\r" not in text:
        return _scan(text, start)
    part = text[start:end]
    if "\r" not in part:
        blocks = _scan(part)
    else:
        blocks = _moved_behind_returns(_scan(part.replace("\r\n", "\n").replace("\r", "\n")), part)
    if start:
        return [block._replace(start=block.start + start, end=block.end + start) for block in blocks]
    return blocks


def _scan(text: str, start: int = 0) -> list[Block]:
    """Return the blocks of a text with LF line ends, from the beginning of the line at ``start`` on.

    Nearly all blocks end where their lines' beginnings say so; the others are looked at with care, one by one.
    """
    text = text.rstrip(" \t\n")
    end = len(text)
    blocks: list[Block] = []
    careful: TopLevel | None = None
    position = start
    mark = _comment_mark(text, start)
    while position < end and ((position := take_blocks(text, position, mark, blocks)) < end or position > mark):
        careful = careful or TopLevel(text)
        if position > mark:
            blocks[-1] = careful.with_comments(blocks[-1])
            position = careful.line_end(blocks[-1].end)  # what is a blank in Unicode only would begin a block
        else:
            position = careful.take(position, blocks)
            while careful.ahead is not None and careful.ahead.start >= position:  # a glance may tell it otherwise
                position = careful.take(position, blocks)
        if mark < position:
            mark = _comment_mark(text, position)
    return blocks


def _comment_mark(text: str, position: int) -> int:
    """Return where the next mark of a comment is, the text's end if there is none."""
    # A single character is found ten times as fast as two.
    found = text.find("%%", position) if "%" in text else -1
    return len(text) if found < 0 else found


def _moved_behind_returns(blocks: list[Block], text: str) -> list[Block]:
    """Return blocks whose offsets refer to ``text``, given those for it with each CR LF as one character."""
    offsets = _offsets_behind_returns(text)
    dropped, following = 0, next(offsets)  # how many characters less stand before; where the next is dropped
    moved = []
    for block in blocks:
        start, end = block.start, block.end
        while following < start:
            dropped, following = dropped + 1, next(offsets)
        start += dropped
        while following < end:
            dropped, following = dropped + 1, next(offsets)
        moved.append(block._replace(start=start, end=end + dropped))
    return moved


def _offsets_behind_returns(text: str) -> Iterator[int]:
    """Yield the offset of each CR LF of ``text``, those before counted as one character; at last one behind the end."""
    for dropped, found in enumerate(re.finditer("\r\n", text)):
        yield found.start() - dropped
    yield len(text)
