"""Where a note's code is, and in which languages."""

from __future__ import annotations

from collections.abc import Sequence

from obsirag.markdown import nested_blocks
from obsirag.markdown.grammar import with_lf
from obsirag.markdown.hidden_text import may_hold_indented_code
from obsirag.splitters.bounds import shortened
from obsirag.splitters.grain import CODE, CONTAINERS
from obsirag.splitters.sections import Section

__all__ = ["CodeBlock", "code_blocks_of", "languages_in"]

CodeBlock = tuple[int, int, str]
"""Start, end and language of a code block."""


def code_blocks_of(text: str, sections: Sequence[Section]) -> list[CodeBlock]:
    """Return all code blocks, those in lists and quotes included, in order.

    The language is the first word behind a fence's marks, in small letters, ``shortened``; empty if there is none.
    """
    found: list[CodeBlock] = []
    in_containers = "```" in text or "~~~" in text or "    " in text or "\t" in text
    for section in sections:
        for block in section.blocks:
            kind = block[0]
            if kind in CODE:
                found.append((block.start, block.end, _language(block.info)))
            elif in_containers and kind in CONTAINERS and _may_hold_code(text[block.start : block.end]):
                found += [
                    (each.start, each.end, _language(each.info))
                    for each in nested_blocks(text, block)
                    if each.kind in CODE
                ]
    return found


def languages_in(code: Sequence[CodeBlock], spans: Sequence[tuple[int, int]]) -> list[list[str] | None]:
    """Return for each of ``spans``, which rise, the languages of the code in it, None where there is no code."""
    found: list[list[str] | None] = []
    at = 0
    for start, end in spans:
        while at < len(code) and code[at][1] <= start:
            at += 1
        index = at
        languages: dict[str, None] | None = None
        while index < len(code) and code[index][0] < end:
            languages = {} if languages is None else languages
            if code[index][2]:
                languages[code[index][2]] = None
            index += 1
        found.append(None if languages is None else list(languages))
    return found


def _may_hold_code(part: str) -> bool:
    return "```" in part or "~~~" in part or may_hold_indented_code(with_lf(part))


def _language(info: str) -> str:
    words = info.split()
    return shortened(words[0].lower().strip("{}.")) if words else ""
