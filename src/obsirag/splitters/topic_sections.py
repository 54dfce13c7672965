"""Sections that are too large for one chunk parted where topics begin; the rest of the splitter then cuts as always."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from obsirag.markdown import Block, inline_spans
from obsirag.splitters.cutting import Cutter
from obsirag.splitters.grain import outside_spans
from obsirag.splitters.regions import Labels
from obsirag.splitters.sections import Section, settle_ends
from obsirag.splitters.topics import TopicStarts
from obsirag.splitters.units import Units
from obsirag.text import sentence_ends

__all__ = ["Division", "divide"]

_VISIBLE = re.compile(r"\S")


class Division(NamedTuple):
    """Sections, some of them parted.

    Args:
        sections: The sections in order; one of a topic has no heading of its own, and stands below the one it is of.
        torn: Where paragraphs were parted: the ends of what stands before, and the starts of what follows.
    """

    sections: list[Section]
    torn: frozenset[int]


def divide(sections: list[Section], labels: Labels, cutter: Cutter, topics: TopicStarts) -> Division:
    """Return the sections of a note, those whose own text fits no chunk parted where topics begin.

    Blocks stay whole, and those together that belong together, but for paragraphs that fit no chunk either.

    Args:
        sections: The sections.
        labels: The note's permissions; what is under different ones is not shown together.
        cutter: Knows the text and the limits.
        topics: Says where topics begin.
    """
    sizes = cutter.sizes
    torn: set[int] = set()
    runs: dict[int, list[list[Block]]] = {}
    for index, section in enumerate(sections):
        if section.blocks and not sizes.reaches(cutter.text, section.start, section.end, sizes.chunk):
            starts = [
                start for blocks in _stretches(section.blocks, labels) for start in _starts(blocks, cutter, topics)
            ]
            if starts:
                runs[index] = _parted(section.blocks, starts, cutter.text, torn)
    return Division(_with_topics(sections, runs) if runs else sections, frozenset(torn))


def _stretches(blocks: Sequence[Block], labels: Labels) -> Iterator[Sequence[Block]]:
    first = 0
    for index in range(1, len(blocks) + 1):
        if index == len(blocks) or labels.crosses(blocks[index - 1].start, blocks[index].start + 1):
            yield blocks[first:index]
            first = index


def _starts(blocks: Sequence[Block], cutter: Cutter, topics: TopicStarts) -> list[int]:
    """Return the offsets in ``blocks`` at which new topics begin."""
    offsets = [*_part_starts(blocks, cutter), blocks[-1].end]
    parts = [cutter.text[start:end] for start, end in pairwise(offsets)]
    return [offsets[index] for index in topics.of(parts, [cutter.sizes.length(part) for part in parts])]


def _part_starts(blocks: Sequence[Block], cutter: Cutter) -> Iterator[int]:
    """Yield where the parts begin between which ``blocks`` may be parted."""
    text, sizes = cutter.text, cutter.sizes
    ends = set(Units(text, sizes, blocks, cutter.spans_of).ends)
    opens, stands_alone = True, True  # whether a part begins here, and whether nothing but headings stand above in it
    for block in blocks:
        if opens:
            yield block.start
        stands_alone = opens or stands_alone
        opens = block.end in ends
        large = block.kind == "paragraph" and not sizes.reaches(text, block.start, block.end, sizes.chunk)
        if large and stands_alone and opens:  # of what is glued to code or to words that lead in, the rules know better
            spans = inline_spans(text, block.start, block.end)
            for end in outside_spans(sentence_ends(text, block.start, block.end), spans):
                if found := _VISIBLE.search(text, end, block.end):
                    yield found.start()
        stands_alone = block.kind == "heading"


def _parted(blocks: Sequence[Block], starts: Sequence[int], text: str, torn: set[int]) -> list[list[Block]]:
    """Return ``blocks`` in runs that begin at ``starts``; what is parted within a block is noted in ``torn``."""
    runs: list[list[Block]] = [[]]
    waiting = iter(starts)
    start = next(waiting, len(text))
    for block in blocks:
        begin = block.start
        while start < block.end:
            if begin < start:
                end = begin + len(text[begin:start].rstrip())
                torn.update((end, start))
                runs[-1].append(block._replace(start=begin, end=end))
            runs.append([])
            begin, start = start, next(waiting, len(text))
        runs[-1].append(block._replace(start=begin))
    return runs


def _with_topics(sections: Sequence[Section], runs: dict[int, list[list[Block]]]) -> list[Section]:
    moved: list[int] = []
    divided: list[Section] = []
    for index, section in enumerate(sections):
        own, *others = runs.get(index, [section.blocks])
        parent = moved[section.parent] if section.parent >= 0 else -1
        moved.append(len(divided))
        divided.append(Section(len(divided), parent, section.path, own, resumes=section.resumes))
        divided += [
            Section(len(divided) + more, moved[index], section.path, blocks, resumes=True)
            for more, blocks in enumerate(others)
        ]
    settle_ends(divided)
    return divided
