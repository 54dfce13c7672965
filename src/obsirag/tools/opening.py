"""Parts that are opened when they are first used: a tool can be made before there is an index."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

__all__ = ["Lazy"]

Part = TypeVar("Part")


class Lazy(Generic[Part]):
    """A part that is made at the first call, once; if that fails, at the next one.

    Args:
        make: Makes it.
    """

    def __init__(self, make: Callable[[], Part]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._made: list[Part] = []

    def __call__(self) -> Part:
        """Return the part."""
        with self._lock:
            if not self._made:
                self._made.append(self._make())
            return self._made[0]
