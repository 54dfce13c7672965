"""A note as a tree of sections, in the order of the text."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from obsirag.markdown import Block
from obsirag.records import RenderedNote
from obsirag.splitters.bounds import shortened
from obsirag.splitters.regions import Labels, blocks_of, labels_of, regions_of

__all__ = ["Section", "outline", "sections_of"]


class Section:
    """One section: its heading with its own text, up to the first heading below it.

    The sections of a note stand in the order of the text; those below a section follow it at once.

    Args:
        parent: The index of the section above it, -1 for the first, which holds the text before the first heading.
        path: The headings down to it, its own included, each ``shortened``.
        resumes: Whether it has no heading because it goes on with its parent's text behind an embed that had headings.

    Attributes:
        blocks: Its heading and its own text.
        start: Offset of its first character; 0 for the first section if it is empty.
        end: Offset after its own text.
        last: The index of the last section below it.
    """

    __slots__ = ("blocks", "end", "last", "parent", "path", "resumes", "start")

    def __init__(self, parent: int, path: tuple[str, ...], *, resumes: bool = False) -> None:
        self.parent = parent
        self.path = path
        self.resumes = resumes
        self.blocks: list[Block] = []
        self.start = self.end = self.last = 0

    @property
    def bare(self) -> bool:
        """Whether it is nothing but its heading."""
        return len(self.blocks) == 1 and self.blocks[0].kind == "heading"


class _Open(NamedTuple):
    level: int
    section: int


def sections_of(rendered: RenderedNote, body: int, labels: Labels) -> list[Section]:
    """Return the sections of ``rendered`` in order; the first may be empty, the others have blocks.

    The headings of an embed stand below the section that holds it, and end with it.

    Args:
        rendered: The note.
        body: Offset behind its front matter.
        labels: Its permissions; blocks are cut at their borders.
    """
    sections = [Section(-1, ())]
    stack = [_Open(0, 0)]
    floors = [1]  # for the note and each island around: how high the stack was before it
    for region in regions_of(rendered, body):
        if len(floors) > region.shared + 1:
            del stack[floors[region.shared + 1] :]
            del floors[region.shared + 1 :]
        floors += [len(stack)] * (region.depth + 1 - len(floors))
        floor = floors[-1]
        sure = False  # whether the last section is the one whose text goes on
        for block in blocks_of(rendered.text, region):
            if block.kind == "heading":
                sure = True
                while len(stack) > floor and stack[-1].level >= block.level:
                    stack.pop()
                above = stack[-1].section
                heading = _public_heading(rendered.text, block, labels)
                sections.append(Section(above, (*sections[above].path, heading)))
                stack.append(_Open(block.level, len(sections) - 1))
            elif not sure and not _goes_on(sections, stack[-1].section):
                sure = True
                above = stack[-1].section
                sections.append(Section(above, sections[above].path, resumes=True))
            if labels.borders:
                sections[-1].blocks += _at_borders(rendered.text, block, labels)
            else:
                sections[-1].blocks.append(block)
    for index in range(len(sections) - 1, -1, -1):
        section = sections[index]
        section.last = max(section.last, index)
        if section.blocks:
            section.start, section.end = section.blocks[0].start, section.blocks[-1].end
        if section.parent >= 0:
            sections[section.parent].last = max(sections[section.parent].last, section.last)
    return sections


def _goes_on(sections: list[Section], current: int) -> bool:
    """Say whether the last section is the current one, or goes on with it."""
    last = sections[-1]
    return len(sections) - 1 == current or (last.resumes and last.parent == current)


def _public_heading(text: str, block: Block, labels: Labels) -> str:
    """Return a heading's text without what it embeds under other labels, which the chunks below it would show."""
    borders = labels.between(block.start, block.end)
    if not borders:
        return shortened(block.info)
    own = labels.at(block.start)
    cuts = [block.start, *borders, block.end]
    shown = "".join(text[start:end] for start, end in pairwise(cuts) if labels.at(start) == own)
    return shortened(shown.strip().lstrip("#").strip())


def _at_borders(text: str, block: Block, labels: Labels) -> list[Block]:
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
