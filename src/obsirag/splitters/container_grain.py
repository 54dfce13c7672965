"""Where items, quotes, callouts and footnotes may be cut: between the blocks inside, then along the grain of these."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import chain, pairwise, zip_longest
from typing import NamedTuple

from obsirag.markdown import Block, Span, nested_blocks
from obsirag.markdown.merging import merge_spans
from obsirag.markdown.nested import CONTAINERS
from obsirag.markdown.nodes import trimmed_end
from obsirag.splitters.belonging import belongs_above, leads_on
from obsirag.splitters.grain import PROSE, Level, leaf_levels, marks_in, outside_spans
from obsirag.text import line_start

__all__ = ["block_levels"]

_CALLOUT_TITLE = re.compile(r"[^\n\r]*+(?:[\n\r][\s>]*+)?+")


class _Lead(NamedTuple):
    """Words that lead in a block which has to be cut.

    Args:
        gap: What lies between them and the block, with a character on each side.
        led: The block.
    """

    gap: Span
    led: Block


class _Parts(NamedTuple):
    """What lies in a container, as far as it has to be cut.

    Args:
        outer: Rising ends before the blocks directly inside.
        inner: Those before any block inside.
        ends: Those behind the blocks inside.
        bare: Those behind lines that hold marks of quotes alone, which go with what is below.
        behind_marks: Those between marks and the blocks that they belong to.
        whole: Structures that fit a chunk, apart from each other.
        titles: Titles of callouts, with the character behind them.
        finer: The leaves that may be cut.
    """

    outer: list[int]
    inner: list[int]
    ends: list[int]
    bare: list[int]
    behind_marks: list[int]
    whole: list[Span]
    titles: list[Span]
    finer: list[Block]


def block_levels(
    text: str, block: Block, fits: Callable[[int, int], bool], spans: list[Span] | None = None
) -> Iterator[Level]:
    """Yield the ends at which ``block`` may be cut when it is too large, finer ones only when they are asked for.

    Args:
        text: The text.
        block: One of its blocks.
        fits: Says whether a part of the text fits a chunk: structures inside the block that do are not cut.
        spans: Its inline spans, if they are known already.

    Yields:
        Levels from the coarsest grain to the finest.
    """
    if block.kind in CONTAINERS:
        return _container_levels(text, block, fits)
    return leaf_levels(text, block, fits, spans)


def _container_levels(text: str, block: Block, fits: Callable[[int, int], bool]) -> Iterator[Level]:
    """Yield the ends of nested blocks, outermost first, then the grain of the leaves that don't fit, then of marks."""
    nested = nested_blocks(text, block)
    together, leads = _led_in(text, block, nested, fits)
    parts = _parts_of(text, block, _kept_whole(nested, together, fits))
    marks = marks_in(text, block)
    known: set[int] = set()

    def outside(spans: list[Span]) -> list[int]:
        ends = outside_spans([p for p in sorted(known) if block.start < p < block.end], parts.whole)
        return outside_spans(ends, merge_spans(spans))

    held = marks + parts.titles
    finer = [leaf_levels(text, each, fits) for each in parts.finer]
    for ends, grain in chain(map(Level, (parts.outer, parts.inner, parts.ends)), map(_joined, zip_longest(*finer))):
        known.update(ends)
        here = outside(held + [lead.gap for lead in leads])
        yield Level(here, grain)
        still = [lead for lead in leads if not _begins(here, lead.led, fits)]
        if len(still) < len(leads):
            leads = still
            yield Level(outside(held + [lead.gap for lead in leads]), grain)
    if leads:
        yield Level(outside(held), "parts")
    if parts.titles or parts.bare:
        known.update(parts.bare)
        yield Level(outside(marks))
    known.update(parts.behind_marks)
    yield Level(outside([]), "marks")


def _begins(ends: list[int], block: Block, fits: Callable[[int, int], bool]) -> bool:
    """Say whether the first part of ``block`` fits a chunk: words that lead in go with that rather than with less."""
    index = bisect_right(ends, block.start)
    return index < len(ends) and ends[index] < block.end and fits(block.start, ends[index])


def _parts_of(text: str, block: Block, nested: Iterator[tuple[Block, Span | None]]) -> _Parts:
    """Sort what ``_kept_whole`` says of the blocks in ``block``."""
    parts = _Parts([], [], [], [], [], [], _titles(text, block), [])
    line = above = block.start
    end = block.start  # of the text so far, without the bare lines behind it
    for each, kept in nested:
        parts.titles.extend(_titles(text, each))
        here = line_start(text, each.start, block.start)
        if here != line:
            line, above = here, end
            bare = trimmed_end(text, end, here)
            if bare != above:
                parts.bare.append(bare)
        if above > block.start:
            parts.inner.append(above)
            if each.level == 1:
                parts.outer.append(above)
        parts.behind_marks.append(trimmed_end(text, end, each.start))
        if kept:
            parts.whole.append(kept)
            end = kept[1]
        elif each.kind not in CONTAINERS:
            parts.finer.append(each)
            end = each.end
        else:
            continue
        parts.ends.append(end)
    return parts


def _led_in(
    text: str, block: Block, nested: list[Block], fits: Callable[[int, int], bool]
) -> tuple[list[Span], list[_Lead]]:
    """Return where nested blocks fit a chunk with what they belong to, and what leads in those that fit none.

    Args:
        text: The text.
        block: The block around them all.
        nested: The nested blocks.
        fits: Says whether a part of the text fits a chunk.
    """
    together: list[Span] = []
    leads: list[_Lead] = []
    for each, following in pairwise(nested):
        if each.level != following.level or each.kind in CONTAINERS:
            continue
        if not (each.kind == "heading" or leads_on(text, each, following) or belongs_above(text, following)):
            continue
        start = line_start(text, each.start, block.start)
        goes_on = bool(together) and start < together[-1][1]
        if goes_on:
            start = together[-1][0]
        if fits(start, following.end):
            together[len(together) - goes_on :] = [(start, following.end)]
        elif not fits(following.start, following.end):
            leads.append(_Lead((each.end - 1, following.start + 1), following))
    return together, leads


def _kept_whole(
    nested: list[Block], together: list[Span], fits: Callable[[int, int], bool]
) -> Iterator[tuple[Block, Span | None]]:
    """Yield the nested blocks, each with what is kept whole and begins with it; those that lie in such are left out."""
    end = pair = 0
    for each in nested:
        if each.end <= end:
            continue
        while pair < len(together) and together[pair][1] <= each.start:
            pair += 1
        kept = None
        if each.kind not in CONTAINERS and pair < len(together) and together[pair][0] <= each.start:
            kept = together[pair]
        elif each.kind not in PROSE and fits(each.start, each.end):
            kept = each.start, each.end
        end = kept[1] if kept else end
        yield each, kept


def _titles(text: str, block: Block) -> list[Span]:
    """Return where a callout's title stands, with the character behind it."""
    title = _CALLOUT_TITLE.match(text, block.start, block.end) if block.kind == "callout" else None
    return [(block.start, title.end() + 1)] if title else []


def _joined(levels: tuple[Level | None, ...]) -> Level:
    """Return one level of several blocks' ends; a block that has none so fine any more gives None."""
    there = [level for level in levels if level is not None]
    parts = any(level.grain == "parts" for level in there)
    return Level([end for level in there for end in level.ends], "parts" if parts else "whole")
