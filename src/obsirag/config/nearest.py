"""The name that somebody most likely meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["nearest_names"]


def nearest_names(name: str, known: Iterable[str], *, count: int = 1) -> list[str]:
    """Return up to ``count`` of ``known`` that look most like ``name``, the nearest first.

    Args:
        name: What was written.
        known: What could have been meant.
        count: How many to return at most.
    """
    spelling = {_fold(each): each for each in sorted(known)}
    return [spelling[match] for match in get_close_matches(_fold(name), spelling, n=count, cutoff=0.6)]


def _fold(name: str) -> str:
    # `chunk-size` and `ChunkSize` are meant as `chunk_size`: only letters and digits are compared.
    return "".join(character for character in name.casefold() if character.isalnum()) or name
