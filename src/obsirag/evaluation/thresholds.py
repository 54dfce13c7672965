"""What a report has to reach, so that a job in CI can fail."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

from obsirag.config import nearest_names
from obsirag.errors import EvaluationError

__all__ = ["Threshold", "check_measure", "parse_threshold"]


class Threshold(NamedTuple):
    """A measure with the least value that it may have, or the most, on all questions together.

    Args:
        measure: The measure's name.
        value: The value; reaching it is enough, and allowed.
        is_most: Whether it is the most.
    """

    measure: str
    value: float
    is_most: bool = False


def parse_threshold(text: str, known: Collection[str], *, is_most: bool = False) -> Threshold:
    """Return the threshold that ``text`` states as ``name=value``, e.g. ``recall@5=.8``.

    Args:
        text: The threshold.
        known: The names of the measures that are reported.
        is_most: Whether the value is the most that the measure may have.

    Raises:
        EvaluationError: If it has another form, or there is no such measure.
    """
    name, equals, value = text.partition("=")
    try:
        bound = float(value)
    except ValueError:
        bound = math.nan
    if not equals or not math.isfinite(bound):
        raise EvaluationError(
            f"{text!r} is no threshold; write a measure and a number, such as {next(iter(known), 'recall@5')}=.8"
        )
    return Threshold(check_measure(name.strip(), known), bound, is_most)


def check_measure(name: str, known: Collection[str]) -> str:
    """Return ``name`` if it is one of the measures that are reported.

    Raises:
        EvaluationError: If it isn't.
    """
    if name in known:
        return name
    kind, at, rank = name.partition("@")
    if at and rank.isdecimal() and any(each.startswith(f"{kind}@") for each in known):
        raise EvaluationError(f"{name} is not measured: add {rank} to the ranks k")
    nearest = nearest_names(name, known)
    told = f"did you mean {nearest[0]}?" if nearest else f"there are {', '.join(known)}"
    raise EvaluationError(f"there is no measure {name!r}; {told}")
