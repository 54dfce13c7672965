"""All chunks at a glance: a bar for each, as high as it is long."""

from __future__ import annotations

from collections.abc import Sequence

from obsirag.splitters.measuring import Limits, MeasuredChunk

__all__ = ["overview"]

_HEIGHT = 100
_FEWEST = 24
"""So many bars there is room for: those of a short note don't grow as wide as the page."""

_MANY = 80
"""Beyond so many bars two colours in turn would only flicker."""


def overview(chunks: Sequence[MeasuredChunk], limits: Sequence[Limits]) -> str:
    """Return a picture of the chunks' lengths, in which each bar leads to its chunk.

    It is left out for readers that don't see: all it tells stands with the chunks too.

    Args:
        chunks: The chunks.
        limits: What each of them should keep to.
    """
    if not chunks:
        return ""
    sizes = [each.chunk_size or 0 for each in limits]
    highest = max([*sizes, *(chunk.length for chunk in chunks), 1])
    bars = "".join(
        _bar(index, chunk, size, highest) for index, (chunk, size) in enumerate(zip(chunks, sizes, strict=True))
    )
    width = max(len(chunks), _FEWEST)
    common = sizes[0] if len(set(sizes)) == 1 else 0
    at = _HEIGHT - _HEIGHT * common / highest
    line = f'<line class="limit" x1="0" x2="{width}" y1="{at:.1f}" y2="{at:.1f}"/>' if common else ""
    dense = " dense" if len(chunks) > _MANY else ""
    return (
        f'<svg class="overview{dense}" viewBox="0 0 {width} {_HEIGHT}" preserveAspectRatio="none" aria-hidden="true">'
        f"{bars}{line}</svg>"
    )


def _bar(index: int, chunk: MeasuredChunk, size: int, highest: int) -> str:
    height = max(2.0, _HEIGHT * chunk.length / highest)
    kind = ' class="over"' if size and chunk.length > size else ""
    return (
        f'<a href="#chunk-{index + 1}" tabindex="-1"{kind}><title>{index + 1}: {chunk.length:,}</title>'
        f'<rect class="reach" x="{index}" y="0" width="1" height="{_HEIGHT}"/>'
        f'<rect x="{index + 0.1:.1f}" y="{_HEIGHT - height:.1f}" width=".8" height="{height:.1f}"/></a>'
    )
