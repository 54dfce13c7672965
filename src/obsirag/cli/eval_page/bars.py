"""The plots inside tables: bars of figures, and differences with their intervals. The numbers stand beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from obsirag.evaluation import Interval

__all__ = ["bars", "difference_bar", "judgement", "scale_of"]

_SIDES = "ab"
_HEIGHT = 10
_SCALES = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)


def bars(figures: Sequence[float | None], *, whole: float = 1.0) -> str:
    """Return a bar for each figure, one below the other, on the way from 0 to ``whole``; none for none."""
    if all(each is None for each in figures):
        return ""
    told = "".join(
        f'<rect class="track" x="0" y="{row * _HEIGHT + 1}" width="100" height="{_HEIGHT - 2}"/>'
        f'<rect class="{side}" x="0" y="{row * _HEIGHT + 1}" width="{_part(figure, whole):.1f}" '
        f'height="{_HEIGHT - 2}"/>'
        for row, (side, figure) in enumerate(zip(_SIDES, figures, strict=False))
        if figure is not None
    )
    return _svg("bars", f"0 0 100 {len(figures) * _HEIGHT}", told)


def difference_bar(interval: Interval, scale: float, *, is_cost: bool = False) -> str:
    """Return a bar from 0 to a difference, and a whisker over its interval.

    Args:
        interval: The difference.
        scale: The difference at the right end of the plot; 0 is in its middle.
        is_cost: Whether less is better.
    """
    middle, low, high = (100 * max(-1.0, min(1.0, each / scale)) for each in interval)
    whisker = f"M{low:.1f} 10H{high:.1f}M{low:.1f} 5V15M{high:.1f} 5V15"
    told = (
        '<path class="zero" d="M0 0V20"/>'
        f'<rect class="{judgement(interval, is_cost=is_cost)}" x="{min(0.0, middle):.1f}" y="4" '
        f'width="{abs(middle):.1f}" height="12"/><path class="whisker" d="{whisker}"/>'
    )
    return _svg("difference", "-101 0 202 20", told)


def judgement(interval: Interval, *, is_cost: bool = False) -> str:
    """Return ``better`` or ``worse`` where the interval leaves out 0, else ``even``."""
    if not (interval.is_better or interval.is_worse):
        return "even"
    return "better" if interval.is_better != is_cost else "worse"


def scale_of(intervals: Iterable[Interval]) -> float:
    """Return a round number that no end of these intervals passes."""
    widest = max((abs(end) for each in intervals for end in each), default=0.0)
    return next((scale for scale in _SCALES if widest <= scale), widest)


def _part(figure: float, whole: float) -> float:
    return 100 * max(0.0, min(1.0, figure / whole)) if whole > 0 else 0.0


def _svg(kind: str, box: str, inside: str) -> str:
    return f'<svg class="{kind}" viewBox="{box}" preserveAspectRatio="none" aria-hidden="true">{inside}</svg>'
