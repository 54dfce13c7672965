"""A splitter that asks where new topics begin, for notes whose structure doesn't say."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from obsirag.errors import reason_of
from obsirag.splitters.cutting import Cutter
from obsirag.splitters.regions import Labels
from obsirag.splitters.sections import Section
from obsirag.splitters.splitter import ObsidianSplitter
from obsirag.splitters.topic_sections import Division, divide
from obsirag.splitters.topics import FindTopics, TopicStarts

__all__ = ["TopicSplitter"]

_log = logging.getLogger(__name__)

_REMEMBERED = 256
"""Answers: chunks and parents of a note are cut one after the other, and have to come out alike."""


class TopicSplitter(ObsidianSplitter):
    """Cuts notes as ``ObsidianSplitter`` does, and text that fits no chunk first where somebody says a topic begins.

    All of that splitter's laws and limits hold whatever is said: structures stay whole, topics that are too short are
    put together, those that are too large are cut by the rules, and where what is said is no valid partition, the rules
    cut alone. With a new topic no text of the one before is repeated.

    Args:
        find_topics: Gets parts of a text, sentences and blocks, and returns the indexes of those with which a new topic
            begins, rising; None if it cannot say. What it raises counts as that.
        chunk_size: As ``ObsidianSplitter`` takes it, like the others.
        always: Whether it is asked about notes with headings too, but for a single one at their start.
        calls_per_note: How often it is asked about one note at most.
        others: The other arguments of ``ObsidianSplitter``.

    Raises:
        ValueError: If ``calls_per_note`` is under 0, or a size is wrong.
        TypeError: If ``find_topics`` cannot be called.
    """

    def __init__(
        self,
        find_topics: FindTopics,
        chunk_size: int = 1000,
        *,
        always: bool = False,
        calls_per_note: int = 20,
        **others: Any,
    ) -> None:
        super().__init__(chunk_size, **others)
        if not callable(find_topics):
            raise TypeError(f"find_topics must be a function, not {find_topics!r}")
        if calls_per_note < 0:
            raise ValueError(f"calls_per_note is {calls_per_note}, but must be at least 0")
        self._find_topics = find_topics
        self._always = always
        self._calls = calls_per_note
        self._find_once = lru_cache(_REMEMBERED)(self._find)

    def _divide(self, sections: list[Section], labels: Labels, cutter: Cutter) -> Division:
        if not self._always and has_structure(sections):
            return super()._divide(sections, labels, cutter)
        topics = TopicStarts(lambda parts: self._find_once(tuple(parts)), self._sizes.minimum, self._calls)
        return divide(sections, labels, cutter, topics)

    def _find(self, parts: tuple[str, ...]) -> Sequence[int] | None:
        try:
            return self._find_topics(list(parts))
        except Exception as error:  # noqa: BLE001 - it is somebody else's code and may raise anything
            _log.warning("where topics begin cannot be told (%s): the rules cut alone", reason_of(error))
            return None


def has_structure(sections: Sequence[Section]) -> bool:
    """Say whether a note has headings, but for a single one at its start, which is its title."""
    headings = [section.blocks[0] for section in sections if section.blocks and section.blocks[0].kind == "heading"]
    first = next(section.start for section in sections if section.blocks)
    return len(headings) > 1 or bool(headings and headings[0].start > first)
