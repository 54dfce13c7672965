"""The tags and links in a note's text, by offset."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from obsirag.markdown import Block, Span, find_references
from obsirag.splitters.bounds import LONGEST_NAME, MOST_TAGS

__all__ = ["Mentions"]

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_EXTENSION = re.compile(r"\.md\Z", re.IGNORECASE)


class Mentions:
    """Tells the tags and links of parts of a note.

    Args:
        text: The text.
        blocks: Its blocks.
        tags: The metadata's tags: those of the whole note.
        links: The metadata's links: paths where they resolve.
    """

    def __init__(self, text: str, blocks: Sequence[Block], tags: Any, links: Any) -> None:
        own = [tag for tag in _strings(tags) if len(tag) <= LONGEST_NAME][:MOST_TAGS]
        self._note_tags = list(dict.fromkeys(own))
        paths = _by_name(_strings(links))
        every_link, found_tags = find_references(text, blocks)
        found = [link for link in every_link if link.target and not _ADDRESS.match(link.target)]
        self._links = [link.target for link in found]
        if paths:
            self._links = [paths.get(_name(target), target) for target in self._links]
        self._link_starts = [link.start for link in found]
        self._tags = [tag.name for tag in found_tags]
        self._tag_starts = [tag.start for tag in found_tags]

    def tags(self, spans: Sequence[Span]) -> list[list[str]]:
        """Return for each of ``spans`` the note's tags, the first 100 if it has more, and those in it, each once."""
        own, tags, starts = self._note_tags, self._tags, self._tag_starts
        if not tags:
            return [own[:] for _ in spans]
        return [
            list(dict.fromkeys([*own, *tags[bisect_left(starts, start) : bisect_left(starts, end)]]))
            for start, end in spans
        ]

    def links(self, spans: Sequence[Span]) -> list[list[str]]:
        """Return for each of ``spans`` the targets of the links that begin in it, each once: paths, else as written.

        They are links to notes and files; addresses in the web are left out.
        """
        links, starts = self._links, self._link_starts
        if not links:
            return [[] for _ in spans]
        return [
            list(dict.fromkeys(links[bisect_left(starts, start) : bisect_left(starts, end)])) for start, end in spans
        ]


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [str(item) for item in value] if isinstance(value, (list, tuple)) else []


def _name(target: str) -> str:
    return _EXTENSION.sub("", target.strip().lstrip("./")).casefold()


def _by_name(paths: Sequence[str]) -> dict[str, str]:
    """Return the note's link targets by every name that a link may call them."""
    found: dict[str, str] = {}
    for path in paths:
        parts = _name(path).split("/")
        for index in range(len(parts)):
            found.setdefault("/".join(parts[index:]), path)
    return found
