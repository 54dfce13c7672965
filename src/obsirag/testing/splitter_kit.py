"""How the checks of splitters cut, and see what became of a text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from langchain_text_splitters import TextSplitter

from obsirag.testing.checks import expect
from obsirag.testing.conformance import Conformance

__all__ = ["MARKDOWN", "PROSE", "Gaps", "SplitterKit", "find_gaps"]

PROSE = "\n\n".join(
    " ".join(f"Sentence {line}.{word} tells how part {line * 100 + word} works." for word in range(12))
    for line in range(1, 25)
)
"""Paragraphs of which no two sentences are alike."""

MARKDOWN = "\n\n".join(
    [
        "# The engine\n\nWhat the engine does, in 3 chapters.",
        *(
            f"## Chapter {chapter}\n\nChapter {chapter} begins here. 第{chapter}章讲述引擎的第{chapter}部分。\n\n"
            + "\n".join(f"- item {chapter}.{item} is about [[Note {chapter}-{item}]]" for item in range(8))
            + f"\n\n### Details of {chapter}\n\n"
            + " ".join(f"Detail {chapter}.{detail} is known." for detail in range(30))
            for chapter in range(1, 4)
        ),
    ]
)
"""A note with headings and lists, and without what a splitter may repeat, such as the heads of tables."""


class Gaps(NamedTuple):
    """What became of a text.

    Args:
        lost: Pieces that stand in no chunk.
        foreign: Chunks that are no piece of it.
        doubled: Chunks that say nothing that those before them don't.
    """

    lost: list[str]
    foreign: list[str]
    doubled: list[str]


class SplitterKit(Conformance):
    """Cuts texts."""

    kind: ClassVar[str] = "splitter"

    def make(self) -> TextSplitter:
        """Return the splitter."""
        raise NotImplementedError(f"{type(self).__name__} needs a method `make(self)`")

    @cached_property
    def part(self) -> Any:
        """The splitter."""
        return self.make()

    def reach(self) -> None:
        """Cut something."""
        self.part.split_text("A text.")

    def texts_of(self, text: str) -> list[str]:
        """Return the chunks of a text, of which it is known that they are text."""
        came = self.part.split_text(text)
        texts = isinstance(came, list) and all(isinstance(each, str) for each in came)
        expect(texts, "a list of texts from split_text", f"{type(came).__name__}: {str(came)[:80]}")
        return list(came)


def find_gaps(text: str, chunks: Sequence[str]) -> Gaps:
    """Return what became of a text of which no longer piece comes twice; blanks don't count."""
    whole = _without_blanks(text)
    gaps = Gaps([], [], [])
    reached = 0
    for chunk in filter(None, map(_without_blanks, chunks)):
        # As far on as possible, but not behind a gap: overlap reaches back, and what is repeated stands further on.
        start = whole.rfind(chunk, 0, reached + len(chunk))
        if start < 0:
            start = whole.find(chunk)
            if start < 0:
                gaps.foreign.append(chunk[:60])
                continue
            gaps.lost.append(whole[reached:start][:60])
        if start + len(chunk) <= reached:
            gaps.doubled.append(chunk[:60])
        reached = max(reached, start + len(chunk))
    if reached < len(whole):
        gaps.lost.append(whole[reached:][:60])
    return gaps


def _without_blanks(text: str) -> str:
    return "".join(text.split())
