"""A vault's links as data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from obsirag.records import Note

__all__ = ["LinkGraph", "build_link_graph"]


@dataclass(frozen=True, slots=True)
class LinkGraph:
    """Which notes lead to which; every note has an entry in each mapping but ``tags``.

    Args:
        outgoing: The files that a note links to or embeds, each once, in order; itself left out.
        backlinks: The notes that lead to a note, sorted.
        embeds: The files that a note embeds, each once, in order.
        unresolved: The targets in a note that no file has, as written, each once.
        tags: The notes that have a tag, by the tag as first written, sorted.
    """

    outgoing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    backlinks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    embeds: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unresolved: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def build_link_graph(notes: Iterable[Note]) -> LinkGraph:
    """Return the links between ``notes``."""
    outgoing: dict[str, tuple[str, ...]] = {}
    embeds: dict[str, tuple[str, ...]] = {}
    unresolved: dict[str, tuple[str, ...]] = {}
    backlinks: dict[str, list[str]] = {}
    tags: dict[str, list[str]] = {}
    spellings: dict[str, str] = {}
    for note in notes:
        found = [link for link in note.links if link.path is not None and link.path != note.path]
        outgoing[note.path] = _once(link.path for link in found)
        embeds[note.path] = _once(link.path for link in found if link.embed)
        unresolved[note.path] = _once(link.target for link in note.links if link.path is None)
        for path in outgoing[note.path]:
            backlinks.setdefault(path, []).append(note.path)
        for tag in note.tags:
            tags.setdefault(spellings.setdefault(tag.casefold(), tag), []).append(note.path)
    return LinkGraph(
        outgoing=outgoing,
        backlinks={path: tuple(sorted(backlinks.get(path, ()))) for path in {**outgoing, **backlinks}},
        embeds=embeds,
        unresolved=unresolved,
        tags={tag: tuple(sorted(paths)) for tag, paths in tags.items()},
    )


def _once(names: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name is not None))
