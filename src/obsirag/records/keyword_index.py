"""What finds chunks by their words in the place of the catalogue's own index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

__all__ = ["KeywordIndex"]


@runtime_checkable
class KeywordIndex(Protocol):
    """An index of words; it may be asked from several threads."""

    def add(self, ids: Sequence[str], texts: Sequence[str], metadatas: Sequence[Mapping[str, Any]]) -> None:
        """Add texts, each in the place of the one that its id had.

        Args:
            ids: Their ids.
            texts: The texts.
            metadatas: Their metadata: ``access`` and ``source``, both text.
        """

    def delete(self, ids: Iterable[str]) -> None:
        """Delete texts; ids that it doesn't have are passed over."""

    def search(self, query: str, limit: int, *, filter: Mapping[str, Any] | None = None) -> list[tuple[str, float]]:  # noqa: A002 - as with every LangChain store
        """Return ids with their scores, the best first, and the higher the better.

        Args:
            query: Any text; it is words, and nothing in it is an operator.
            limit: Most ids.
            filter: ``{"$and": [{"access": {"$in": […]}}, …]}``; None for everything.
        """

    def ids(self) -> list[str]:
        """Return all ids, in any order."""
