"""Lines, which end with LF, CR LF or CR, and with nothing else."""

from __future__ import annotations

__all__ = ["line_start"]

_FIRST_STEP = 256  # characters


def line_start(text: str, position: int, low: int = 0) -> int:
    """Return where the line of ``text`` begins that ``position`` lies on, ``low`` if that is later.

    The cost is bounded by the line's length: a kind of line end that the text doesn't have isn't searched for in all
    of it.

    Args:
        text: The text.
        position: An offset.
        low: The first offset that matters.
    """
    step = _FIRST_STEP
    while True:
        start = max(low, position - step)
        found = max(text.rfind("\n", start, position), text.rfind("\r", start, position))
        if found >= 0:
            return found + 1
        if start == low:
            return low
        step *= 4
