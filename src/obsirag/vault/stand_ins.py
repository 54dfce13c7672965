"""Characters that stand in a text for what its reader would take amiss."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

__all__ = ["StandIns"]

_PRIVATE_USE = (range(0x10F000, 0x10FFFE), range(0xF0000, 0xFFFFE), range(0x100000, 0x10F000))


class StandIns:
    """Stand-ins for a text: characters for private use that it doesn't hold, one for each different thing.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self._free = _free(text)
        self._chosen: dict[str, str] = {}
        self._restored: dict[str, str] = {}  # a text that is repeated ten thousand times is restored once

    def of(self, written: str) -> str:
        """Return what is to stand in the place of ``written``; itself, should there be nothing left."""
        if written not in self._chosen:
            self._chosen[written] = next(self._free, written)
        return self._chosen[written]

    def restored(self, text: str) -> str:
        """Return a part of the text that was read, with what its stand-ins stand for."""
        if not self._chosen:
            return text
        if text not in self._restored:
            table = {ord(stand_in): written for written, stand_in in self._chosen.items() if stand_in != written}
            self._restored[text] = text.translate(table)
        return self._restored[text]


def _free(text: str) -> Iterator[str]:
    held = set(text)
    return (character for character in map(chr, chain(*_PRIVATE_USE)) if character not in held)
