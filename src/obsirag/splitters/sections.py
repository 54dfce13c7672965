"""A note as a tree of sections, in the order of the text."""

from __future__ import annotations

from itertools import pairwise

from obsirag.markdown import Block
from obsirag.records import RenderedNote
from obsirag.splitters.bounds import shortened
from obsirag.splitters.regions import Labels, blocks_of, labels_of, regions_of

__all__ = ["Section", "outline", "sections_of", "settle_ends"]


class Section:
    """One section: its heading with its own text, up to the first heading below it.

    The sections of a note stand in the order of the text; those below a section follow it at once.

    Args:
        index: Its own place in that order.
        parent: The index of the section above it, -1 for the first, which holds the text before the first heading.
        path: The headings down to it, its own included, each ``shortened``.
        blocks: Its heading and its own text.
        resumes: Whether it has no heading because it goes on with its parent's text: behind an embed that had headings,
            or with another topic.

    Attributes:
        start: Offset of its first character; 0 for the first section if it is empty.
        end: Offset after its own text.
        last: The index of the last section below it.
    """

    __slots__ = ("blocks", "end", "last", "parent", "path", "resumes", "start")

    def __init__(
        self, index: int, parent: int, path: tuple[str, ...], blocks: list[Block], *, resumes: bool = False
    ) -> None:
        self.parent = parent
        self.path = path
        self.blocks = blocks
        self.resumes = resumes
        self.last = index
        self.start, self.end = (blocks[0].start, blocks[-1].end) if blocks else (0, 0)

    @property
    def bare(self) -> bool:
        """Whether it is nothing but its heading."""
        return len(self.blocks) == 1 and self.blocks[0].kind == "heading"


def sections_of(rendered: RenderedNote, body: int, labels: Labels) -> list[Section]:
    """Return the sections of ``rendered`` in order; the first may be empty, the others have blocks.

    The headings of an embed stand below the section that holds it, and end with it.

    Args:
        rendered: The note.
        body: Offset behind its front matter.
        labels: Its permissions; blocks are cut at their borders.
    """
    text = rendered.text
    sections = [Section(0, -1, (), [])]
    levels, open_sections = [0], [0]  # of the sections around: the levels of their headings, and their indexes
    floors = [1]  # for the note and each island around: how many were open before it
    for region in regions_of(rendered, body):
        if len(floors) > region.shared + 1:
            del levels[floors[region.shared + 1] :], open_sections[floors[region.shared + 1] :]
            del floors[region.shared + 1 :]
        floors += [len(levels)] * (region.depth + 1 - len(floors))
        floor = floors[-1]
        blocks = blocks_of(text, region)
        headings = [index for index, block in enumerate(blocks) if block[0] == "heading"]
        headings.append(len(blocks))
        if headings[0]:
            _go_on(sections, open_sections[-1], _at_borders(text, blocks[: headings[0]], labels))
        for index, following in pairwise(headings):
            block = blocks[index]
            while len(levels) > floor and levels[-1] >= block.level:
                levels.pop()
                open_sections.pop()
            above = open_sections[-1]
            path = (*sections[above].path, _public_heading(text, block, labels))
            levels.append(block.level)
            open_sections.append(len(sections))
            sections.append(Section(len(sections), above, path, _at_borders(text, blocks[index:following], labels)))
    settle_ends(sections)
    return sections


def settle_ends(sections: list[Section]) -> None:
    """Note for each section which is the last below it."""
    for section in reversed(sections):
        if section.parent >= 0 and sections[section.parent].last < section.last:
            sections[section.parent].last = section.last


def _go_on(sections: list[Section], current: int, blocks: list[Block]) -> None:
    """Take in blocks before a region's first heading: they belong to the section that is open there."""
    last = sections[-1]
    if len(sections) - 1 == current or (last.resumes and last.parent == current):
        if not last.blocks:
            last.start = blocks[0].start
        last.blocks += blocks
        last.end = blocks[-1].end
    else:
        sections.append(Section(len(sections), current, sections[current].path, blocks, resumes=True))


def _public_heading(text: str, block: Block, labels: Labels) -> str:
    """Return a heading's text without what it embeds under other labels, which the chunks below it would show."""
    borders = labels.between(block.start, block.end) if labels.borders else ()
    if not borders:
        return shortened(block.info)
    own = labels.at(block.start)
    cuts = [block.start, *borders, block.end]
    shown = "".join(text[start:end] for start, end in pairwise(cuts) if labels.at(start) == own)
    return shortened(shown.strip().lstrip("#").strip())


def _at_borders(text: str, blocks: list[Block], labels: Labels) -> list[Block]:
    """Return ``blocks``, those that hold a border in fragments that don't."""
    if not labels.borders:
        return blocks
    return [part for block in blocks for part in _fragments(text, block, labels)]


def _fragments(text: str, block: Block, labels: Labels) -> list[Block]:
    borders = labels.between(block.start, block.end)
    if not borders:
        return [block]
    cuts = [block.start, *borders, block.end]
    fragments = []
    for start, end in pairwise(cuts):
        part = text[start:end]
        if part.strip():
            begin = start + len(part) - len(part.lstrip())
            kind = "heading" if block.kind == "heading" and start == block.start else "fragment"
            fragments.append(Block(kind, begin, begin + len(part.strip()), block.level, ""))
    return fragments


def outline(rendered: RenderedNote, body: int = 0) -> list[tuple[int, tuple[str, ...]]]:
    """Return the heading path of each part of ``rendered``: pairs of an offset and the path from there on.

    The headings of an embed that stands on lines of its own are below the heading that holds it, and end with it. Of a
    heading of more than 300 characters only the beginning is given, with an ellipsis.

    Args:
        rendered: The note.
        body: Offset behind a front matter at the start of its text.

    Returns:
        Rising offsets, the first 0 with the empty path, or the path of a heading that stands there.
    """
    found: list[tuple[int, tuple[str, ...]]] = [(0, ())]
    for section in sections_of(rendered, body, labels_of(rendered)):
        if not section.blocks or section.path == found[-1][1]:
            continue
        if section.start == found[-1][0]:
            found.pop()
        found.append((section.start, section.path))
    return found
