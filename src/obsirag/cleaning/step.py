"""What a cleaning step is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from obsirag.records import Edit

__all__ = ["CleaningStep"]


@dataclass(frozen=True, slots=True)
class CleaningStep:
    """One small change of a text, as edits.

    Args:
        name: What it is called in the configuration.
        find: Gives the edits for a text, in order and without overlaps. Edits that touch literal text (code, maths) are
            left out afterwards, so a step need not know about it.
    """

    name: str
    find: Callable[[str], Iterable[Edit]]
