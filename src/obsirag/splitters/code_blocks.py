"""Where a note's code is, and in which languages."""

from __future__ import annotations

from collections.abc import Sequence

from obsirag.markdown import nested_blocks
from obsirag.splitters.bounds import shortened
from obsirag.splitters.grain import CODE, CONTAINERS
from obsirag.splitters.sections import Section

__all__ = ["code_blocks_of"]


def code_blocks_of(text: str, sections: Sequence[Section]) -> list[tuple[int, int, str]]:
    """Return start, end and language of all code blocks, those in lists and quotes included, in order.

    The language is the first word behind a fence's marks, in small letters, ``shortened``; empty if there is none.
    """
    found: list[tuple[int, int, str]] = []
    for section in sections:
        for block in section.blocks:
            if block.kind in CODE:
                found.append((block.start, block.end, _language(block.info)))
            elif block.kind in CONTAINERS and _may_hold_code(text, block.start, block.end):
                found += [
                    (each.start, each.end, _language(each.info))
                    for each in nested_blocks(text, block)
                    if each.kind in CODE
                ]
    return found


def _may_hold_code(text: str, start: int, end: int) -> bool:
    return any(text.find(mark, start, end) >= 0 for mark in ("```", "~~~", "     ", "\t"))


def _language(info: str) -> str:
    words = info.split()
    return shortened(words[0].lower().strip("{}.")) if words else ""
