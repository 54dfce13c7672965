"""Read the pages of the web that the answer is to lean on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from obsirag.graphs.failures import go_without
from obsirag.graphs.state import RagState
from obsirag.retrievers import WebSearch

__all__ = ["ReadPagesNode"]


@dataclass(frozen=True, slots=True)
class ReadPagesNode:
    """Put the texts of pages in the place of the snippets that found them; notes stay as they are.

    Where that fails, the snippets stay.

    Args:
        web: The search that found them.
    """

    web: WebSearch

    def __call__(self, state: RagState) -> dict[str, Any]:
        """Return the update with the passages."""
        try:
            return {"evidence": self.web.extract(state["evidence"])}
        except Exception as error:  # noqa: BLE001 - nothing that was found shall be lost for it
            return go_without("web_pages", error)

    async def call_async(self, state: RagState) -> dict[str, Any]:
        """Do the same without blocking."""
        try:
            return {"evidence": await self.web.aextract(state["evidence"])}
        except Exception as error:  # noqa: BLE001 - as above
            return go_without("web_pages", error)
