"""Sections packed into pieces: whole ones together while they fit, what is too large on its own."""

from __future__ import annotations

from dataclasses import dataclass, field

from obsirag.markdown import Block
from obsirag.splitters.cutting import Cutter
from obsirag.splitters.pieces import Piece
from obsirag.splitters.regions import Labels
from obsirag.splitters.sections import Section

__all__ = ["pack"]


@dataclass(slots=True)
class _Bundle:
    """What has been put together so far.

    Args:
        start: Where it begins.
        end: Where it ends.
        root: The section whose children may join.
        headings: Its blocks, as long as it is nothing but headings, which must not stand alone.
        tail: Whether it may be put behind the piece before: it holds only whole sections.
    """

    start: int
    end: int
    root: int
    headings: list[Block] = field(default_factory=list)
    tail: bool = False


def pack(sections: list[Section], labels: Labels, cutter: Cutter) -> list[Piece]:
    """Return the pieces of a note in order.

    Args:
        sections: Its sections.
        labels: Its permissions; no piece holds text under different ones.
        cutter: Cuts the sections that are too large.
    """
    packer = _Packer(sections, labels, cutter)
    index = 0 if sections[0].blocks else 1
    while index < len(sections):
        if packer.add_whole(index):
            index = sections[index].last + 1
        else:
            packer.add_own(index)
            index += 1
    packer.flush()
    return packer.pieces


class _Packer:
    def __init__(self, sections: list[Section], labels: Labels, cutter: Cutter) -> None:
        self.sections = sections
        self.labels = labels
        self.cutter = cutter
        self.sizes = cutter.sizes
        self.pieces: list[Piece] = []
        self.current: _Bundle | None = None
        self.root_of_last: int | None = None  # what may still join the last piece; None if that is a cut section's

    def add_whole(self, index: int) -> bool:
        """Take in a section with all below it; return False if that doesn't fit."""
        section = self.sections[index]
        start, end = section.start, self.sections[section.last].end
        if not self._fits(start, end):
            return False
        current = self.current
        if current is not None and current.headings and current.root == section.parent:
            if not self._fits(current.start, end):
                return False
            current.end, current.headings = end, []
            return True
        if (
            current is not None
            and current.root == section.parent
            and self._short(current)
            and self._fits(current.start, end)
        ):
            current.end = end
            return True
        self.flush()
        self.current = _Bundle(start, end, section.parent, tail=True)
        return True

    def add_own(self, index: int) -> None:
        """Take in a section without those below it."""
        section, current = self.sections[index], self.current
        blocks = section.blocks
        if current is not None and current.headings and current.root == section.parent:
            if section.bare and not self.labels.crosses(current.start, section.end):
                current.end, current.root = section.end, index
                current.headings = current.headings + blocks
                return
            if not self.labels.crosses(current.start, section.start + 1):
                blocks = current.headings + blocks
                self.current = current = None
        if (
            current is not None
            and current.root == section.parent
            and not section.bare
            and self._very_short(current)
            and self._fits(current.start, section.end)
        ):
            current.end, current.root, current.tail = section.end, index, False
            return
        self.flush()
        if section.bare and blocks is section.blocks:
            self.current = _Bundle(section.start, section.end, index, blocks)
        elif self._fits(blocks[0].start, section.end):
            self.current = _Bundle(blocks[0].start, section.end, index)
        else:
            self._cut(blocks)

    def _cut(self, blocks: list[Block]) -> None:
        first = 0
        for index in range(1, len(blocks) + 1):
            if index == len(blocks) or self.labels.crosses(blocks[index - 1].start, blocks[index].start + 1):
                self.pieces += self.cutter.cut(blocks[first:index])
                first = index
        self.root_of_last = None

    def flush(self) -> None:
        """End the current bundle."""
        current, self.current = self.current, None
        if current is None:
            return
        if not self.sizes.reaches(self.cutter.text, current.start, current.end, self.sizes.chunk):
            self._cut(current.headings)
            return
        last = self.pieces[-1] if self.pieces else None
        if (
            last is not None
            and current.tail
            and self.root_of_last == current.root
            and self._short(current)
            and self._fits(last.start, current.end)
        ):
            last.end = current.end
            return
        self.pieces.append(Piece(current.start, current.end))
        self.root_of_last = current.root

    def _fits(self, start: int, end: int) -> bool:
        return self.sizes.reaches(self.cutter.text, start, end, self.sizes.chunk) and not self.labels.crosses(
            start, end
        )

    def _short(self, bundle: _Bundle) -> bool:
        return self.sizes.reaches(self.cutter.text, bundle.start, bundle.end, self.sizes.minimum - 1)

    def _very_short(self, bundle: _Bundle) -> bool:
        return self.sizes.reaches(self.cutter.text, bundle.start, bundle.end, self.sizes.minimum // 4)
